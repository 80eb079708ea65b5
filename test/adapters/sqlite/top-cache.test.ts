// The best entries of leaderboards with a limit stay in memory. Ranks still match a plain count of the table.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { createTestClock } from '../../../src/testing/index.ts'
import { enter, KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const USERS = 1_200

const words = { rankBy: 'metric', metric: 'words', start: '2026-01-05' } as const
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    few: { name: 'Few', ...words, maxParticipants: 30 },
    many: { name: 'Many', ...words },
    weekly: { name: 'Weekly', ...words, run: { unit: 'week' }, maxParticipants: 30 },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-05' },
  },
})
const LIMITS = { few: 30, many: 1_000, weekly: 30, streaks: 1_000 }
type Board = keyof typeof LIMITS

/** Numbers from 0 to before `below`, the same in every run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function openWorld() {
  const file = nextFile()
  const clock = createTestClock('2026-03-03T12:00:00Z')
  const open = () => createGamification({ game, storage: sqlite(file), clock: clock.now })
  const [one, other] = [open(), open()]
  await one.migrate()
  await one.import(
    Array.from({ length: USERS }, (_, index) => {
      const occurredAt = new Date('2026-03-03T10:00:00Z')
      return { metric: 'words' as const, user: { id: `user-${index}` }, value: 1 + index, occurredAt }
    }),
  )
  const database = new Database(file, { readonly: true })
  onTestFinished(async () => {
    database.close()
    await one.close()
    await other.close()
  })
  const entry = database.prepare(`select (
      select count(*) from laurels_leaderboard_entries other
      where other.leaderboard = own.leaderboard and other.run = own.run and (other.until is null or other.until > :now)
        and (other.minus_value, other.reached_at, other.user_id) < (own.minus_value, own.reached_at, own.user_id)
    ) as better
    from laurels_leaderboard_entries own
    where own.leaderboard = :board and own.user_id = :user and (own.until is null or own.until > :now)
    order by own.run desc limit 1`)
  /** The user's rank by a count of the table, or `null` for a user who does not rank. */
  const counted = (board: Board, user: string): number | null => {
    const found = entry.get({ board, user, now: clock.now().getTime() }) as { better: number } | undefined
    return found !== undefined && found.better < LIMITS[board] ? found.better + 1 : null
  }
  const record = (library: typeof one, user: string, value: number) =>
    library.metrics.event('words', { user: { id: user }, value })
  /** Records an event, and compares its ranks before and after with counts. */
  const check = async (library: typeof one, user: string, value: number, boards: readonly Board[]): Promise<void> => {
    const before = boards.map((board) => counted(board, user))
    const { leaderboards } = await record(library, user, value)
    expect(boards.map((board) => leaderboards[board]?.previousRank)).toEqual(before)
    expect(boards.map((board) => leaderboards[board]?.rank)).toEqual(boards.map((board) => counted(board, user)))
  }
  // After a few events the best entries are kept.
  for (let user = 0; user < 6; user += 1) await record(one, `user-${user}`, 1)
  return { one, other, clock, record, check }
}

test('events at once get the ranks that they have one after the other', async () => {
  const { one, clock, record } = await openWorld()
  const [early, noon] = [Date.parse('2026-03-03T10:00:00Z'), Date.parse('2026-03-03T12:00:00Z')]
  const scores = new Map(
    Array.from({ length: USERS }, (_, index) => [
      `user-${index}`,
      index < 6 ? { value: 2 + index, at: noon } : { value: 1 + index, at: early },
    ]),
  )
  const rankOf = (user: string, limit: number): number | null => {
    const own = scores.get(user)
    if (own === undefined) return null
    const better = [...scores].filter(([id, { value, at }]) => {
      if (value !== own.value) return value > own.value
      return at === own.at ? id < user : at < own.at
    })
    return better.length < limit ? better.length + 1 : null
  }
  const next = createNumbers(3)
  for (let round = 1; round <= 10; round += 1) {
    clock.set(new Date(noon + round * 60_000).toISOString())
    const users = [...new Set(Array.from({ length: 32 }, () => `user-${next(USERS)}`))]
    const values = users.map(() => 1 + next(round * 40))
    const answers = await Promise.all(users.map((user, index) => record(one, user, values[index] ?? 0)))
    for (const [index, user] of users.entries()) {
      const before = [rankOf(user, 30), rankOf(user, 1_000)]
      scores.set(user, { value: (scores.get(user)?.value ?? 0) + (values[index] ?? 0), at: noon + round * 60_000 })
      const { few, many } = answers[index]?.leaderboards ?? {}
      expect([few?.previousRank, many?.previousRank]).toEqual(before)
      expect([few?.rank, many?.rank]).toEqual([rankOf(user, 30), rankOf(user, 1_000)])
    }
  }
})

