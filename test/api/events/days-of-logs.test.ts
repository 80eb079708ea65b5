import Database from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type GameDefinition } from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { extendStorage } from '../../support/extend-storage.ts'

const HOUR = 3_600_000
const START = Date.parse('2024-01-01T00:00:00Z')
const LINES = 4_500
/** 187 days and a half later: 6 July, noon. */
const NOW = START + LINES * HOUR

const definition = {
  metrics: { words: { name: 'Words' } },
  eventAttributes: ['source'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 3 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    ever: { name: 'Ever', rankBy: 'metric', metric: 'words', start: '2024-01-01' },
    monthly: {
      name: 'Monthly',
      rankBy: 'points',
      system: 'xp',
      start: '2024-01-01',
      run: { unit: 'month', interval: 1 },
    },
  },
} as const satisfies GameDefinition

/** Calls in the midst of a read. */
interface Between {
  /** After so many reads of snapshots. */
  reads: number
  call: () => Promise<unknown>
}

interface Lines {
  read: number
  /** How many of them whole, to be folded. */
  folded: number
  between: Between | null
}

function watched(storage: Storage, lines: Lines, hasSnapshots: boolean): Storage {
  return extendStorage(storage, (storage) => ({
    readSnapshot: async (key, until) => {
      const { between } = lines
      if (between !== null) between.reads -= 1
      if (between?.reads === 0) {
        lines.between = null
        await between.call()
      }
      return hasSnapshots ? storage.readSnapshot(key, until) : null
    },
    readLog: async (key, options) => {
      const chunk = await storage.readLog(key, options)
      lines.read += chunk.length
      lines.folded += chunk.length
      return chunk
    },
    eventValues: async (tenant, options) => {
      const part = await storage.eventValues(tenant, options)
      if (options?.of !== undefined) lines.read += part.values.length
      return part
    },
    readEvents: async (key, options) => {
      const part = await storage.readEvents(key, options)
      lines.read += part.events.length
      return part
    },
    awardValues: async (tenant, options) => {
      const part = await storage.awardValues(tenant, options)
      if (options?.of !== undefined) lines.read += part.values.length
      return part
    },
  }))
}

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function engineOn(storage: Storage, given: GameDefinition = definition) {
  const engine = createGamification({
    game: defineGame(given as typeof definition),
    storage,
    clock: () => new Date(NOW),
  })
  opened.push(engine)
  return engine
}

/** One event an hour of one user, who has a snapshot after every thousand; `blind` reads no snapshots. */
async function openWorld(count: number = LINES, first: number = START, given: GameDefinition = definition) {
  const database = new Database(':memory:')
  const storage = sqlite(database)
  const lines: Lines = { read: 0, folded: 0, between: null }
  const engine = engineOn(watched(storage, lines, true), given)
  const blind = engineOn(watched(storage, { read: 0, folded: 0, between: null }, false), given)
  await engine.migrate()
  const items = Array.from({ length: count }, (_, index) => {
    return { metric: 'words', user: { id: 'ann' }, value: 1, occurredAt: new Date(first + index * HOUR) } as const
  })
  expect(await engine.import(items)).toMatchObject({ recorded: count })
  lines.read = 0
  lines.folded = 0
  return { engine, blind, lines, storage, database }
}

const daily = (startDate: string, endDate: string) => ({ aggregation: 'daily', startDate, endDate }) as const
const at = (text: string): Date => new Date(text)

