import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Measured, measure, median, type Row, table } from './measure.ts'
import { openPool } from './postgres-contestants.ts'
import { dropSchemas, runTexts } from './postgres-schemas.ts'

export interface StreaksBenchOptions {
  /** How many have such a streak. */
  readonly users: number
  readonly rounds: number
  /** Reads of each contestant in each round. */
  readonly count: number
}

/** A database with users in it who have lived through the same days. */
interface Place {
  readonly name: string
  readonly library: Gamification<DefinedGame>
  /** The newest rows of one user, by a prepared statement; null where there is no SQL. */
  readonly select: ((user: string) => unknown) | null
  close(): Promise<void>
}

type Users = readonly string[]

/** In ms. */
const AIM = 1
/** The most that a read may ask for. */
const PERIODS = 400
const DAYS = 460
const DAY = 86_400_000
const START = Date.parse('2025-01-01T12:00:00Z')
const SCHEMA = 'bench_streaks'
const COLUMNS = 'start_date, length, kind'

const game: DefinedGame = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 3, autoEarn: { interval: 7 } } },
})

const isFrozen = (day: number): boolean => day % 30 === 20
const beginsPause = (day: number): boolean => day % 90 === 41
const isPaused = (day: number): boolean => day % 90 >= 41 && day % 90 < 46
const daysFrom = (first: number): readonly number[] => Array.from({ length: DAYS - first }, (_, index) => first + index)

let now = START
const open = (storage: Storage): Gamification<DefinedGame> =>
  createGamification({ game, storage, clock: () => new Date(now) })

/**
 * A streak with 400 periods of history, of users who have counted more, with freezes and pauses among them, beside a bare
 * SELECT of the same rows.
 */
export async function benchStreaks(
  folder: string,
  { users: many, rounds, count }: StreaksBenchOptions,
): Promise<string> {
  const users = Array.from({ length: many }, (_, index) => `user-${index}`)
  const given = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startPostgres() : null
  const places: Place[] = []
  try {
    places.push(await openMemory(users))
    places.push(await openSqlite(users, join(folder, 'streaks.db')))
    places.push(await openPostgres(users, server?.url ?? given ?? ''))
    for (const place of places) await check(place, users.at(7) ?? '')
    const results = await runAll(places, users, rounds, count)
    const head = ['µs', 'p50', 'p99', `under ${AIM} ms`, 'SELECT p50', 'p99', 'of SELECT']
    return table(
      `A streak with ${PERIODS} periods of history`,
      head,
      places.map((place) => toRow(place, results)),
    )
  } finally {
    for (const place of places) await place.close()
    await server?.stop()
  }
}

async function openMemory(users: Users): Promise<Place> {
  const library = open(memory())
  await live(library, users)
  return { name: 'memory', library, select: null, close: () => library.close() }
}

async function openSqlite(users: Users, file: string): Promise<Place> {
  const library = open(sqlite(file, { synchronous: 'NORMAL' }))
  await live(library, users)
  const database = new Database(file, { readonly: true })
  const statement = database.prepare(
    `select ${COLUMNS} from laurels_streak_periods where tenant_id = '' and user_id = ? order by start_date desc limit ?`,
  )
  return {
    name: 'SQLite',
    library,
    select: (user) => statement.all(user, PERIODS),
    close: async () => {
      database.close()
      await library.close()
    },
  }
}

async function openPostgres(users: Users, url: string): Promise<Place> {
  await dropSchemas(url, [SCHEMA])
  const pool = openPool(url, 4)
  const library = open(postgres(pool, { schema: SCHEMA }))
  await live(library, users)
  await runTexts(url, [`vacuum analyze ${SCHEMA}.users`, `vacuum analyze ${SCHEMA}.streak_periods`])
  const text = `select ${COLUMNS} from ${SCHEMA}.streak_periods where tenant_id = '' and user_id = $1
    order by start_date desc limit $2`
  return {
    name: 'Postgres',
    library,
    select: async (user) => (await pool.query({ name: 'periods', text, values: [user, PERIODS] })).rows,
    close: async () => {
      await library.close()
      await pool.end()
      await dropSchemas(url, [SCHEMA])
    },
  }
}

