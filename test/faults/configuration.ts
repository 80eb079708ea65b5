import type { Fault } from './fault.ts'

/** What the admin API shows of the game. */
export const configurationFaults: readonly Fault[] = [
  {
    name: 'A list of the game skips after it has been cut off.',
    file: 'src/engine/calls/read/read-configuration.ts',
    find: 'items.slice(skip, skip + limit)',
    replace: 'items.slice(skip, limit)',
    tests: ['acceptance/configuration > lists are of ten'],
  },
  {
    name: 'A key that looks like an id hides what has that id.',
    file: 'src/engine/calls/read/read-configuration.ts',
    find: 'items.find((item) => item.id === id) ?? items.find((item) => item.key === id)',
    replace: 'items.find((item) => item.key === id) ?? items.find((item) => item.id === id)',
    tests: ['acceptance/configuration > an id goes before a key'],
  },
  {
    name: 'Archived metrics are shown as if events could be recorded for them.',
    file: 'src/engine/answers/configuration.ts',
    find: `.filter(({ status }) => status === 'active').map(toMetric)`,
    replace: '.map(toMetric)',
    tests: ['acceptance/configuration > metrics are there by id and key'],
  },
  {
    name: 'A filter of events names the attribute of users with the same key.',
    file: 'src/engine/answers/configuration.ts',
    find: `toFilters('event', eventAttributes)`,
    replace: `toFilters('user', eventAttributes)`,
    tests: ['acceptance/configuration > points systems have their levels and triggers'],
  },
  {
    name: 'An attribute of users and one of events with the same key have one id.',
    file: 'src/game/ids.ts',
    find: `derivedId('attribute', type, key)`,
    replace: `derivedId('attribute', key)`,
    tests: ['game/ids > of an attribute of users, and of one of events'],
  },
  {
    name: 'An attribute that there is not is 422 on the admin API, as in an event.',
    file: 'src/http/routes/configuration.ts',
    find: 'statuses: { unknown_attribute: 404 },',
    replace: '',
    tests: ['acceptance/http/configuration > 404: there is no'],
  },
]