describe('Of a log of 4,500 entries', () => {
  test('the history of a place reads back from one snapshot to the one before until it has enough days', async () => {
    const { engine, lines } = await openWorld()
    const { history } = await engine.users.leaderboard('ann', 'ever', { numEvents: 2 })
    expect(history).toEqual([
      {
        date: '2024-07-05',
        timestamp: '2024-07-05T23:00:00.000Z',
        previousRank: null,
        rank: null,
        previousValue: 4_464,
        value: 4_488,
      },
      {
        date: '2024-07-06',
        timestamp: '2024-07-06T11:00:00.000Z',
        previousRank: null,
        rank: 1,
        previousValue: 4_488,
        value: 4_500,
      },
    ])
    expect(lines.read).toBe(500)
    lines.read = 0
    // The newest snapshot is of 15 June: 30 days reach into the part before it.
    const days = (await engine.users.leaderboard('ann', 'ever', { numEvents: 30 })).history
    expect([days.length, days[0]?.date, days[0]?.previousValue]).toEqual([30, '2024-06-07', 3_792])
    expect(lines.read).toBe(1_500)
    expect(days.every(({ previousValue, value }, index) => index === 29 || value - (previousValue ?? 0) === 24)).toBe(
      true,
    )
  })

  test('the awards of one event are one change of a place, which there is not where they cancel out', async () => {
    const { xp } = definition.points
    const [trigger] = xp.triggers
    const triggers = [
      { ...trigger, points: 5 },
      { ...trigger, points: -5, eventAttributes: { source: 'refund' } },
    ]
    const { engine, blind, lines } = await openWorld(LINES, START, {
      ...definition,
      points: { xp: { ...xp, triggers } },
    } as never)
    const event = { user: { id: 'ann' }, value: 1, attributes: { source: 'refund' } }
    await engine.metrics.event('words', { ...event, occurredAt: new Date(NOW - 20 * 60_000) })
    await engine.metrics.event('words', event)
    lines.folded = 0
    const { history } = await engine.users.leaderboard('ann', 'monthly', { numEvents: 1 })
    expect(history).toMatchObject([
      { date: '2024-07-06', timestamp: '2024-07-06T11:00:00.000Z', previousValue: 600, value: 660 },
    ])
    expect(lines.folded).toBe(0)
    expect(history).toEqual((await blind.users.leaderboard('ann', 'monthly', { numEvents: 1 })).history)
  })

  test('the history of a place is folded where a game was deployed behind the snapshot', async () => {
    const { storage, lines } = await openWorld()
    const { xp } = definition.points
    const dearer = { ...xp, triggers: [{ ...xp.triggers[0], points: 5 }] }
    const next = engineOn(watched(storage, lines, true), { ...definition, points: { xp: dearer } } as never)
    await next.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    lines.folded = 0
    const { history } = await next.users.leaderboard('ann', 'monthly', { numEvents: 2 })
    expect(history).toMatchObject([
      { date: '2024-07-05', previousValue: 288, value: 360 },
      { date: '2024-07-06', previousValue: 360, value: 360 + 36 + 5 },
    ])
    expect(lines.folded).toBe(501)
  })

  test('a year in review reads that year and the one before', async () => {
    const first = Date.parse('2020-07-01T00:00:00Z')
    const { engine, blind, lines } = await openWorld(4_500, first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 5 })
    lines.read = 0
    const { activity } = await engine.users.wrapped('ann')
    expect(activity.entireYear.metrics.words).toMatchObject({
      name: 'Words',
      currentTotal: 4_505,
      changeThisPeriod: 5,
      percentChange: 100,
      byAttribute: {},
    })
    expect(lines.read).toBe(2)
    const [ours, whole] = [
      await engine.users.wrapped('ann', { year: 2021 }),
      await blind.users.wrapped('ann', { year: 2021 }),
    ]
    expect(ours).toEqual(whole)
  })
})

