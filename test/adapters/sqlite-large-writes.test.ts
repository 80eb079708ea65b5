// What writes thousands of rows to a file leaves turns to the event loop; others read meanwhile.

import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type SqliteDriver, sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Gamification } from '../../src/index.ts'
import { listeningDriver } from '../support/listening-driver.ts'
import { times } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

const EVENTS = 5_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const MINUTE = 60_000

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 2, points: 1 }] } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null } },
})

/**
 * better-sqlite3, and the most statements that were run in one turn of the event loop since `begin`. `onRow` is called
 * before each, with its number since then.
 */
function countingDriver(onRow: (rows: number) => void): {
  readonly Driver: SqliteDriver
  begin(): void
  most(): number
} {
  let [turn, most, rows] = [0, 0, Number.NaN]
  const count = (): void => {
    rows += 1
    onRow(rows)
    if (turn === 0) setImmediate(() => (turn = 0))
    turn += 1
    most = Math.max(most, turn)
  }
  const begin = (): void => {
    most = 0
    rows = 0
  }
  return { Driver: listeningDriver(['run'], count), begin, most: () => most }
}

/** Ann's thousands of events, of which every second gave a point. */
async function open(
  file = nextFile(),
  onRow: (rows: number) => void = () => undefined,
): Promise<{ readonly engine: Gamification<typeof game>; begin(): void; most(): number }> {
  const { Driver, begin, most } = countingDriver(onRow)
  const storage = sqlite(file, { synchronous: 'NORMAL', driver: async () => Driver })
  const engine = createGamification({ game, storage, clock: () => new Date(START + 1_000 * 86_400_000) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  const item = (n: number) => ({
    ...{ metric: 'words' as const, user: { id: 'ann' }, value: 1 },
    occurredAt: new Date(START + (n + 1) * MINUTE),
  })
  await engine.import(times(EVENTS, item))
  begin()
  return { engine, begin, most }
}

async function wordsOf(engine: Gamification<typeof game>, user: string): Promise<number> {
  const [words] = await engine.users.allMetrics(user)
  return words?.current ?? 0
}

/** Moves every award of Ann's to the entry before. */
const addFirst = (engine: Gamification<typeof game>, value = 1) =>
  engine.metrics.event('words', { user: { id: 'ann' }, value, occurredAt: new Date(START) })

test.runIf(process.platform === 'linux')(
  'a late event at the beginning writes at most some thousand rows in a turn, and all of them',
  async () => {
    const { engine, most } = await open()
    expect((await addFirst(engine)).total).toBe(EVENTS + 1)
    expect((await engine.users.points('ann', 'xp')).total).toBe(EVENTS / 2)
    expect(most()).toBeGreaterThan(500)
    expect(most()).toBeLessThan(1_500)
    expect((await engine.verify()).drift).toEqual([])
  },
)

test('where the host has a connection of its own, whose statements hold the event loop, it is written in one turn', async () => {
  const file = nextFile()
  const { engine, most } = await open(file)
  const host = new Database(file, { timeout: 2_000 })
  onTestFinished(() => void host.close())
  host.exec('create table notes (n)')
  let isDone = false
  const late = addFirst(engine).finally(() => {
    isDone = true
  })
  const refusals: unknown[] = []
  for (let n = 0; !isDone; n += 1) {
    try {
      host.prepare('insert into notes values (?)').run(n)
    } catch (error) {
      refusals.push(error)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await late
  expect(refusals).toEqual([])
  expect(most()).toBeGreaterThan(EVENTS / 2)
  expect((await engine.verify()).drift).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'where the host opens a connection meanwhile, what is left is written in one turn',
  async () => {
    const file = nextFile()
    const opened: Database.Database[] = []
    const { engine, most } = await open(file, (rows) => {
      // Within the fourth of some five turns.
      if (rows === 3_500) opened.push(new Database(file, { timeout: 2_000 }))
    })
    onTestFinished(() => opened.forEach((host) => void host.close()))
    let isDone = false
    const late = addFirst(engine).finally(() => {
      isDone = true
    })
    const refusals: unknown[] = []
    while (!isDone) {
      try {
        opened[0]?.exec('create table if not exists notes (n)')
      } catch (error) {
        refusals.push(error)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await late
    expect(opened).toHaveLength(1)
    expect(refusals).toEqual([])
    expect(most()).toBeGreaterThan(1_100)
    expect((await engine.verify()).drift).toEqual([])
  },
)

test.runIf(process.platform === 'linux')('a file that goes amid it is told, and nothing of it as stored', async () => {
  const file = nextFile()
  const { engine } = await open(file, (rows) => {
    if (rows !== 3_500) return
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix)
    // So long that the file is looked at again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  })
  expect(await addFirst(engine).catch((error: unknown) => error)).toMatchObject({ code: 'storage_unusable' })
})

test('meanwhile reads see what was before, and who writes waits and is stored', async () => {
  const { engine } = await open()
  let isDone = false
  const late = addFirst(engine).finally(() => {
    isDone = true
  })
  const totals = new Set<number>()
  const others: Promise<unknown>[] = []
  for (let n = 0; !isDone; n += 1) {
    totals.add(await wordsOf(engine, 'ann'))
    if (n % 10 === 0) others.push(engine.metrics.event('words', { user: { id: `other-${n}` }, value: 1 }))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([late, ...others])
  expect([...totals]).toContain(EVENTS)
  expect(await wordsOf(engine, 'ann')).toBe(EVENTS + 1)
  const { drift, users } = await engine.verify()
  expect({ drift, users }).toEqual({ drift: [], users: others.length + 1 })
})

test('an event of the same user amid it is not lost', async () => {
  const { engine } = await open()
  const late = addFirst(engine)
  const live = times(20, () => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }))
  const answers = await Promise.all([late, ...live])
  expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(21)
  expect(await wordsOf(engine, 'ann')).toBe(EVENTS + 21)
  expect((await engine.verify()).drift).toEqual([])
})

test('leaderboards are right where others came to them between two of them', async () => {
  const { engine } = await open()
  // Around Ann, who goes up among them, so that blocks are split where she is.
  const enter = (round: number) =>
    Promise.all(
      times(150, (n) =>
        engine.metrics.event('words', { user: { id: `user-${round}-${n}` }, value: EVENTS + 20 * round + n - 75 }),
      ),
    )
  for (let round = 0; round < 12; round += 1) {
    await enter(round)
    await addFirst(engine, 20)
  }
  expect((await engine.verify()).drift).toEqual([])
})

test('a user with thousands of entries is made anonymous, and removed, in turns', async () => {
  const { engine, begin, most } = await open()
  const { anonymousId } = await engine.users.delete('ann', { keep: 'anonymous' })
  expect(most()).toBeLessThan(1_500)
  expect(await wordsOf(engine, anonymousId ?? '')).toBe(EVENTS)
  expect((await engine.verify()).drift).toEqual([])
  begin()
  await engine.users.delete(anonymousId ?? '')
  expect(most()).toBeGreaterThan(0)
  expect(await engine.verify()).toMatchObject({ drift: [], users: 0 })
})
