// Reads of long logs yield to the event loop: the tests count chunks and lines, never time.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { EntryRow } from '../../src/sql/entry-rows.ts'
import { loadEvents, loadEventValues, loadLog, loadMetricValues } from '../../src/sql/log.ts'
import { type Around, aroundQueries, aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-01-01T00:00:00Z')
const LINES = 8_010

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100 } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' },
    window: {
      name: 'Window',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      startTime: '00:00',
      endTime: '23:00',
    },
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
  },
})

interface Watch {
  lines: number
  chunks: number
}

/** Counts the chunks that are read of logs. */
function watched(storage: Storage, watch: Watch, onChunk: () => void): Storage {
  const count = (lines: number): void => {
    watch.lines += lines
    watch.chunks += 1
    onChunk()
  }
  const counted: Around = async (run) => {
    const rows: readonly unknown[] = await run()
    count(rows.length)
    return rows
  }
  return extendStorage(
    storage,
    aroundQueries([
      [(storage) => loadLog(storage, NOBODY), counted],
      [(storage) => loadEvents(storage, NOBODY), counted],
      [(storage) => loadMetricValues(storage, NOBODY, ''), counted],
      [(storage) => loadEventValues(storage, ''), counted],
    ]),
  )
}

const NOBODY = { tenant: '', user: '' }

type Opened = Awaited<ReturnType<typeof open>>

const READS: { readonly [name: string]: (engine: Opened['engine']) => Promise<unknown> } = {
  'the own place by streak': (engine) => engine.users.leaderboard('ann', 'streaks', { numEvents: 100 }),
  'the own place on a board with a window': (engine) => engine.users.leaderboard('ann', 'window', { numEvents: 100 }),
  'the own place by a metric': (engine) => engine.users.leaderboard('ann', 'words', { numEvents: 100 }),
  'a year in review': (engine) => engine.users.wrapped('ann'),
  'what became of a streak': (engine) => engine.explain('ann', { streak: '2026-10-01' }),
  'an export': async (engine) => {
    for await (const _ of engine.users.export('ann'));
  },
}

async function open(onChunk: () => void, logs: Storage = memory(), create = createGamification) {
  const watch: Watch = { lines: 0, chunks: 0 }
  const now = START + LINES * HOUR
  const storage = watched(logs, watch, onChunk)
  const engine = create({ game, storage, clock: () => new Date(now) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  await engine.import(
    Array.from({ length: LINES }, (_, index) => ({
      metric: 'words' as const,
      user: { id: 'ann', tz: 'UTC' },
      value: 1,
      occurredAt: new Date(START + index * HOUR),
    })),
  )
  watch.lines = 0
  watch.chunks = 0
  return { engine, watch }
}

test('An explanation of a completed achievement reads one line of a long log', async () => {
  const { engine, watch } = await open(() => undefined)
  const { holds, reasons } = await engine.explain('ann', { achievement: 'hundred' })
  expect({ holds, reasons }).toMatchObject({
    holds: true,
    reasons: [{ type: 'completed', by: 'event', metric: 'words' }],
  })
  expect(watch).toEqual({ lines: 1, chunks: 1 })
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('While a log of 8,010 entries is read whose chunks take 10 ms each, at most two are read in one turn', () => {
  test.each(Object.entries(READS))('for %s', async (_, read) => {
    let time = 0
    let inTurn = 0
    let most = 0
    const { engine, watch } = await open(() => {
      time += 10
      inTurn += 1
      most = Math.max(most, inTurn)
    })
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    inTurn = 0
    most = 0
    let isOver = false
    const done = read(engine).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await nextTurn()
      inTurn = 0
    }
    await done
    expect(watch.chunks).toBeGreaterThan(6)
    expect(most).toBeLessThanOrEqual(2)
  })
})

/** An engine of its own copy of the modules, in which each line that is read goes through `see`. */
async function openSeeing(see: (line: Entry) => Entry): Promise<Opened> {
  vi.resetModules()
  vi.doMock('../../src/sql/entry-rows.ts', async (original) => {
    const rows = await original<typeof import('../../src/sql/entry-rows.ts')>()
    return { ...rows, fromEntryRow: (row: EntryRow) => see(rows.fromEntryRow(row)) }
  })
  onTestFinished(() => {
    vi.doUnmock('../../src/sql/entry-rows.ts')
    vi.resetModules()
  })
  const storages = await import('../../adapters/memory/index.ts')
  const { createGamification: create } = await import('../../src/index.ts')
  return open(() => undefined, storages.memory(), create)
}

const FOLDS: typeof READS = {
  'the own place by streak': (engine) => engine.users.leaderboard('ann', 'streaks', { numEvents: 100 }),
  'what became of a streak': (engine) => engine.explain('ann', { streak: '2026-10-01' }),
  'what if': (engine) => engine.whatIf(game),
  verify: (engine) => engine.verify(),
}

describe('While a log is folded whose lines take 10 ms each, at most one is folded in one turn', () => {
  test.each(Object.entries(FOLDS))('for %s', async (_, read) => {
    let time = 0
    let inTurn = 0
    let most = 0
    let isCounting = false
    const folded = new Set<number>()
    const seen = (line: Entry): Entry => {
      const { kind, seq } = line
      return Object.defineProperty({ ...line }, 'kind', {
        enumerable: true,
        get: () => {
          if (isCounting && !folded.has(seq)) {
            folded.add(seq)
            time += 10
            inTurn += 1
            most = Math.max(most, inTurn)
          }
          return kind
        },
      })
    }
    const { engine } = await openSeeing(seen)
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    isCounting = true
    let isOver = false
    const done = read(engine).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await nextTurn()
      inTurn = 0
    }
    await done
    expect(folded.size).toBeGreaterThan(900)
    expect(most).toBe(1)
  })

  test('and a walk whose caller has gone ends within the log', async () => {
    const gone = new AbortController()
    let time = 0
    const storage = extendStorage(
      memory(),
      aroundQuery(
        (storage) => loadLog(storage, NOBODY),
        async (run) => {
          const lines = await run()
          time += 10
          gone.abort(new Error('gone'))
          return lines
        },
      ),
    )
    const { engine, watch } = await open(() => undefined, storage)
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    await expect(engine.whatIf(game, { signal: gone.signal })).rejects.toThrow()
    expect(watch.lines).toBe(500)
  })
})

test('After a change of zone a read of the streak reads the log from a snapshot before the oldest shown period', async () => {
  const { engine, watch } = await open(() => undefined)
  await engine.users.update('ann', { tz: 'Pacific/Kiritimati' })
  watch.lines = 0
  const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 7 })
  expect(streakHistory.map(({ length }) => length)).toEqual([328, 329, 330, 331, 332, 333, 334])
  expect(watch.lines).toBeLessThan(2_100)
})
