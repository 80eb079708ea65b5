import type { Fault } from './fault.ts'

const PAGES = 'adapters/console/pages'

/** The pages of the console, as a browser shows them. */
export const consolePageFaults: readonly Fault[] = [
  {
    name: 'A link of the console forgets whose tenant it is about.',
    file: `${PAGES}/router.ts`,
    find: `query.tenant ?? new URLSearchParams(location.search).get('tenant')`,
    replace: 'query.tenant ?? null',
    tests: ['browser/console-tenants'],
  },
  {
    name: 'Who may only look at a user has the menu of changes.',
    file: `${PAGES}/parts/user/actions/menu.tsx`,
    find: 'if (!mayWrite) return null',
    replace: '',
    tests: ['browser/console-user > in read access'],
  },
  {
    name: 'Who may only look at a log has buttons that void.',
    file: `${PAGES}/parts/user/log-line.tsx`,
    find: '!mayWrite || isVoid',
    replace: 'isVoid || mayWrite === null',
    tests: ['browser/console-user > in read access'],
  },
  {
    name: 'A user is deleted without its id being typed.',
    file: `${PAGES}/parts/user/actions/delete.tsx`,
    find: 'typed === user.id',
    replace: 'typed !== ""',
    tests: ['browser/console-user > is deleted once'],
  },
  {
    name: 'The preview of a void does not know that achievements are taken back.',
    file: `${PAGES}/parts/user/actions/void-event.tsx`,
    find: 'body: { eventId: event, revoke }',
    replace: 'body: { eventId: event }',
    tests: ['browser/console-user > by keyboard alone'],
  },
  {
    name: 'A new page of the console does not have the focus.',
    file: `${PAGES}/parts/page.tsx`,
    find: 'useEffect(() => heading.current?.focus({ preventScroll: true }), [])',
    replace: '',
    tests: ['browser/console-user > by keyboard alone'],
  },
  {
    name: 'Every letter of a search for users is asked for.',
    file: `${PAGES}/parts/use-debounced.ts`,
    find: 'return settled',
    replace: 'return settled === value ? settled : value',
    tests: ['browser/console-users > finds by a part'],
  },
  {
    name: 'The heading of a page is taken for HTML.',
    file: `${PAGES}/parts/page.tsx`,
    find: '<bdi>{title}</bdi>',
    replace: '<bdi dangerouslySetInnerHTML={{ __html: title }} />',
    tests: ['browser/console-texts > runs nothing'],
  },
  {
    name: 'The table of a chart has the dates of others.',
    file: `${PAGES}/parts/chart.tsx`,
    find: 'dates.length - 1 - index',
    replace: 'index',
    tests: ['browser/console-today > as a table'],
  },
  {
    name: 'A change that failed cannot be tried again.',
    file: `${PAGES}/parts/confirm.tsx`,
    find: 'setIsRunning(false)',
    replace: '',
    tests: ['browser/console-user > gone in the middle'],
  },
  {
    name: 'The console shows a number without its decimals.',
    file: `${PAGES}/parts/format.ts`,
    find: 'maximumFractionDigits: 6',
    replace: 'maximumFractionDigits: 0',
    tests: ['console/format'],
  },
  {
    name: 'An event that is held back is told as void.',
    file: `${PAGES}/parts/user/log-line.tsx`,
    find: 'const isHeld = entry.voidedBy === entry.id',
    replace: 'const isHeld = entry.voidedBy === entry.kind',
    tests: ['browser/console-equals-drawn'],
  },
  {
    name: 'A line of the log is told by the key of its achievement.',
    file: `${PAGES}/parts/user/entry-words.ts`,
    find: `achievements.get(entry.achievement ?? '') ?? entry.achievement ?? ''`,
    replace: `entry.achievement ?? ''`,
    tests: ['console/entry-words'],
  },
]
