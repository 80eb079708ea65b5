// A save of more rows than one turn of the event loop has time for: SQLite writes it in several, as one transaction.

import { describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import type { Decide } from '../../src/storage.ts'
import { codeOf } from '../support/engine.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

const ENTRIES = 3_000
const HOUR = 3_600_000
const START = Date.parse('2024-01-01T00:00:00.000Z')
const NOW = START + ENTRIES * HOUR

/** Every event is paid, so a late one changes the total after each of the awards behind it. */
const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 2 }] } },
  leaderboards: { ever: { name: 'Ever', rankBy: 'metric', metric: 'words', start: '2023-01-01' } },
}

async function openLong(storage: Storage) {
  const engine = createGamification({ game: defineGame(GAME), storage, clock: () => new Date(NOW) })
  await engine.migrate()
  const { recorded } = await engine.import(
    Array.from({ length: ENTRIES }, (_, index) => {
      return { metric: 'words', user: { id: 'ann' }, value: 1, occurredAt: new Date(START + index * HOUR) } as const
    }),
  )
  expect(recorded).toBe(ENTRIES)
  return engine
}

/** How often the event loop turns until `work` has ended. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let [isDone, turns] = [false, 0]
  const ended = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  await ended
  return turns
}

describe.each([
  ['a file', () => nextFile()],
  ['memory', () => ':memory:'],
])('In %s', (_, place) => {
  test('a late event at the beginning is stored while others read and wait to write', async () => {
    const engine = await openLong(sqlite(place()))
    const late = engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt: new Date(START - HOUR) })
    const others = Array.from({ length: 20 }, (_, index) =>
      engine.metrics.event('words', { user: { id: `bob-${index % 5}` }, value: 1 }),
    )
    const seen: number[] = []
    const reading = (async () => {
      let isOver = false
      late.finally(() => {
        isOver = true
      })
      while (!isOver) {
        seen.push((await engine.users.points('ann', 'xp')).total)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    expect((await late).total).toBe(ENTRIES + 1)
    await Promise.all([...others, reading])
    // Before it was stored nobody saw any of it.
    expect([...new Set(seen)].sort()).toEqual(expect.arrayContaining([2 * ENTRIES]))
    expect(seen.every((total) => total === 2 * ENTRIES || total === 2 * ENTRIES + 2)).toBe(true)
    expect((await engine.users.points('ann', 'xp')).total).toBe(2 * ENTRIES + 2)
    const { rankings } = await engine.leaderboards.get('ever')
    expect(rankings.map(({ userId, value }) => [userId, value]).slice(0, 2)).toEqual([
      ['ann', ENTRIES + 1],
      ['bob-0', 4],
    ])
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    expect((await engine.verify()).drift).toEqual([])
    await engine.close()
  })
})

describe('In a file', () => {
  /** A save that puts all awards of a user anew, and one line. */
  async function openSave(file: string) {
    const storage = sqlite(file)
    const engine = await openLong(storage)
    const { state, awards } = await storage.readUser({ tenant: '', user: 'ann' }, { awards: {} })
    if (state === null) throw new Error('There is no user')
    const anew = awards.map((award) => ({ ...award, total: award.total + 2 }))
    const points = new Map([['xp', { total: 2 * ENTRIES + 2, level: null }]])
    const decide: Decide = ([user]) => {
      if (user?.state == null) return [null]
      const rows = { awards: { remove: awards, put: anew }, periods: { remove: [], put: [] } }
      const places = { leaderboards: { remove: [], put: [] }, unlimited: [], ranks: [], counted: [] }
      return [{ before: user.state, after: { ...user.state, points }, appended: [], redated: [], ...rows, ...places }]
    }
    const commit = (deadline?: number) => storage.commit([{ tenant: '', user: 'ann', lookups: [] }], decide, deadline)
    const totals = async () => {
      const { awards, state } = await storage.readUser({ tenant: '', user: 'ann' }, { awards: {} })
      return [state?.points.get('xp')?.total, awards.at(-1)?.total, awards[0]?.total]
    }
    return { engine, commit, totals }
  }

  test('it is written in several turns of the event loop, and then all of it is there', async () => {
    const { engine, commit, totals } = await openSave(nextFile())
    expect(await turnsOf(commit())).toBeGreaterThan(3)
    expect((await totals()).map(Number).sort((a, b) => a - b)).toEqual([4, 2 * ENTRIES + 2, 2 * ENTRIES + 2])
    await engine.close()
  })

  test('once its time is over nothing of it is stored, and the next call finds the database free', async () => {
    const { engine, commit, totals } = await openSave(nextFile())
    const before = await totals()
    expect(await codeOf(commit(performance.now() + 15))).toBe('unavailable')
    // What would go on would do so in these turns.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await totals()).toEqual(before)
    const answer = await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    expect(answer.total).toBe(ENTRIES + 1)
    expect((await engine.verify()).drift).toEqual([])
    await engine.close()
  })
})
