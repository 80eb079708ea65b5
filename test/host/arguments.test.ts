import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { memory } from 'laurels/memory'
import { postgres } from 'laurels/postgres'
import { sqlite } from 'laurels/sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { NOON, untyped } from '../support/engine.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } }, userAttributes: ['plan'] })

/** A call that a host wrote without types. */
type Wrong = () => unknown

async function refusalOf(
  call: Wrong,
): Promise<{ readonly name: string; readonly code: string; readonly message: string }> {
  try {
    await call()
  } catch (error) {
    const { name, code, message } = untyped<{ name: string; code: string; message: string }>(error)
    return { name, code, message }
  }
  return { name: '', code: 'accepted', message: '' }
}

function create(options: object): Gamification<DefinedGame> {
  return createGamification<DefinedGame>(untyped({ game, storage: memory(), ...options }))
}

async function expectRefusals(
  code: string,
  calls: readonly (readonly [call: Wrong, message: string])[],
): Promise<void> {
  for (const [call, message] of calls) {
    expect(await refusalOf(call)).toEqual({ name: 'GamificationError', code, message })
  }
}

describe('createGamification says at once what is wrong with', () => {
  const STORAGE = 'The option storage of createGamification was given'

  test('the storage', async () => {
    const database = new Database(':memory:')
    const pool = new pg.Pool()
    const all =
      "give it memory() from laurels/memory, sqlite('app.db') from laurels/sqlite, or postgres(url) from laurels/postgres"
    await expectRefusals('storage_unusable', [
      [() => create({ storage: undefined }), `${STORAGE} undefined: ${all}.`],
      [
        () => create({ storage: 'app.db' }),
        `${STORAGE} a string: give it sqlite('app.db') from laurels/sqlite, or postgres('postgres://…') from laurels/postgres.`,
      ],
      [
        () => create({ storage: database }),
        `${STORAGE} an instance of Database: give it sqlite(database) from laurels/sqlite.`,
      ],
      [
        () => create({ storage: pool }),
        `${STORAGE} an instance of BoundPool: give it postgres(pool) from laurels/postgres.`,
      ],
      [() => create({ storage: memory }), `${STORAGE} a function: call it, as memory().`],
    ])
    await pool.end()
  })

  test('a game that is none', async () => {
    const remedy = 'pass it what defineGame({ … }) returns.'
    const definition = { metrics: { words: { name: 'Words' } } }
    const engine = create({})
    await expectRefusals('invalid_game', [
      [
        () => create({ game: definition }),
        `The option game of createGamification was given an object with metrics: ${remedy}`,
      ],
      [() => create({ game: undefined }), `The option game of createGamification was given undefined: ${remedy}`],
      [() => engine.whatIf(untyped(definition)), `whatIf() was given an object with metrics: ${remedy}`],
      [() => engine.apply(untyped('game')), `apply() was given a string: ${remedy}`],
    ])
  })

  test('the clock, and later ones too', async () => {
    const wanted = 'give createGamification a clock that returns the Date of now, as () => new Date().'
    let answer: () => unknown = () => new Date(NOON)
    const engine = create({ clock: () => answer() })
    const later = (next: () => unknown): Promise<unknown> => {
      answer = next
      return engine.metrics.event('words', { user: { id: '18' }, value: 1 })
    }
    const failing = (): never => {
      throw new Error('no battery')
    }
    await expectRefusals('invalid_request', [
      [() => create({ clock: () => Date.now() }), expect.stringMatching(/^The clock returned \d+: /)],
      [() => create({ clock: () => new Date('x') }), `The clock returned an invalid Date: ${wanted}`],
      [() => create({ clock: failing }), `The clock threw an error: ${wanted}`],
      [
        () => create({ clock: new Date() }),
        'Invalid clock: must be a function that returns the Date of now, as () => new Date(), not a Date.',
      ],
    ])
    await expectRefusals('internal', [
      [() => later(() => 7), `The clock returned 7: ${wanted}`],
      [() => later(() => new Date(Number.NaN)), `The clock returned an invalid Date: ${wanted}`],
      [() => later(failing), `The clock threw an error: ${wanted}`],
    ])
    answer = () => new Date(NOON)
    expect(await refusalOf(() => engine.users.get('18'))).toMatchObject({ code: 'unknown_user' })
  })

  test('everything else', async () => {
    const wanted = 'give createGamification one that returns a new UUID, as () => crypto.randomUUID().'
    const engine = create({ ids: () => 7 })
    await expectRefusals('invalid_request', [
      [() => create({ clok: () => new Date() }), expect.stringMatching(/did you mean 'clock'\?$/)],
      [() => create({ logger: 'console' }), expect.stringMatching(/^Invalid logger: must be .* 'console'\.$/)],
      [() => create({ logger: { info: () => 0 } }), expect.stringMatching(/not an object with info\.$/)],
      [() => create({ ids: 'uuid' }), expect.stringMatching(/^Invalid ids: must be a function/)],
      [
        () => createGamification(untyped<never>(undefined)),
        'Invalid options of createGamification: must be an object with any of game, storage, clock, ids, logger, …, not undefined.',
      ],
    ])
    await expectRefusals('internal', [
      [() => engine.metrics.event('words', { user: { id: '18' }, value: 1 }), `The function ids returned 7: ${wanted}`],
    ])
  })
})

