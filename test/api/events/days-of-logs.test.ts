import Database from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type GameDefinition } from '../../../src/index.ts'
import { loadSystemValues } from '../../../src/sql/awards.ts'
import { loadEvents, loadLog, loadMetricValues } from '../../../src/sql/log.ts'
import { loadSnapshot } from '../../../src/sql/read-user.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { type Around, aroundQueries } from '../../support/around-query.ts'
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
  /** Values and whole entries. */
  read: number
  /** Whole entries, for a replay. */
  replayed: number
  between: Between | null
}

const NOBODY = { tenant: '', user: '' }

function watched(storage: Storage, lines: Lines, hasSnapshots: boolean): Storage {
  const counted: Around = async (run) => {
    const rows: readonly unknown[] = await run()
    lines.read += rows.length
    return rows
  }
  return extendStorage(
    storage,
    aroundQueries([
      [
        (storage) => loadSnapshot(storage, NOBODY, 0),
        async (run, { until }: { readonly until: number }) => {
          // Postgres refuses other numbers.
          if (!Number.isSafeInteger(until)) throw new RangeError(`There is no millisecond ${until}`)
          const { between } = lines
          if (between !== null) between.reads -= 1
          if (between?.reads === 0) {
            lines.between = null
            await between.call()
          }
          return hasSnapshots ? run() : []
        },
      ],
      [
        (storage) => loadLog(storage, NOBODY),
        async (run) => {
          const rows: readonly unknown[] = await run()
          lines.read += rows.length
          lines.replayed += rows.length
          return rows
        },
      ],
      [(storage) => loadMetricValues(storage, NOBODY, ''), counted],
      [(storage) => loadEvents(storage, NOBODY), counted],
      [(storage) => loadSystemValues(storage, NOBODY, ''), counted],
    ]),
  )
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
  const lines: Lines = { read: 0, replayed: 0, between: null }
  const engine = engineOn(watched(storage, lines, true), given)
  const blind = engineOn(watched(storage, { read: 0, replayed: 0, between: null }, false), given)
  await engine.migrate()
  const items = Array.from({ length: count }, (_, index) => {
    return { metric: 'words', user: { id: 'ann' }, value: 1, occurredAt: new Date(first + index * HOUR) } as const
  })
  expect(await engine.import(items)).toMatchObject({ recorded: count })
  lines.read = 0
  lines.replayed = 0
  return { engine, blind, lines, storage, database }
}

const NO_RANKS = { previousRank: null, rank: null }
const daily = (startDate: string, endDate: string) => ({ aggregation: 'daily', startDate, endDate }) as const

describe('Of a log of 4,500 entries', () => {
  test('the history of a place reads back from one snapshot to the one before until it has enough days', async () => {
    const { engine, lines } = await openWorld()
    const { history } = await engine.users.leaderboard('ann', 'ever', { numEvents: 2 })
    expect(history).toEqual([
      { ...NO_RANKS, date: '2024-07-05', timestamp: '2024-07-05T23:00:00.000Z', previousValue: 4_464, value: 4_488 },
      {
        ...NO_RANKS,
        date: '2024-07-06',
        timestamp: '2024-07-06T11:00:00.000Z',
        previousValue: 4_488,
        value: 4_500,
        rank: 1,
      },
    ])
    expect(lines.read).toBe(500)
    lines.read = 0
    // The newest snapshot is of 15 June: 30 days reach into the part before it.
    const days = (await engine.users.leaderboard('ann', 'ever', { numEvents: 30 })).history
    expect([days.length, days[0]?.date, days[0]?.previousValue]).toEqual([30, '2024-06-07', 3_792])
    // 500 from the newest snapshot, then 1,500 from one further back.
    expect(lines.read).toBe(2_000)
    expect(days.every(({ previousValue, value }, index) => index === 29 || value - (previousValue ?? 0) === 24)).toBe(
      true,
    )
  })

  test('the history of many days reads back as far as these days seem to need', async () => {
    const { engine, lines } = await openWorld()
    const { history } = await engine.users.leaderboard('ann', 'ever', { numEvents: 46 })
    expect([history.length, history[0]?.date]).toEqual([46, '2024-05-22'])
    // 500 from the newest snapshot, then at once all that 46 days have.
    expect(lines.read).toBe(2_000)
    lines.read = 0
    expect((await engine.users.leaderboard('ann', 'ever', { numEvents: 100 })).history).toHaveLength(100)
    // 500 from the newest snapshot, then at once all that 100 days have. Values need no replay.
    expect([lines.read, lines.replayed]).toEqual([3_000, 0])
    // Seven days do not divide the time since the newest snapshot, and storages know whole milliseconds.
    const other = await openWorld(4_180)
    expect((await other.engine.users.leaderboard('ann', 'ever', { numEvents: 20 })).history).toHaveLength(20)
  })

  test('the history of a young log reads all of it', async () => {
    const { engine, lines } = await openWorld(1_500, NOW - 1_500 * HOUR)
    expect((await engine.users.leaderboard('ann', 'ever', { numEvents: 100 })).history).toHaveLength(63)
    // 500 from the newest snapshot, then all, and the first entry, which names its game.
    expect([lines.read, lines.replayed]).toEqual([2_001, 1])
  })

  test('the history of a user who stayed away reads no further back for it', async () => {
    const { engine, lines } = await openWorld(3_000)
    const { history } = await engine.users.leaderboard('ann', 'ever', { numEvents: 1 })
    expect(history).toMatchObject([{ date: '2024-05-04', value: 3_000 }])
    // The newest snapshot is behind the last entry: the lines before it are read, and no others.
    expect(lines.read).toBe(1_000)
  })

  test('a leaderboard that a deploy did not touch needs no replay, and one that a deploy began again does', async () => {
    const { lines, storage } = await openWorld()
    const { ever, monthly } = definition.leaderboards
    const next = engineOn(watched(storage, lines, true), {
      ...definition,
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
      leaderboards: { ever: { ...ever, maxParticipants: 5 }, monthly: { ...monthly, start: '2024-02-01' } },
    })
    await next.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    lines.replayed = 0
    const places = [
      await next.users.leaderboard('ann', 'ever', { numEvents: 1 }),
      await next.users.leaderboard('ann', 'monthly', { numEvents: 1 }),
    ]
    expect(places.map(({ history }) => history.map(({ date, value }) => [date, value]))).toEqual([
      [['2024-07-06', 4_501]],
      [['2024-07-06', 399]],
    ])
    expect(lines.replayed).toBe(501)
  })

  test('the awards of one event are one change of a place, which there is not where they cancel out', async () => {
    const { xp } = definition.points
    const [trigger] = xp.triggers
    const triggers = [
      { ...trigger, points: 5 },
      { ...trigger, points: -5, eventAttributes: { source: 'refund' } },
    ]
    const { engine, blind } = await openWorld(LINES, START, {
      ...definition,
      points: { xp: { ...xp, triggers } },
    } as never)
    const event = { user: { id: 'ann' }, value: 1, attributes: { source: 'refund' } }
    await engine.metrics.event('words', { ...event, occurredAt: new Date(NOW - 20 * 60_000) })
    await engine.metrics.event('words', event)
    const { history } = await engine.users.leaderboard('ann', 'monthly', { numEvents: 1 })
    expect(history).toMatchObject([
      { date: '2024-07-06', timestamp: '2024-07-06T11:00:00.000Z', previousValue: 600, value: 660 },
    ])
    expect(history).toEqual((await blind.users.leaderboard('ann', 'monthly', { numEvents: 1 })).history)
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
})