/** Everybody writes every day, but for single days that freezes save and for pauses; today nobody has yet. */
async function live(library: Gamification<DefinedGame>, users: Users): Promise<void> {
  now = START
  await library.migrate()
  for (const day of daysFrom(0)) {
    now = START + day * DAY
    if (beginsPause(day)) await pause(library, users)
    if (isFrozen(day) || isPaused(day)) continue
    await Promise.all(users.map((id) => library.metrics.event('words', { user: { id }, value: 1 })))
  }
  now = START + DAYS * DAY
}

async function pause(library: Gamification<DefinedGame>, users: Users): Promise<void> {
  const [start, end] = [dateOf(now), dateOf(now + 4 * DAY)]
  await library.admin.streaks.pauses.create({ pauses: users.map((userId) => ({ userId, start, end })) })
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Throws unless the streak is as it was lived, and the rows by hand are those of its history. */
async function check({ name, library, select }: Place, user: string): Promise<void> {
  const { length, streakHistory = [] } = await library.users.streak(user, { historyPeriods: PERIODS })
  const days = daysFrom(DAYS - PERIODS + 1)
  const expected = [
    daysFrom(0).filter((day) => !isFrozen(day) && !isPaused(day)).length,
    PERIODS,
    days.filter(isFrozen).length,
    days.filter(isPaused).length,
  ]
  const found = [
    length,
    streakHistory.length,
    streakHistory.filter(({ usedFreeze }) => usedFreeze).length,
    streakHistory.filter(({ usedPause }) => usedPause).length,
  ]
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${name} has ${found.join(', ')}, not ${expected.join(', ')}.`)
  if (select === null) return
  const rows = (await select(user)) as readonly { start_date: string; length: number | string }[]
  const lengths = new Map(streakHistory.map((item) => [item.periodStart, item.length]))
  // Today has no row, so the oldest is one that the history leaves out.
  const wrong = rows.slice(0, -1).find((row) => lengths.get(row.start_date) !== Number(row.length))
  if (wrong !== undefined || rows.length !== PERIODS)
    throw new Error(`${name} has other rows: ${JSON.stringify(wrong)}.`)
}

interface Results {
  readonly reads: readonly Measured[]
  readonly selects: readonly Measured[]
}

/** In turns, so that what else the machine does falls on all of them. The first round warms up. */
async function runAll(
  places: readonly Place[],
  users: Users,
  rounds: number,
  count: number,
): Promise<ReadonlyMap<Place, Results>> {
  const results = new Map(places.map((place) => [place, { reads: [] as Measured[], selects: [] as Measured[] }]))
  const userOf = (index: number): string => users[(index * 37) % users.length] as string
  for (let round = 0; round <= rounds; round += 1) {
    for (const [{ library, select }, { reads, selects }] of results) {
      const read = await measure(1, count, (index) => library.users.streak(userOf(index), { historyPeriods: PERIODS }))
      const selected = select === null ? null : await measure(1, count, (index) => select(userOf(index)))
      if (round === 0) continue
      reads.push(read)
      if (selected !== null) selects.push(selected)
    }
  }
  return results
}

/** Ratios are taken within a round; of the rounds, the median. */
function toRow(place: Place, results: ReadonlyMap<Place, Results>): Row {
  const { reads, selects } = results.get(place) as Results
  const of = (all: readonly Measured[], name: 'p50' | 'p99'): number => median(all.map((measured) => measured[name]))
  const [p50, p99] = [of(reads, 'p50'), of(reads, 'p99')]
  const verdict = p99 < AIM ? 'met' : p50 < AIM ? 'met at p50, missed at p99' : 'missed'
  const own = [place.name, p50 * 1_000, p99 * 1_000, verdict]
  if (selects.length === 0) return [...own, '', '', '']
  const ratio = median(reads.map((read, round) => read.p50 / (selects[round]?.p50 ?? 0)))
  return [...own, of(selects, 'p50') * 1_000, of(selects, 'p99') * 1_000, ratio]
}
