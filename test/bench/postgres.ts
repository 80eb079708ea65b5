import { randomUUID } from 'node:crypto'
import { startPostgres } from '../support/postgres-server.ts'
import { events } from './game.ts'
import { findByHand } from './http.ts'
import { type Measured, measureFor, median, type Row, table } from './measure.ts'
import {
  BY_HAND,
  type Contestant,
  LIBRARY,
  openLibrary,
  openPlain,
  openTuned,
  SCHEMAS,
} from './postgres-contestants.ts'
import { compareServers, ON_EXPRESS, openServer, SEQUELIZE, seedSequelize } from './postgres-http.ts'
import { BARE_TABLE, findPgbench, runPgbench } from './postgres-pgbench.ts'
import { compareSchemas, createSchema, dropSchemas, runTexts } from './postgres-schemas.ts'
import type { KeyedEvent } from './postgres-transaction.ts'

export interface PostgresBenchOptions {
  readonly users: number
  readonly callers: readonly number[]
  readonly rounds: number
  /** Of each contestant in each round. */
  readonly seconds: number
  /** Whether what the hand-written server needs is installed; else it is left out where that is not there. */
  readonly installs: boolean
  /** How many events leave the rows that are compared. */
  readonly compared: number
}

interface Course {
  readonly url: string
  readonly folder: string
  readonly pgbench: string | null
  readonly hasByHand: boolean
  readonly users: number
  readonly callers: number
  readonly seconds: number
}

const BARE = 'pgbench, a bare insert'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOST_CONNECTIONS = 32
/** An evening: the known user's streak is lost at the first midnight, whatever the time of the run. */
const COMPARED_FROM = Date.UTC(2026, 10, 22, 20, 11)
/** What was answered is on the disk. */
export const DURABLE: Record<string, string> = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/** How many times the hand-written transaction the library is to reach: by users, then callers. */
const AIMS: { readonly [users: number]: { readonly [callers: number]: string } } = {
  10000: { 1: '1', 32: '5, lower p50' },
  1: { 32: '10' },
}

/**
 * Events on Postgres, each with an idempotency key of its own: the library, a hand-written transaction per event (as most
 * would write it, and tuned), pgbench's figure for a bare insert, and, over HTTP, what a team would write with Express
 * and Sequelize. In turns, on as many connections as there are callers, at most 32.
 */
export async function benchPostgres(
  folder: string,
  { users: many, callers: counts, rounds, seconds, installs, compared }: PostgresBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = server?.url ?? given ?? ''
  const pgbench = findPgbench()
  const hasByHand = findByHand('Postgres', installs)
  if (pgbench === null) print('\npgbench is left out: it is neither beside the embedded Postgres nor on the PATH.\n')
  try {
    print(
      `\nPostgres: ${await compareRows(url, hasByHand, compared)} rows of the library and by hand were compared, and are the same.\n`,
    )
    if (hasByHand) {
      print(`Postgres: ${await compareAnswers(url)} answers of both servers were compared, and say the same.\n`)
    }
    for (const users of [many, 1]) {
      const rows: Row[] = []
      for (const callers of counts) {
        await createSchemas(url, many, hasByHand)
        const course = { url, folder, pgbench, hasByHand, users, callers, seconds }
        const results = await runAll(await openAll(course), rounds)
        rows.push(...toRows(results, users, callers))
      }
      print(table(users === 1 ? 'Postgres, one hot user' : `Postgres, ${users} users`, HEAD, rows))
    }
  } finally {
    await dropSchemas(url, Object.values(SCHEMAS))
    await server?.stop()
  }
}

async function createSchemas(
  url: string,
  users: number,
  hasByHand: boolean,
  yesterday: number = Date.now() - DAY,
): Promise<void> {
  await dropSchemas(url, Object.values(SCHEMAS))
  await createSchema(url, SCHEMAS.library, users, yesterday)
  await createSchema(url, SCHEMAS.plain, users, yesterday)
  await createSchema(url, SCHEMAS.tuned, users, yesterday)
  await runTexts(url, [
    `create schema ${SCHEMAS.bare}`,
    `create table ${SCHEMAS.bare}.${BARE_TABLE}`,
    `create schema ${SCHEMAS.sequelize}`,
  ])
  if (hasByHand) seedSequelize(url, users, yesterday)
}

