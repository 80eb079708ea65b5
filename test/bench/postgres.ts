import { randomUUID } from 'node:crypto'
import { startPostgres } from '../support/postgres-server.ts'
import { events } from './game.ts'
import { type Measured, measureFor, median, type Row, table } from './measure.ts'
import { BY_HAND, type Contestant, openLibrary, openPlain, openTuned, SCHEMAS } from './postgres-contestants.ts'
import { compareSchemas, createSchema, dropSchemas } from './postgres-schemas.ts'
import type { KeyedEvent } from './postgres-transaction.ts'

export interface PostgresBenchOptions {
  readonly users: number
  readonly callers: readonly number[]
  readonly rounds: number
  /** The duration of each contestant's measurement in each round. */
  readonly seconds: number
  /** How many events leave the rows that are compared. */
  readonly compared: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOST_CONNECTIONS = 32
/** An evening: the known user's streak is lost at the first midnight, whatever the time of the run. */
const COMPARED_FROM = Date.UTC(2026, 10, 22, 20, 11)
/** Postgres confirms a commit after it is on the disk. */
export const DURABLE: Record<string, string> = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/**
 * Measures events on Postgres, each with its own idempotency key, against a hand-written transaction per event: a plain
 * one and a tuned one. Every contestant has as many connections as there are callers, at most 32.
 */
export async function benchPostgres(
  { users: many, callers: counts, rounds, seconds, compared }: PostgresBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = server?.url ?? given ?? ''
  try {
    print(
      `\nPostgres: the library and the hand-written code leave the same ${await compareRows(url, compared)} rows.\n`,
    )
    for (const users of [many, 1]) {
      const rows: Row[] = []
      for (const callers of counts) {
        await createSchemas(url, many)
        rows.push(...toRows(await runAll(openAll(url, users, callers, seconds), rounds), callers))
      }
      print(table(users === 1 ? 'Postgres, one hot user' : `Postgres, ${users} users`, HEAD, rows))
    }
  } finally {
    await dropSchemas(url, Object.values(SCHEMAS))
    await server?.stop()
  }
}

async function createSchemas(url: string, users: number, yesterday: number = Date.now() - DAY): Promise<void> {
  await dropSchemas(url, Object.values(SCHEMAS))
  for (const schema of Object.values(SCHEMAS)) await createSchema(url, schema, users, yesterday)
}

function* keyedEvents(users: number): Generator<KeyedEvent> {
  for (const event of events(users, users)) yield { ...event, idempotencyKey: randomUUID() }
}

/** The same events one after the other, of a known user and of one that is new, leave the same rows. */
async function compareRows(url: string, events: number): Promise<number> {
  await createSchemas(url, 1, COMPARED_FROM - DAY)
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

function openAll(url: string, users: number, callers: number, seconds: number): readonly Contestant[] {
  return [openPlain, openTuned, openLibrary].map((open) => {
    const { name, record, close } = open(url, Math.min(callers, MOST_CONNECTIONS), () => new Date())
    const source = keyedEvents(users)
    const run = (): Promise<Measured> => measureFor(callers, seconds, () => record(source.next().value as KeyedEvent))
    return { name, run, close }
  })
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

const HEAD = ['', 'callers', 'per s', 'p50 ms', 'p99 ms', 'of by hand', 'its p50', 'of tuned', 'its p50']

/** Ratios are computed within each round; the table shows their median. */
function toRows(results: Results, callers: number): Row[] {
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
    ]
  })
}