describe('Reads of days', () => {
  test.each([
    ['text', `state = replace(state, '"total":4000', '"total":4001')`],
    ['place', 'at = at - 3600000, seq = seq - 1'],
    ['count', 'lines = 4500'],
    ['epoch', 'baseline = 1'],
  ])('are right with a snapshot of another %s', async (_, change) => {
    const { engine, blind, database } = await openWorld()
    const { changes } = database.prepare(`update laurels_snapshots set ${change} where lines = 4000`).run()
    expect(changes).toBe(1)
    const range = daily('2024-07-05', '2024-07-06')
    for (const call of [
      (each: typeof engine) => each.users.metricEventSummary('ann', 'words', range),
      (each: typeof engine) => each.users.pointsEventSummary('ann', 'xp', range),
      (each: typeof engine) => each.users.leaderboard('ann', 'ever', { numEvents: 40 }),
    ]) {
      expect(await call(engine)).toEqual(await call(blind))
    }
  })

  test('have an event of a zone far ahead, and one of a zone far behind, on their dates', async () => {
    const { engine, storage } = await openWorld(994, NOW - 2_000 * HOUR)
    const write = (tz: string, occurredAt: Date, value: number) =>
      engine.metrics.event('words', { user: { id: 'ann', tz }, value, occurredAt })
    // The thousandth line, and with it the snapshot, is of 1 July, though in UTC it is 30 June.
    const ahead = (hours: number) => new Date(Date.parse('2024-06-30T10:00:00Z') + hours * HOUR)
    for (let hour = 0; hour < 6; hour += 1) await write('Pacific/Kiritimati', ahead(hour), 10)
    expect(await storage.readSnapshot({ tenant: '', user: 'ann' }, NOW)).toMatchObject({ at: +ahead(5) })
    await write('Pacific/Honolulu', at('2024-07-03T09:00:00Z'), 100)
    expect(await engine.users.metricEventSummary('ann', 'words', daily('2024-07-01', '2024-07-02'))).toEqual([
      { date: '2024-07-01', total: 1_054, change: 60 },
      { date: '2024-07-02', total: 1_154, change: 100 },
    ])
    expect((await engine.users.leaderboard('ann', 'ever', { numEvents: 2 })).history).toMatchObject([
      { date: '2024-07-01', previousValue: 994, value: 1_054 },
      { date: '2024-07-02', previousValue: 1_054, value: 1_154 },
    ])
  })

  test('of a place are those of one log where it is changed between two parts of it', async () => {
    const { engine, blind, lines, storage } = await openWorld()
    const other = engineOn(storage)
    const event = { user: { id: 'ann' }, value: 7, idempotencyKey: 'k', occurredAt: at('2024-06-10T12:30:00Z') }
    await other.metrics.event('words', event)
    const before = (await blind.users.leaderboard('ann', 'ever', { numEvents: 60 })).history
    lines.between = { reads: 2, call: () => other.events.void({ user: 'ann', metric: 'words', idempotencyKey: 'k' }) }
    const { history } = await engine.users.leaderboard('ann', 'ever', { numEvents: 60 })
    expect(lines.between).toBeNull()
    const after = (await blind.users.leaderboard('ann', 'ever', { numEvents: 60 })).history
    expect(after).not.toEqual(before)
    const withoutRanks = history.map(({ rank: _, ...item }) => item)
    expect(withoutRanks).toEqual(after.map(({ rank: _, ...item }) => item))
  })

  test('of a run have the days after a date to which a newer game has shortened it', async () => {
    const { storage, engine } = await openWorld()
    const { ever } = definition.leaderboards
    const shortened = engineOn(storage, {
      ...definition,
      leaderboards: { ever: { ...ever, end: '2024-03-01' } },
    } as never)
    expect((await engine.users.leaderboard('ann', 'ever')).history.at(-1)).toMatchObject({ date: '2024-07-06' })
    expect((await shortened.users.leaderboard('ann', 'ever')).history.at(-1)).toMatchObject({ date: '2024-07-06' })
  })

  test('of a user who was not folded under a game that replaces all before are those of that game', async () => {
    const { engine, blind, storage } = await openWorld()
    const { xp } = definition.points
    const dearer = { ...xp, triggers: [{ ...xp.triggers[0], points: 5 }] }
    const [stored] = await storage.games()
    if (stored === undefined) throw new Error('There is a game')
    const next = engineOn(storage, { ...definition, points: { xp: dearer } } as never)
    await next.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    const games = await storage.games()
    await storage.addGame({ ...(games.at(-1) ?? stored), epoch: games.length + 1, policy: 'recompute' })
    for (const each of [engine, blind]) await each.games.current()
    const range = daily('2024-07-05', '2024-07-06')
    for (const call of [
      (each: typeof engine) => each.users.leaderboard('ann', 'monthly', { run: '2024-06-01', numEvents: 3 }),
      (each: typeof engine) => each.users.pointsEventSummary('ann', 'xp', range),
      (each: typeof engine) => each.users.metricEventSummary('ann', 'words', range),
    ]) {
      expect(await call(engine)).toEqual(await call(blind))
    }
  })
})
