// Two processes write to the same leaderboards, with 32 callers each. SOAK=1: 60,000 events of thousands of users.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type Storage } from '../../../src/index.ts'
import type { LeaderboardKey } from '../../../src/storage/storage.ts'
import { enter, KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { checkFold } from '../../support/check-fold.ts'
import { compiled } from '../../support/compiled.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { startChild } from './child.ts'
import { type Counts, readCounts } from './leaderboards-counts.ts'
import { boardsGame, TOP } from './leaderboards-game.ts'
import { expectSumsOfLog } from './leaderboards-log.ts'
import { expectRanksOfEntries } from './leaderboards-ranks.ts'
import { WRITE, type WriteReport } from './leaderboards-writer.ts'
import { deadlocksIn, useDatabases } from './races-database.ts'

const SOAK = process.env.SOAK !== undefined
const EVENTS = SOAK ? 60_000 : 2_000
/** Of each that there is in the end, about. */
const EVENTS_OF_USER = SOAK ? 12 : 3
const LARGEST = 600
/** How long a block may stay larger than that. */
const MOST_MS = 2_000

const newDatabase = useDatabases()

test(`${EVENTS} events of two processes lead to the ranks of a plain sort, and blocks count what lies in them`, {
  timeout: 900_000,
}, async () => {
  const database = await newDatabase()
  const { url, query } = database
  const storage = postgres(url)
  const engine = createGamification({ game: boardsGame, storage, clock: () => new Date(NOON) })
  await engine.migrate()
  await engine.streaks.list([])

  const args = { url, schema: 'laurels', game: boardsGame.definition, now: NOON, events: EVENTS, top: TOP }
  const children = times(2, (index) =>
    startChild({ directory: compiled(), script: WRITE, args: { ...args, eventsOfUser: EVENTS_OF_USER, index } }),
  )
  expect(await Promise.all(children.map((child) => child.nextLine()))).toEqual(['ready', 'ready'])
  const started = performance.now()
  for (const child of children) child.tell('go')
  let areOver = false
  const reporting = Promise.all(children.map((child) => child.nextLine())).finally(() => {
    areOver = true
  })

  let moments = 0
  let largeSince: number | null = null
  let longest = 0
  for (; !areOver; moments += 1) {
    const counts: Counts = await readCounts(query, 'laurels')
    expect(counts.faults).toEqual([])
    if (counts.largest > LARGEST) largeSince ??= performance.now()
    else largeSince = null
    longest = Math.max(longest, performance.now() - (largeSince ?? performance.now()))
    await sleep(20)
  }
  const reports = (await reporting).map((line): WriteReport => JSON.parse(line))
  const took = Math.round(performance.now() - started)
  expect(reports.flatMap(({ errors }) => errors)).toEqual([])
  expect(reports.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(moments).toBeGreaterThan(3)
  expect(longest).toBeLessThan(MOST_MS)

  const counts = await readCounts(query, 'laurels')
  expect(counts.faults).toEqual([])
  expect(counts.largest).toBeLessThanOrEqual(LARGEST)
  const participants = await expectSumsOfLog(storage)
  expect(participants.get('all 2026-01-01')).toBeGreaterThan(256)
  const asked = (user: string): boolean => user === 'hot' || user.endsWith(SOAK ? '17' : '27')
  await expectRanksOfEntries(storage, query, 'laurels', { limits: { top: TOP }, asked })
  const users = await checkFold(storage)
  process.stdout.write(
    `${EVENTS} events of ${users} users in ${took} ms, the slowest in ${reports.map(({ slowest }) => slowest).join(' and ')} ms; ` +
      `${moments} moments looked at, ${counts.blocks} blocks, the largest of ${counts.largest}\n`,
  )
  // What late events leave of a user for whom both processes had to wait is added up by a later save of the same group.
  const left = await query<LeaderboardKey>(
    'select distinct leaderboard, run, group_key as "group" from laurels.leaderboard_pending',
  )
  const entering = left.map((key, n) => [`new-${n}`, { put: [row(1, key)], unlimited: [key.leaderboard] }] as const)
  await enter(storage, Object.fromEntries(entering))
  expect(await readCounts(query, 'laurels')).toMatchObject({ faults: [], pending: 0 })
  await engine.close()
  expect(await deadlocksIn(database)).toBe(0)
})

test('Groups that two processes make at once, in opposite orders, are counted without a deadlock', async () => {
  const database = await newDatabase()
  const { url, query } = database
  const engines = times(2, () =>
    createGamification({ game: boardsGame, storage: postgres(url), clock: () => new Date(NOON) }),
  )
  for (const engine of engines) {
    await engine.migrate()
    await engine.streaks.list([])
  }
  const rounds = SOAK ? 60 : 6
  for (let round = 0; round < rounds; round += 1) {
    const groups = times(32, (n) => `${round} ${n}`)
    await Promise.all(
      engines.flatMap(({ metrics }, index) =>
        (index === 0 ? groups : groups.toReversed()).map((country) =>
          metrics.event('words', { user: { id: `${country} of ${index}`, attributes: { country } }, value: 1 }),
        ),
      ),
    )
    expect((await readCounts(query, 'laurels')).faults).toEqual([])
  }
  const storage = postgres(url)
  expect((await expectSumsOfLog(storage)).get('weekly 2026-03-09')).toBe(rounds * 64)
  for (const { close } of [...engines, storage]) await close()
  expect(await deadlocksIn(database)).toBe(0)
}, 120_000)

test('Saves that touch many blocks at once end no deadlock, whatever the order of their users', async () => {
  const database = await newDatabase()
  const { url, query } = database
  const storages = times(4, () => postgres(url))
  const [first] = storages as [Storage, ...Storage[]]
  await first.migrate()
  const users = times(SOAK ? 20_000 : 2_000, (n) => `user-${n}`)
  const rowOf = (n: number, value: number) => ({
    put: [row(value, { reachedAt: n % 5 })],
    unlimited: [KEY.leaderboard],
  })
  const enterFrom = (from: number, to: number): Promise<unknown> =>
    enter(first, Object.fromEntries(users.slice(from, to).map((user, n) => [user, rowOf(from + n, from + n)])))
  await enterFrom(0, 1)
  // As many at once as one call has time for.
  for (let from = 1; from < users.length; from += 1_000) await enterFrom(from, from + 1_000)
  await Promise.all(
    storages.map(async (storage, index) => {
      // Each has users of its own, so that nobody waits for a user.
      for (let round = 0; round < (SOAK ? 200 : 12); round += 1) {
        const own = times(100, (n) => users[(((n * 7919 + round) * 4) % users.length) + index] ?? '')
        await enter(
          storage,
          Object.fromEntries(own.map((user, n) => [user, rowOf(n, (n * 31 + round * 7) % users.length)])),
        )
      }
    }),
  )
  for (const storage of storages) await storage.close()
  const counts = await readCounts(query, 'laurels')
  expect(counts).toMatchObject({ faults: [], pending: 0 })
  expect(counts.blocks).toBeGreaterThan(2)
  expect(await deadlocksIn(database)).toBe(0)
}, 600_000)
