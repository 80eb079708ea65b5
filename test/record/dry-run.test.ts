// The answers of a call that writes nothing.

import Database from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  type RecordOptions,
  type Storage,
} from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { codeOf, NOON, untyped } from '../support/engine.ts'

const DRY: RecordOptions = { dryRun: true }

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' }, hints: { name: 'Hints' }, old: { name: 'Old', status: 'archived' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    joined: { name: 'Joined', trigger: 'api' },
    closed: { name: 'Closed', trigger: 'api', status: 'locked' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'joined'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 5, points: 10 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -15, blockIfOutOfPoints: true },
        { type: 'achievement', achievement: 'both', points: 100 },
      ],
      levels: { silver: { name: 'Silver', points: 20 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: 2 },
    all: { name: 'All', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: null },
  },
}

interface World {
  readonly engine: Gamification<DefinedGame>
  readonly storage: Storage
  at(instant: string | number): void
  dump(): Promise<unknown>
  /** Expects that a call tried leaves nothing behind, then makes it: both answers are the same, ids included. */
  both<T>(call: (options: RecordOptions) => Promise<T>): Promise<T>
}

const opened: Gamification<DefinedGame>[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

async function open(definition: GameDefinition): Promise<World> {
  const database = new Database(':memory:')
  const storage = sqlite(database)
  const dumpAll = async (): Promise<unknown> => dump(database, { everything: true })
  let now = new Date(NOON)
  let made = 0
  const ids = (): string => {
    made += 1
    return `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`
  }
  const engine = createGamification<DefinedGame>({ game: defineGame(definition), storage, clock: () => now, ids })
  opened.push(engine)
  await engine.migrate()
  return {
    engine,
    storage,
    at: (instant) => {
      now = new Date(instant)
    },
    dump: dumpAll,
    both: async (call) => {
      const before = await dumpAll()
      const first = made
      const tried = await call(DRY)
      expect(await dumpAll()).toEqual(before)
      made = first
      const done = await call({})
      expect(tried).toEqual(done)
      return done
    },
  }
}

describe('A dry run', () => {
  const event = (world: World, user: string, value: number, rest: object = {}, options: RecordOptions = {}) =>
    world.engine.metrics.event('words', { user: { id: user }, value, ...rest }, options)

  test.each([
    ['unknown_metric', 'nope', {}],
    ['metric_archived', 'old', {}],
    ['out_of_points', 'hints', {}],
    ['value_out_of_range', 'words', { value: 2e15 }],
    ['total_out_of_range', 'words', { value: 1e15 }],
    ['total_out_of_range', 'words', { value: 1e15, occurredAt: new Date('2026-03-01T12:00:00Z') }],
    ['occurred_at_out_of_range', 'words', { occurredAt: new Date('2026-03-11T12:00:00Z') }],
    ['invalid_idempotency_key', 'words', { idempotencyKey: 'a b' }],
    ['unknown_attribute', 'words', { attributes: { colour: 'red' } }],
    ['unknown_time_zone', 'words', { user: { id: 'ann', tz: 'Mars/Base' } }],
    ['invalid_request', 'words', { value: untyped<number>('7') }],
  ])('is refused as the call would be: %s', async (code, metric, rest) => {
    const world = await open(GAME)
    await event(world, 'ann', 7)
    const refusal = await world.both(async (options) => {
      const call = world.engine.metrics.event(metric, { user: { id: 'ann' }, value: 1, ...rest }, options)
      return call.then(
        () => null,
        (error: Error & { code: string }) => ({ code: error.code, message: error.message }),
      )
    })
    expect(refusal).toMatchObject({ code })
  })

  test('answers what the call does, ids included, and writes nothing', async () => {
    const world = await open({
      ...GAME,
      streak: { frequency: 'daily', metrics: { words: {} }, freezes: { max: 1, initial: 1 } },
    })
    const { engine } = world
    const both = (user: string, value: number, rest: object = {}) =>
      world.both((options) => event(world, user, value, rest, options))
    expect(await both('ann', 4)).toMatchObject({ total: 4, currentStreak: { length: 1, extended: true } })
    expect(await both('bob', 6, { user: { id: 'bob', tz: 'Asia/Tokyo', attributes: { plan: 'pro' } } })).toMatchObject({
      points: { xp: { added: 10 } },
      leaderboards: { top: { rank: 1 }, all: { rank: 1 } },
    })
    expect(await both('ann', 8, { idempotencyKey: 'k', attributes: { source: 'web' } })).toMatchObject({
      achievements: [{ key: 'ten' }],
      points: { xp: { total: 20, level: { key: 'silver' } } },
      leaderboards: { top: { rank: 1, previousRank: 2 } },
    })
    expect(await both('ann', 9, { idempotencyKey: 'k' })).toMatchObject({ total: 12, idempotentReplayed: true })
    const complete = (options: RecordOptions) =>
      engine.achievements.complete('joined', { user: { id: 'ann' } }, options)
    expect(await world.both(complete)).toMatchObject({ points: { xp: { added: 100, total: 120 } } })
    expect(await world.both(complete)).toMatchObject({ points: {} })
    world.at('2026-03-13T12:00:00Z')
    expect(await both('ann', 1, { occurredAt: new Date('2026-03-11T12:00:00Z') })).toMatchObject({ total: 13 })
    expect(await both('ann', 1)).toMatchObject({ total: 14, currentStreak: { length: 3 } })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('calls no handler', async () => {
    const world = await open(GAME)
    const heard: string[] = []
    for (const name of ['user.created', 'achievement.completed', 'points.changed', 'streak.started'] as const) {
      world.engine.on(name, () => void heard.push(name))
    }
    await event(world, 'ann', 10, {}, DRY)
    await world.engine.achievements.complete('joined', { user: { id: 'ann' } }, DRY)
    await new Promise((resolve) => setImmediate(resolve))
    expect(heard).toEqual([])
    await event(world, 'ann', 10)
    expect(heard).toEqual(['user.created', 'achievement.completed', 'points.changed', 'streak.started'])
  })

  test('is judged under a game that another process stored meanwhile', async () => {
    const world = await open(GAME)
    await event(world, 'ann', 1)
    const generous: GameDefinition = {
      ...GAME,
      points: { xp: { name: 'XP', triggers: [{ ...TRIGGER, points: 1_000 }] } },
    }
    const other = createGamification<DefinedGame>({
      game: defineGame(generous),
      storage: world.storage,
      clock: () => new Date(NOON),
    })
    await other.migrate()
    expect(await event(world, 'ann', 4, {}, DRY)).toMatchObject({ points: { xp: { total: 1_000 } } })
  })
})

const TRIGGER = { type: 'metric', metric: 'words', threshold: 5, points: 10 } as const

describe('The option dryRun', () => {
  test('does not go with tx, and says so', async () => {
    const { engine } = await open(GAME)
    const tx = { committed: async () => undefined, afterCommit: () => undefined }
    const call = engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }, { dryRun: true, tx })
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'dryRun does not go with tx: a dry run writes nothing that a transaction could commit. Leave one out.',
    })
  })

  test('must be a boolean, for it could be meant either way', async () => {
    const { engine } = await open(GAME)
    const dryRun = untyped<boolean>('false')
    expect(await codeOf(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }, { dryRun }))).toBe(
      'invalid_request',
    )
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('is refused by calls that cannot be tried, which then write nothing', async () => {
    const { engine } = await open(GAME)
    expect(await codeOf(engine.users.create({ id: 'ann' }, untyped(DRY)))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })
})
