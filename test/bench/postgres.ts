import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { events, game } from './game.ts'
import { type Measured, measureFor, median, type Row, table } from './measure.ts'
import { type KeyedEvent, openByHand, type Style } from './postgres-transaction.ts'
import { seedUsers } from './seed.ts'

export interface PostgresBenchOptions {
  readonly users: number
  readonly callers: readonly number[]
  readonly rounds: number
  /** The duration of each round. */
  readonly seconds: number
}

const DAY = 86_400_000
const SCHEMAS = { laurels: 'bench_laurels', plain: 'bench_plain', tuned: 'bench_tuned' } as const
const MOST_CONNECTIONS = 32
/** Postgres confirms a commit after it is on the disk. */
export const DURABLE: Record<string, string> = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const HEAD = ['', 'callers', 'per s', 'p50 ms', 'p99 ms', 'of by hand', 'of tuned']

/**
 * Measures events on Postgres, each with its own idempotency key, beside hand-written transactions. All have as many
 * connections as callers, at most 32.
 */
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
        for (const schema of Object.values(SCHEMAS)) await createSchema(url, schema, many)
        rows.push(...toRows(await measureRounds(url, { users, callers, rounds, seconds }), callers))
      }
      print(table(users === 1 ? 'Postgres, one hot user' : `Postgres, ${users} users`, HEAD, rows))
    }
  } finally {
    await runTexts(url, dropTexts(Object.values(SCHEMAS)))
    await server?.stop()
  }
}

interface RoundOptions extends Omit<PostgresBenchOptions, 'callers'> {
  readonly callers: number
}

interface Recorder {
  record(event: KeyedEvent): Promise<unknown>
  close(): Promise<void>
}

function openLaurels(url: string, connections: number): Recorder {
  const pool = openPool(url, connections)
  const engine = createGamification({ game, storage: postgres(pool, { schema: SCHEMAS.laurels }) })
  return {
    record: ({ user, metric, value, idempotencyKey }) =>
      engine.metrics.event(metric, { user: { id: user }, value, idempotencyKey }),
    close: async () => {
      await engine.close()
      await pool.end()
    },
  }
}

function openHandWritten(url: string, connections: number, style: Style): Recorder {
  const pool = openPool(url, connections, `-c search_path=${SCHEMAS[style]}`)
  const byHand = openByHand(pool, game.rules, style)
  return { record: (event) => byHand.record(event, Date.now()), close: () => pool.end() }
}

function openPool(url: string, max: number, options?: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0, ...(options && { options }) })
}

type Results = Readonly<Record<'laurels' | Style, readonly Measured[]>>

/** In turns, so that whatever else the machine does slows all of them. */
async function measureRounds(url: string, { users, callers, rounds, seconds }: RoundOptions): Promise<Results> {
  const connections = Math.min(callers, MOST_CONNECTIONS)
  const results = { plain: [], tuned: [], laurels: [] } as { [Name in keyof Results]: Measured[] }
  const recorders = {
    plain: openHandWritten(url, connections, 'plain'),
    tuned: openHandWritten(url, connections, 'tuned'),
    laurels: openLaurels(url, connections),
  }
  const sources = { plain: events(users, users), tuned: events(users, users), laurels: events(users, users) }
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['plain', 'tuned', 'laurels'] as const) {
      const measured = await measureFor(callers, seconds, () => {
        return recorders[name].record({ ...sources[name].next().value, idempotencyKey: randomUUID() })
      })
      if (round > 0) results[name].push(measured)
    }
  }
  for (const { close } of Object.values(recorders)) await close()
  return results
}

/** The median of the rounds. Ratios are taken within each round. */
function toRows(results: Results, callers: number): Row[] {
  const names = { plain: 'by hand', tuned: 'by hand, tuned', laurels: 'laurels' } as const
  return (['plain', 'tuned', 'laurels'] as const).map((name) => {
    const over = (read: (measured: Measured) => number): number => median(results[name].map(read))
    const of = (other: Style): number =>
      median(results[name].map(({ perSecond }, round) => perSecond / (results[other][round]?.perSecond ?? Number.NaN)))
    const times = [over(({ perSecond }) => perSecond), over(({ p50 }) => p50), over(({ p99 }) => p99)]
    return [names[name], String(callers), ...times, of('plain'), of('tuned')]
  })
}

/** Makes a schema with the game, and users in it, each with one event of the past. */
async function createSchema(url: string, schema: string, users: number): Promise<void> {
  const at = Date.now() - DAY
  await runTexts(url, dropTexts([schema]))
  await seedUsers(postgres(url, { schema }), game, users, (index) => ({ user: `user-${index}`, value: 1, at }))
  await runTexts(url, [])
}

function dropTexts(schemas: readonly string[]): readonly string[] {
  return schemas.map((schema) => `drop schema if exists ${schema} cascade`)
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