test('ranks count what another process wrote in between', async () => {
  const { one, other, check } = await openWorld()
  const next = createNumbers(7)
  for (let event = 0; event < 60; event += 1) {
    await check(next(5) === 0 ? other : one, `user-${next(USERS)}`, 1 + next(300), ['few', 'many'])
  }
})

test('ranks are right after an event is voided, and after users are merged and deleted', async () => {
  const { one, check } = await openWorld()
  const { eventId } = await one.metrics.event('words', { user: { id: 'user-3' }, value: 5_000 })
  await check(one, 'user-1199', 1, ['few', 'many'])
  await one.events.void(eventId)
  await check(one, 'user-1199', 1, ['few', 'many'])
  await one.users.merge({ from: 'user-1198', into: 'user-1' })
  await check(one, 'user-1197', 1, ['few', 'many'])
  await one.users.delete('user-1199')
  await check(one, 'user-1196', 1, ['few', 'many'])
})

test('ranks are right while the best fall far behind', async () => {
  const { one, record, check } = await openWorld()
  const next = createNumbers(11)
  for (let index = 0; index < 96; index += 1) {
    await record(one, `user-${1_199 - index}`, -1_090)
    await check(one, `user-${1_199 - index - next(40)}`, 1, ['few', 'many'])
  }
})

test('a run that begins has ranks of its own', async () => {
  const { one, clock, check, record } = await openWorld()
  clock.set('2026-03-09T12:00:00Z')
  const first = await record(one, 'user-5', 10)
  expect(first.leaderboards.weekly).toMatchObject({ start: '2026-03-09', previousRank: null, rank: 1 })
  const ranks = []
  for (const [user, value] of [
    ['user-6', 5],
    ['user-7', 20],
    ['user-8', 15],
    ['user-6', 12],
  ] as const) {
    const { leaderboards } = await record(one, user, value)
    ranks.push([leaderboards.weekly?.previousRank, leaderboards.weekly?.rank])
  }
  expect(ranks).toEqual([
    [null, 2],
    [null, 1],
    [null, 2],
    [4, 2],
  ])
  await check(one, 'user-5', 1, ['few', 'many', 'weekly'])
  const next = createNumbers(13)
  for (let user = 10; user < 150; user += 1) await record(one, `user-${user}`, 1 + next(90))
  for (let user = 10; user < 150; user += 7) await check(one, `user-${user}`, 1 + next(20), ['weekly'])
})

test('ranks of streaks leave out those that have expired', async () => {
  const { one, other, clock, record, check } = await openWorld()
  for (const date of ['2026-03-04', '2026-03-05', '2026-03-07']) {
    clock.set(`${date}T12:00:00Z`)
    await record(other, 'user-20', 1)
    for (let user = 0; user < 12; user += 1) await check(one, `user-${user}`, 1, ['streaks'])
  }
})

test('an entry that counts for a time enters among others, and is left out after its time', async () => {
  const storage = sqlite(nextFile())
  await storage.migrate()
  const positions = [{ value: 1, reachedAt: NOON }]
  const before = async (at: number) => {
    const [answer] = await storage.ranks({ tenant: '', user: 'eve' }, [{ ...KEY, limit: 10, margin: 1, at, positions }])
    return answer?.before
  }
  await enter(storage, { ann: { put: [row(5)] }, bob: { put: [row(3)] } })
  for (let time = 0; time < 6; time += 1) expect(await before(NOON)).toEqual([2])
  await enter(storage, { dan: { put: [row(4, { until: NOON + 10 })] } })
  expect(await before(NOON)).toEqual([3])
  expect(await before(NOON + 10)).toEqual([2])
  await storage.close()
})
