import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { events, game } from './game.ts'
import { type Measured, measureFor, median, type Row, table } from './measure.ts'
import { seedUsers } from './seed.ts'

export interface PostgresBenchOptions {
  readonly users: number
  readonly callers: readonly number[]
  readonly rounds: number
  /** The duration of each round. */
  readonly seconds: number
}

const DAY = 86_400_000
const SCHEMA = 'bench_laurels'
const MOST_CONNECTIONS = 32
/** Postgres confirms a commit after it is on the disk. */
export const DURABLE: Record<string, string> = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const HEAD = ['', 'callers', 'per s', 'p50 ms', 'p99 ms']

/** Measures events on Postgres, each with its own idempotency key, with as many connections as callers, at most 32. */
export async function benchPostgres(
  { users: many, callers: counts, rounds, seconds }: PostgresBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = server?.url ?? given ?? ''
  try {
    for (const users of [many, 1]) {
      const rows: Row[] = []
      for (const callers of counts) {
        await createSchema(url, many)
        rows.push(toRow(await measureRounds(url, { users, callers, rounds, seconds }), callers))
      }
      print(table(users === 1 ? 'Postgres, one hot user' : `Postgres, ${users} users`, HEAD, rows))
    }
  } finally {
    await runTexts(url, [`drop schema if exists ${SCHEMA} cascade`])
    await server?.stop()
  }
}

interface RoundOptions extends Omit<PostgresBenchOptions, 'callers'> {
  readonly callers: number
}

async function measureRounds(url: string, options: RoundOptions): Promise<readonly Measured[]> {
  const { users, callers, rounds, seconds } = options
  const pool = new pg.Pool({ connectionString: url, max: Math.min(callers, MOST_CONNECTIONS), idleTimeoutMillis: 0 })
  const engine = createGamification({ game, storage: postgres(pool, { schema: SCHEMA }) })
  const source = events(users, users)
  const measured: Measured[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const result = await measureFor(callers, seconds, () => {
      const { user, metric, value } = source.next().value
      return engine.metrics.event(metric, { user: { id: user }, value, idempotencyKey: randomUUID() })
    })
    if (round > 0) measured.push(result)
  }
  await engine.close()
  await pool.end()
  return measured
}

function toRow(rounds: readonly Measured[], callers: number): Row {
  const over = (read: (measured: Measured) => number): number => median(rounds.map(read))
  return [
    'laurels',
    String(callers),
    over(({ perSecond }) => perSecond),
    over(({ p50 }) => p50),
    over(({ p99 }) => p99),
  ]
}

/** Makes a schema with the game, and users in it, each with one event of the past. */
async function createSchema(url: string, users: number): Promise<void> {
  const at = Date.now() - DAY
  await runTexts(url, [`drop schema if exists ${SCHEMA} cascade`])
  const first = (index: number) => ({ user: `user-${index}`, value: 1, at })
  await seedUsers(postgres(url, { schema: SCHEMA }), game, users, first)
  await runTexts(url, [])
}

/** Runs the statements, then counts the rows for the planner. */
export async function runTexts(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