describe('An argument of the wrong kind', () => {
  const engine = createGamification({
    game: defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: {
        writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 10 },
        ghost: { name: 'Ghost', trigger: 'metric', metric: 'words', value: 20, secret: true },
      },
      streak: { frequency: 'daily', metrics: { words: {} } },
    }),
    storage: memory(),
  })
  const { admin, achievements, metrics } = engine
  const ada = { id: 'ada' }

  test('is answered with the right one', async () => {
    await expectRefusals('invalid_request', [
      [
        () => admin.streaks.freezes.create(untyped([{ userId: 'ada' }])),
        'Invalid freezes: must be an object with freezes, not a list',
      ],
      [
        () => admin.applicationApiKeys.create(untyped({ userId: 'ada' })),
        'Invalid application keys: must be a list, not an object',
      ],
      [
        () => engine.subscribe('mail', untyped<never>(['streak.lost']), () => undefined),
        'Invalid options: must be an object with types, not a list',
      ],
      [
        () => metrics.event('words', untyped({ user: 'ada', value: 1 })),
        'Invalid metric event: user: must be an object with id, not a string',
      ],
      [
        () => metrics.event('words', { user: ada, value: 1, occurredAt: untyped('2026-03-02T09:00:00Z') }),
        "Invalid metric event: occurredAt: must be a valid Date, such as new Date('2026-03-02T09:00:00Z'), not a string",
      ],
    ])
  })

  test('of a completion names the trigger of the achievement, but not of a secret one', async () => {
    await expectRefusals('unknown_achievement', [
      [
        () => achievements.complete(untyped('writer'), { user: ada }),
        `The achievement "writer" has the trigger 'metric': calls complete only those with 'api'.`,
      ],
      [
        () => achievements.complete(untyped('ghost'), { user: ada }),
        `There is no active achievement "ghost" with the trigger 'api'.`,
      ],
    ])
  })
})

describe('sqlite() says at once what is wrong with', () => {
  const wanted =
    "give it the path of a file, as sqlite('app.db'), ':memory:', or a database of better-sqlite3, libsql, node:sqlite or bun:sqlite"

  test('its source', async () => {
    await expectRefusals('storage_unusable', [
      [
        () => sqlite(untyped(undefined)),
        `sqlite() was given undefined: ${wanted}. Is the variable set that it comes from?`,
      ],
      [() => sqlite(untyped(7)), `sqlite() was given 7: ${wanted}.`],
      [
        () => sqlite('postgres://ann:secret@localhost/app'),
        'sqlite() was given a URL of postgres: give it to postgres() from laurels/postgres.',
      ],
      [() => sqlite('https://example.com/app.db'), `sqlite() was given a URL of https: ${wanted}.`],
    ])
  })

  test('its options', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'laurels-options-')), 'app.db')
    const open =
      (options: object): Wrong =>
      () =>
        sqlite(file, untyped(options))
    await expectRefusals('invalid_request', [
      [open({ synchronous: 'OFF' }), "Invalid synchronous: must be 'FULL' or 'NORMAL', not 'OFF'."],
      [open({ synchronous: 0 }), "Invalid synchronous: must be 'FULL' or 'NORMAL', not 0."],
      [open({ busyDeadlineMs: '5s' }), "Invalid busyDeadlineMs: must be a number of milliseconds from 0 on, not '5s'."],
      [open({ driver: 'better-sqlite3' }), expect.stringMatching(/^Invalid driver: must be a function/)],
      [
        () => sqlite(file, untyped(null)),
        'Invalid options of sqlite(): must be an object with any of synchronous, busyDeadlineMs, driver, not null.',
      ],
    ])
    for (const options of [{}, { synchronous: undefined, sychronous: undefined }, { synchronous: 'NORMAL' }]) {
      const storage = sqlite(file, untyped(options))
      expect((await storage.migrate()).applied).toBeInstanceOf(Array)
      await storage.close()
    }
  })
})