function* keyedEvents(users: number): Generator<KeyedEvent> {
  for (const event of events(users, users)) yield { ...event, idempotencyKey: randomUUID() }
}

/** The same events one after the other, of a known user and of one that is new, leave the same rows. */
async function compareRows(url: string, hasByHand: boolean, events: number): Promise<number> {
  await createSchemas(url, 1, hasByHand, COMPARED_FROM - DAY)
  const source = keyedEvents(2)
  const all = Array.from({ length: events }, () => source.next().value as KeyedEvent)
  for (const open of [openPlain, openTuned, openLibrary]) {
    let now = COMPARED_FROM
    const recorder = open(url, 1, () => new Date(now))
    for (const event of all) {
      now += HOUR
      await recorder.record(event)
    }
    await recorder.close()
  }
  await compareSchemas(url, SCHEMAS.library, SCHEMAS.plain)
  return compareSchemas(url, SCHEMAS.library, SCHEMAS.tuned)
}

async function compareAnswers(url: string): Promise<number> {
  await createSchemas(url, 10, true)
  return compareServers(url)
}

async function openAll(course: Course): Promise<readonly Contestant[]> {
  const { url, folder, pgbench, hasByHand, users, callers, seconds } = course
  const connections = Math.min(callers, MOST_CONNECTIONS)
  const opened: Contestant[] = [openPlain, openTuned, openLibrary].map((open) => {
    const { name, record, close } = open(url, connections, () => new Date())
    const source = keyedEvents(users)
    const run = (): Promise<Measured> => measureFor(callers, seconds, () => record(source.next().value as KeyedEvent))
    return { name, run, close }
  })
  // A bare insert has no user that could be hot.
  if (pgbench !== null && users > 1) {
    const run = (): Promise<Measured> =>
      runPgbench(pgbench, { url, schema: SCHEMAS.bare, folder, clients: connections })
    opened.push({ name: BARE, run, close: async () => undefined })
  }
  const servers = hasByHand ? ([SEQUELIZE, ON_EXPRESS] as const) : ([ON_EXPRESS] as const)
  for (const name of servers) opened.push(await openServer(name, url, course))
  return opened
}

/** What each contestant did in each round. */
type Results = ReadonlyMap<string, readonly Measured[]>

/** In turns, so that what else the machine does falls on all of them. */
async function runAll(contestants: readonly Contestant[], rounds: number): Promise<Results> {
  const results = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]))
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, run } of contestants) {
        const measured = await run()
        if (round > 0) results.get(name)?.push(measured)
      }
    }
  } finally {
    for (const { close } of contestants) await close()
  }
  return results
}

const HEAD = [
  '',
  'callers',
  'per s',
  'p50 ms',
  'p99 ms',
  'of by hand',
  'its p50',
  'of tuned',
  'its p50',
  'of Sequelize',
  'aim',
]

/** Every ratio is taken within a round; of the rounds, the median. */
function toRows(results: Results, users: number, callers: number): Row[] {
  const of = (name: string): readonly Measured[] => results.get(name) ?? []
  const rate = ({ perSecond }: Measured): number => perSecond
  return [...results].map(([name, rounds]) => {
    const over = (read: (measured: Measured) => number): number => median(rounds.map(read))
    const beside = (other: string, read: (measured: Measured) => number): number =>
      median(rounds.map((measured, round) => read(measured) / read(of(other)[round] as Measured)))
    return [
      name,
      String(callers),
      over(rate),
      over(({ p50 }) => p50),
      over(({ p99 }) => p99),
      beside(BY_HAND.plain, rate),
      beside(BY_HAND.plain, ({ p50 }) => p50),
      beside(BY_HAND.tuned, rate),
      beside(BY_HAND.tuned, ({ p50 }) => p50),
      name === ON_EXPRESS && results.has(SEQUELIZE) ? beside(SEQUELIZE, rate) : '',
      name === LIBRARY ? (AIMS[users]?.[callers] ?? '') : '',
    ]
  })
}
