// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// The rows that Postgres reads for each call when there are many users.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../../src/index.ts'
import { times } from '../../support/places.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'
import { racesGame } from './races-game.ts'

const USERS = process.env.SOAK === undefined ? 20_000 : 100_000
const FEW = 300
/** Tables with rows of every user. Counters and games are small whatever there is, and may be read whole. */
const TABLES = ['users', 'log', 'totals', 'tallies', 'completions', 'points', 'awards', 'streak_periods']

const newDatabase = useDatabases()
let database: OwnDatabase
let now = Date.parse('2026-03-10T12:00:00.000Z')
const pool = new pg.Pool({ max: 1 })
let engine: Gamification<DefinedGame>

/** On one connection, so that what it has planned stays planned. */
beforeAll(async () => {
  database = await newDatabase()
  Object.assign(pool.options, { connectionString: database.url })
  const storage = postgres(pool as unknown as PostgresPool)
  engine = createGamification<DefinedGame>({ game: racesGame, storage, clock: () => new Date(now) })
  await engine.migrate()
  // Statistics are not updated before this file does it.
  for (const table of TABLES) await database.query(`alter table laurels.${table} set (autovacuum_enabled = false)`)
  await engine.import(
    times(FEW, (n) => ({
      metric: 'words',
      user: { id: `user-${n}` },
      value: 50,
      attributes: { source: 'mobile' },
      idempotencyKey: 'first',
    })),
  )
})
afterAll(async () => {
  await engine.close()
  await pool.end()
})

async function countRows(): Promise<void> {
  for (const table of TABLES) await database.query(`analyze laurels.${table}`)
}

/** As many users more, each like one of those that are there. */
async function grow(): Promise<void> {
  for (const table of TABLES) {
    const columns = await database.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = 'laurels' and table_name = $1 and column_name not in ('tenant_id', 'user_id')`,
      [table],
    )
    const names = columns.map(({ name }) => name).join(', ')
    // No two lines of the log have one id.
    const values = table === 'log' ? names.replace('entry_id', 'int4send(n) || entry_id') : names
    await database.query(
      `insert into laurels.${table} (tenant_id, user_id, ${names})
        select tenant_id, 'more-' || n, ${values} from laurels.${table}, generate_series(1, $1::int) n where user_id = 'user-7'`,
      [USERS],
    )
  }
}

/** The counts of Postgres, by table. */
async function ask(text: string): Promise<ReadonlyMap<string, number>> {
  // Each connection reports what it has done at its own time, unless it is asked to. Postgres 14 cannot be asked: there a
  // connection reports at the end of a transaction that is half a second after its last report.
  const [known] = await database.query<{ name: string | null }>(`select to_regproc('pg_stat_force_next_flush') as name`)
  const connections: readonly { query(text: string): Promise<unknown> }[] = [pool, database]
  for (const connection of connections) {
    await connection.query(known?.name == null ? 'select pg_sleep(1.5)' : 'select pg_stat_force_next_flush()')
    await connection.query('select 1')
  }
  const rows = await database.query<{ name: string; count: string }>(text)
  return new Map(rows.map(({ name, count }) => [name, Number(count)]))
}

/** Rows that were read by going through whole tables, while `work` ran. */
async function rowsReadThrough(work: () => Promise<unknown>): Promise<readonly string[]> {
  const text = `select relname as name, seq_tup_read::text as count from pg_stat_user_tables where schemaname = 'laurels'`
  const before = await ask(text)
  await work()
  const after = await ask(text)
  return TABLES.flatMap((table) => {
    const read = (after.get(table) ?? 0) - (before.get(table) ?? 0)
    return read === 0 ? [] : [`${table}: ${read}`]
  })
}

/** A batch of known and new users, and one user whose log is folded again. */
async function write(round: number): Promise<void> {
  now += 60_000
  const users = times(40, (n) => ({ id: n % 4 === 0 ? `new-${round}-${n}` : `user-${(round * 40 + n) % FEW}` }))
  await Promise.all(
    users.map((user) =>
      engine.metrics.event('words', {
        user,
        value: 9,
        idempotencyKey: `round-${round}`,
        attributes: { source: 'mobile' },
      }),
    ),
  )
  const occurredAt = new Date(now - 40 * 86_400_000)
  await engine.metrics.event('words', { user: { id: `user-${round}` }, value: 30, occurredAt })
  await engine.achievements.complete('joined', { user: { id: `user-${round}` } })
}

async function read(): Promise<void> {
  const id = 'user-3'
  await engine.users.get(id)
  await engine.users.points(id, 'xp', { awards: 100 })
  await engine.users.streak(id, { historyPeriods: 30 })
  await engine.users.achievements(id, { includeIncomplete: true })
  await engine.users.allMetrics(id)
  const dates = { startDate: '2026-02-01', endDate: '2026-03-09' }
  await engine.users.metricEventSummary(id, 'words', { aggregation: 'daily', ...dates })
  await engine.streaks.list(times(100, (n) => `user-${n}`))
  await engine.achievements.all()
  await engine.points.levelSummary('xp')
  await engine.admin.applicationApiKeys.create([{ userId: id }])
}

describe(`With ${USERS} users`, () => {
  test('no call goes through a whole table, on a connection that planned when there were few', async () => {
    await countRows()
    // Often enough that Postgres keeps the plans.
    for (let round = 0; round < 8; round += 1) await write(round)
    await read()
    await grow()
    const started = performance.now()
    const rows = await rowsReadThrough(async () => {
      await write(8)
      await read()
    })
    process.stdout.write(`a batch and reads among ${USERS} users: ${Math.round(performance.now() - started)} ms\n`)
    expect(rows).toEqual([])
  })

  test('no call goes through a whole table once the rows are counted', async () => {
    await countRows()
    await write(9)
    const rows = await rowsReadThrough(async () => {
      await write(10)
      await read()
    })
    expect(rows).toEqual([])
  })
})

describe('In a schema that has just been made', () => {
  test('events with keys do not go through the log of their user, on a connection that planned when it was empty', async () => {
    const storage = postgres(pool as unknown as PostgresPool, { schema: 'young' })
    const young = createGamification<DefinedGame>({ game: racesGame, storage, clock: () => new Date(now) })
    await young.migrate()
    await database.query('alter table young.log set (autovacuum_enabled = false)')
    const events = 2_000
    const item = (n: number) => ({ metric: 'words', user: { id: 'ann' }, value: 1, idempotencyKey: `key-${n}` })
    await young.import(times(events, item))
    const read = await ask(
      `select 'log' as name, sum(idx_tup_read)::text as count from pg_stat_user_indexes
        where schemaname = 'young' and relname = 'log'`,
    )
    expect((read.get('log') ?? 0) / events).toBeLessThan(5)
    await young.close()
  })
})