describe('postgres() says at once what is wrong with', () => {
  const form = 'postgres://user:password@host:5432/database'
  const wanted = `give it a connection string, as ${form}, a Pool of pg, an instance of kysely, or a PGlite`

  test('its source, and never what is in it', async () => {
    const client = new pg.Client()
    const given = (source: unknown, message: string): readonly [Wrong, string] => [
      () => postgres(untyped(source)),
      message,
    ]
    await expectRefusals('storage_unusable', [
      given(
        undefined,
        `postgres() was given undefined: ${wanted}. Is the variable set that it comes from, as DATABASE_URL?`,
      ),
      given(null, `postgres() was given null: ${wanted}.`),
      given('', `postgres() was given an empty text: ${wanted}.`),
      given('app.db', `postgres() was given a text 'app.db' that is no connection string: write ${form}.`),
      given('host=db password=secret', `postgres() was given a text that is no connection string: write ${form}.`),
      given('mysql://ann:secret@db/app', `postgres() was given a text that is no connection string: write ${form}.`),
      given(
        'postgres://ann:se/cr#et@db/app',
        `The connection string cannot be read: write ${form}, with special characters in the password percent-encoded.`,
      ),
      given(
        { host: 'db', password: 'secret' },
        'postgres() was given an object with host, password: make a pool of it, as postgres(new pg.Pool({ … })).',
      ),
      given(
        { connectionString: 'postgres://ann:secret@db/app' },
        'postgres() was given an object with connectionString: make a pool of it, as postgres(new pg.Pool({ … })).',
      ),
      given(
        client,
        'postgres() was given an instance of Client: a single client can serve one call at a time, so give it the Pool: postgres(new pg.Pool({ … })).',
      ),
    ])
  })

  test('its options', async () => {
    const open =
      (options: object): Wrong =>
      () =>
        postgres('postgres://db/app', untyped(options))
    await expectRefusals('invalid_request', [
      [open({ deadlineMs: Number.NaN }), 'Invalid deadlineMs: must be a number of milliseconds from 0 on, not NaN.'],
      [open({ schema: 7 }), 'Invalid schema: must be a text, not 7.'],
      [open({ partitions: 1 }), 'Invalid partitions: must be a whole number from 2 to 64, not 1.'],
      [open({ partitions: 65 }), 'Invalid partitions: must be a whole number from 2 to 64, not 65.'],
      [open({ partitions: 2.5 }), 'Invalid partitions: must be a whole number from 2 to 64, not 2.5.'],
      [open({ partitions: '8' }), "Invalid partitions: must be a whole number from 2 to 64, not '8'."],
      [open({ shema: 'x' }), expect.stringMatching(/did you mean 'schema'\?$/)],
      [open({ driver: {} }), 'Invalid driver: must be a function that opens a pool, not an empty object.'],
    ])
  })
})

/** Mistakes of a program without types. */
const JUNK: readonly unknown[] = [
  undefined,
  null,
  0,
  Number.NaN,
  '',
  'x',
  true,
  7n,
  Symbol('x'),
  [],
  [null],
  {},
  { user: null },
  { id: {} },
  Object.create(null),
  new Date(Number.NaN),
  () => 7,
  new Map(),
]

/** Calls that answer line by line. */
function isLines(answer: unknown): answer is AsyncGenerator {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

describe('nothing but a GamificationError comes out of', () => {
  const describeJunk = (value: unknown): string => {
    try {
      return typeof value === 'symbol' ? 'a symbol' : `${typeof value} ${JSON.stringify(value)}`
    } catch {
      return typeof value
    }
  }

  /** Calls every function of the object with every value in every place; answers what came out that is none. */
  async function strangersOf(api: object, isAsync: boolean, name = ''): Promise<readonly string[]> {
    const strangers: string[] = []
    for (const [key, part] of Object.entries(api)) {
      if (['close', 'committed', 'game', 'logger', 'on', 'work'].includes(key)) continue
      if (typeof part === 'object') strangers.push(...(await strangersOf(part, isAsync, `${name}${key}.`)))
      if (typeof part !== 'function') continue
      for (const value of JUNK) {
        for (const args of [
          [value],
          ['18', value],
          ['words', { user: { id: '18' }, value: 1 }, value],
          ['18', 'words', value],
        ]) {
          try {
            const answer: unknown = part(...args)
            if (isLines(answer)) await answer.next()
            else if (isAsync && key !== 'tenant' && !(answer instanceof Promise))
              strangers.push(`${name}${key} answers at once`)
            await answer
          } catch (error) {
            const told = untyped<{ name: string; code: string }>(error)
            if (told.name === 'GamificationError' && !['internal', 'outcome_unknown'].includes(told.code)) continue
            strangers.push(`${name}${key}(${args.map(describeJunk).join(', ')}): ${String(error)}`)
          }
        }
      }
    }
    return strangers
  }

  test('the methods, whatever they are given', async () => {
    const engine = create({})
    const { within, forRequest, work, ...methods } = engine
    expect(await strangersOf(methods, true)).toEqual([])
  })

  test('work, which goes on until the engine is closed', async () => {
    for (const value of JUNK) {
      const engine = create({})
      const working = engine.work(untyped(value)).catch((error: unknown) => untyped<{ name: string }>(error).name)
      await engine.close()
      expect([undefined, 'GamificationError'], describeJunk(value)).toContain(await working)
    }
  })

  test('on()', async () => {
    const engine = create({})
    await expectRefusals('invalid_request', [
      [
        () => engine.on(untyped<'user.created'>('user.craeted'), () => undefined),
        "There is no event 'user.craeted'; did you mean 'user.created'?",
      ],
      [() => engine.on('user.created', untyped(7)), 'Invalid handler: must be a function, not 7.'],
    ])
    for (const value of JUNK) {
      expect(await refusalOf(() => engine.on(untyped<'user.created'>(value), () => undefined))).toMatchObject({
        code: 'invalid_request',
      })
    }
  })
})
