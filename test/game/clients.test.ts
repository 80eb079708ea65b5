// The section `clients` of a game: read, checked, and compiled.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { parseGame } from '../../src/game/compile.ts'
import { defineGame } from '../../src/game/define-game.ts'
import type { ClientsDefinition, GameDefinition } from '../../src/game/definition.ts'
import type { Capability, Gamification } from '../../src/index.ts'

const rest = {
  metrics: { steps: { name: 'Steps' }, words: { name: 'Words' } },
  userAttributes: ['plan', 'theme'],
  eventAttributes: ['source', 'mood', 'device'],
  achievements: {
    tour: { name: 'Tour', trigger: 'api' },
    first: { name: 'First', trigger: 'metric', metric: 'steps', value: 1, eventAttributes: { source: 'verified' } },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        {
          type: 'metric',
          metric: 'words',
          threshold: 1,
          points: 1,
          status: 'inactive',
          eventAttributes: { device: 'watch' },
        },
      ],
    },
  },
} as const

const withClients = (clients: ClientsDefinition): GameDefinition => ({ ...rest, clients })

function mistakesIn(clients: unknown): readonly string[] {
  try {
    defineGame({ ...rest, clients } as never)
  } catch (error) {
    if (error instanceof GamificationError) return error.issues.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

describe('clients', () => {
  test('of a game that does not say are null: they may do all that there is', () => {
    expect(defineGame(rest).rules.clients).toBeNull()
    expect('clients' in defineGame(rest).definition).toBe(false)
  })

  test('may do nothing of what is left out, and take nothing away unless the game says so', () => {
    const { definition, rules } = defineGame(withClients({ events: { steps: { max: 20_000 }, words: {} } }))
    expect(definition.clients).toEqual({
      events: { steps: { max: 20_000, min: 0 }, words: { min: 0 } },
      achievements: [],
      challenges: [],
      attributes: [],
      profile: [],
    })
    expect(rules.clients).toEqual({
      events: new Map([
        ['steps', { min: 0, max: 20_000, attributes: new Set(['mood']) }],
        ['words', { min: 0, max: null, attributes: new Set(['mood']) }],
      ]),
      achievements: new Set(),
      challenges: new Set(),
      redeem: new Set(),
      attributes: new Set(),
      profile: new Set(),
    })
  })

  test('come back from what is stored', () => {
    const game = defineGame(
      withClients({
        events: { words: { min: -3.5, max: 0, attributes: ['source'] } },
        achievements: ['tour'],
        attributes: ['theme'],
        profile: ['tz', 'notifications'],
      }),
    )
    const { definition, rules } = parseGame(JSON.stringify(game.definition))
    expect(definition).toEqual(game.definition)
    expect(rules.clients).toEqual(game.rules.clients)
    expect(rules.clients?.events.get('words')).toEqual({ min: -3.5, max: 0, attributes: new Set(['source']) })
  })

  test('send the attributes that the game names, and without a list only those that no rule filters on', () => {
    const events = { steps: {}, words: { attributes: ['device', 'source'] } } as const
    const { definition, rules } = defineGame(withClients({ events }))
    expect(definition.clients?.events).toEqual({
      steps: { min: 0 },
      words: { min: 0, attributes: ['device', 'source'] },
    })
    expect(rules.clients?.events.get('steps')?.attributes).toEqual(new Set(['mood']))
    expect(rules.clients?.events.get('words')?.attributes).toEqual(new Set(['device', 'source']))
    const none = defineGame(withClients({ events: { steps: { attributes: [] } } })).rules.clients
    expect(none?.events.get('steps')?.attributes).toEqual(new Set())
  })

  test('make another game, whatever the order of their lists', () => {
    const print = (clients?: ClientsDefinition): string =>
      defineGame(clients === undefined ? rest : withClients(clients)).fingerprint
    expect(print({ profile: ['tz', 'name'], attributes: ['plan', 'theme'] })).toBe(
      print({ attributes: ['theme', 'plan'], profile: ['name', 'tz'], events: {} }),
    )
    expect(print({ events: { steps: { attributes: ['mood', 'source'] } } })).toBe(
      print({ events: { steps: { attributes: ['source', 'mood'] } } }),
    )
    const steps: readonly ClientsDefinition[] = [{}, { attributes: [] }, { attributes: ['mood'] }].map((each) => ({
      events: { steps: each },
    }))
    expect(new Set([print(), print({}), print({ profile: ['tz'] }), ...steps.map(print)]).size).toBe(6)
  })

  test.each<[unknown, string]>([
    [{ events: { stesp: {} } }, "clients.events.stesp: unknown metric 'stesp'; did you mean 'steps'?"],
    [{ achievements: ['tuor'] }, "clients.achievements[0]: unknown achievement 'tuor'; did you mean 'tour'?"],
    [
      { achievements: ['tour', 'first'] },
      "clients.achievements[1]: 'first' is completed by the rules; clients complete only those with the trigger 'api': remove it, or use one of 'tour'",
    ],
    [{ attributes: ['plans'] }, "clients.attributes[0]: unknown user attribute 'plans'; did you mean 'plan'?"],
    [
      { profile: ['timezone'] },
      "clients.profile[0]: must be 'name', 'email', 'tz', 'subscribedToEmails', 'deviceTokens', 'signUpDate', 'notifications' or 'streak', not 'timezone'",
    ],
    [{ profile: ['tz', 'tz'] }, 'clients.profile[1]: is the same field as clients.profile[0]; change or remove one'],
    [{ events: { steps: { max: -1 } } }, 'clients.events.steps.max: must be at least min, which is 0'],
    [{ events: { steps: { max: 3, min: 4 } } }, 'clients.events.steps.max: must be at least min, which is 4'],
    [
      { events: { steps: { most: 3 } } },
      "clients.events.steps.most: unknown property 'most'; remove it, or use one of 'max', 'min', 'attributes'",
    ],
    [
      { events: { steps: { max: 1e16 } } },
      'clients.events.steps.max: must be a number between -1e15 and 1e15, not 10000000000000000',
    ],
    [
      { events: { steps: { attributes: ['sorce'] } } },
      "clients.events.steps.attributes[0]: unknown event attribute 'sorce'; did you mean 'source'?",
    ],
    [
      { events: { steps: { attributes: ['mood', 'mood'] } } },
      'clients.events.steps.attributes[1]: is the same attribute as clients.events.steps.attributes[0]; change or remove one',
    ],
    [{ events: ['steps'] }, 'clients.events: must be an object, not a list'],
    [{ event: {} }, "clients.event: unknown property 'event'; did you mean 'events'?"],
    [null, 'clients: must be an object with any of events, achievements, challenges, redeem, attributes, …, not null'],
  ])('%j has one mistake', (clients, mistake) => {
    expect(mistakesIn(clients)).toEqual([mistake])
  })
})

test('what clients may write is of the game, for the compiler too', () => {
  const make = (): readonly unknown[] => [
    // @ts-expect-error there is no such metric
    defineGame({ ...rest, clients: { events: { words: {}, laps: {} } } }),
    // @ts-expect-error the rules complete it
    defineGame({ ...rest, clients: { achievements: ['first'] } }),
    // @ts-expect-error there is no such attribute
    defineGame({ ...rest, clients: { attributes: ['plans'] } }),
    // @ts-expect-error events have no such attribute
    defineGame({ ...rest, clients: { events: { steps: { attributes: ['plan'] } } } }),
    // @ts-expect-error there is no such field
    defineGame({ ...rest, clients: { profile: ['points'] } }),
  ]
  expect(make).toThrow(GamificationError)
})

test('what a key can is of the game, for the compiler too', () => {
  const game = defineGame({ ...rest, clients: { events: { steps: { max: 20_000 } }, achievements: ['tour'] } })
  const create = async ({ admin }: Gamification<typeof game>): Promise<void> => {
    await admin.applicationApiKeys.create([
      { userId: 'ann', can: ['read', 'profile', 'events:steps', 'achievements:tour', 'attributes:plan'] },
    ])
    // @ts-expect-error there is no such metric
    await admin.applicationApiKeys.create([{ userId: 'ann', can: ['events:laps'] }])
    // @ts-expect-error the rules complete it
    await admin.applicationApiKeys.create([{ userId: 'ann', can: ['achievements:first'] }])
    // @ts-expect-error no key can that
    await admin.applicationApiKeys.create([{ userId: 'ann', can: ['admin'] }])
  }
  expectTypeOf(create).toBeFunction()
  expectTypeOf<'events:anything'>().toExtend<Capability>()
})
