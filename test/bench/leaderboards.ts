import type { DefinedGame } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { benchBoardEvents, type Quartet } from './leaderboards-events.ts'
import { scoreOf, withBoards, withoutBoards } from './leaderboards-game.ts'
import { OPERATIONS, type Operation, SET, subjects } from './leaderboards-operations.ts'
import { checkRanks, makePostgres, makeSqlite, type Place } from './leaderboards-places.ts'
import { compareSeed } from './leaderboards-seed.ts'
import { type Measured, measure, median, type Row, table } from './measure.ts'
import { DURABLE } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'

export interface LeaderboardsBenchOptions {
  /** How many participate: each number by itself. */
  readonly users: { readonly [name in Database]: readonly number[] }
  /** Among how many whole events are compared. */
  readonly few: number
  readonly many: number
  readonly rounds: number
  /** Calls of each operation in each round. */
  readonly count: number
  /** Of whole events, for each database and game in each round. */
  readonly seconds: number
}

type Database = 'SQLite' | 'Postgres'
const DATABASES = ['SQLite', 'Postgres'] as const
type Make = (name: Database, game: DefinedGame, users: number) => Promise<Place>
type Print = (text: string) => void
/** By database and number of users. */
type Places = Map<string, Place>

/**
 * Leaderboards on SQLite and on Postgres beside a sorted set in Redis, over loopback. Redis keeps nothing on disk, knows
 * no names, and puts equals in no order of time; an update of the others is stored, with all that belongs to an event.
 */
export async function benchLeaderboards(
  folder: string,
  options: LeaderboardsBenchOptions,
  print: Print,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = server?.url ?? given ?? ''
  const opened = new Set<Place>()
  const make: Make = async (name, game, users) => {
    const made = name === 'SQLite' ? makeSqlite(folder, game, users) : makePostgres(url, game, users)
    const place = await made
    opened.add(place)
    return place
  }
  const kept: Places = new Map()
  try {
    const redis = await startRedis(folder)
    if (redis === null) print('\nRedis is left out: there is no redis-server on the PATH.\n')
    try {
      const sizes = new Set(DATABASES.flatMap((name) => options.users[name]))
      for (const users of [...sizes].sort((left, right) => left - right)) {
        const places = await compareOperations(make, redis, users, options, print)
        for (const [name, place] of places) {
          if (users === options.few || users === options.many) kept.set(`${name} ${users}`, place)
          else {
            opened.delete(place)
            await place.close()
          }
        }
      }
    } finally {
      await redis?.stop()
    }
    await compareEvents(make, kept, options, print)
  } finally {
    for (const place of opened) await place.close()
    await server?.stop()
  }
}

async function compareOperations(
  make: Make,
  redis: Redis | null,
  users: number,
  options: LeaderboardsBenchOptions,
  print: Print,
): Promise<ReadonlyMap<Database, Place>> {
  const places = new Map<Database, Place>()
  for (const name of DATABASES) {
    if (options.users[name].includes(users)) places.set(name, await makeChecked(name, make, users, print))
  }
  if (redis !== null) await fill(redis, users)
  print(await benchOperations(places, redis, users, options))
  for (const place of places.values()) await checkRanks(place)
  return places
}

async function compareEvents(
  make: Make,
  places: Places,
  { few, many, rounds, seconds }: LeaderboardsBenchOptions,
  print: Print,
): Promise<void> {
  const quartets: Quartet[] = []
  for (const name of DATABASES) {
    const [small, large] = [places.get(`${name} ${few}`), places.get(`${name} ${many}`)]
    if (small === undefined || large === undefined) continue
    const [fewWithout, manyWithout] = [await make(name, withoutBoards, few), await make(name, withoutBoards, many)]
    quartets.push({ name, few: small, many: large, fewWithout, manyWithout })
  }
  if (quartets.length === 0) return
  for (const callers of [1, 32]) print(await benchBoardEvents(quartets, callers, rounds, seconds))
  for (const quartet of quartets) {
    await checkRanks(quartet.few)
    await checkRanks(quartet.many)
  }
}

/** Throws unless the users are as events leave them, and ranks and pages those of a plain count. */
async function makeChecked(name: Database, make: Make, users: number, print: Print): Promise<Place> {
  const start = performance.now()
  const place = await make(name, withBoards, users)
  const seconds = (performance.now() - start) / 1_000
  const compared = await compareSeed(place.storage, withBoards, users)
  await checkRanks(place)
  print(
    `\n${name}: ${users} users in ${seconds.toFixed(0)} s; ${compared} of them are compared, and as events leave them.\n`,
  )
  return place
}

/** The sorted set, with the same scores. */
async function fill(redis: Redis, users: number): Promise<void> {
  const chunk = 1_000
  await redis.send([['FLUSHALL']])
  for (let first = 0; first < users; first += chunk) {
    const scores = Array.from({ length: Math.min(chunk, users - first) }, (_, index) => scoreOf(first + index))
    await redis.send([['ZADD', SET, ...scores.flatMap(({ value, user }) => [value, user])]])
  }
  const [count] = await redis.send([['ZCARD', SET]])
  if (count !== users) throw new Error(`Redis has ${count} of ${users} users.`)
}

const HEAD = [
  'µs',
  ...['SQLite p50', 'p99', 'of Redis'],
  ...['Postgres p50', 'p99', 'of Redis'],
  ...['Redis p50', 'p99'],
  'aim',
]

async function benchOperations(
  places: ReadonlyMap<Database, Place>,
  redis: Redis | null,
  users: number,
  { rounds, count }: LeaderboardsBenchOptions,
): Promise<string> {
  const rows: Row[] = []
  for (const operation of OPERATIONS) {
    const runs = new Map<string, (index: number) => Promise<unknown>>()
    const source = subjects(users, users)
    for (const [name, place] of places) runs.set(name, () => operation.onStorage(place, source.next().value))
    if (redis !== null) runs.set('Redis', () => operation.onRedis(redis, users, source.next().value))
    rows.push(toRow(operation, users, await runAll(runs, rounds, count)))
  }
  return table(`Leaderboards, ${users} participants`, HEAD, rows)
}

/** What each did in each round. */
type Results = ReadonlyMap<string, readonly Measured[]>

/** In turns, so that what else the machine does falls on all of them. */
async function runAll(
  runs: ReadonlyMap<string, (index: number) => Promise<unknown>>,
  rounds: number,
  count: number,
): Promise<Results> {
  const results = new Map<string, Measured[]>([...runs.keys()].map((name) => [name, []]))
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of runs) {
      const measured = await measure(1, count, run)
      if (round > 0) results.get(name)?.push(measured)
    }
  }
  return results
}

/** Ratios are taken within a round; of the rounds, the median. */
function toRow({ name, aim }: Operation, users: number, results: Results): Row {
  const redis = results.get('Redis')
  const own = (contestant: string): (string | number)[] => {
    const measured = results.get(contestant)
    if (measured === undefined) return ['', '']
    return [median(measured.map(({ p50 }) => p50 * 1_000)), median(measured.map(({ p99 }) => p99 * 1_000))]
  }
  const ofRedis = (contestant: string): string | number => {
    const measured = results.get(contestant)
    if (measured === undefined || redis === undefined) return ''
    return median(measured.map(({ p50 }, round) => p50 / (redis[round]?.p50 ?? 0)))
  }
  const databases = DATABASES.flatMap((database) => [...own(database), ofRedis(database)])
  return [name, ...databases, ...own('Redis'), aim?.users === users ? aim.text : '']
}
