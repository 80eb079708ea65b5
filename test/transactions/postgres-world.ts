import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import {
  createGamification,
  defineGame,
  type GameDefinition,
  type Gamification,
  type Storage,
} from '../../src/index.ts'
import { NOON } from '../support/engine.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { GAME } from './game.ts'

export interface World {
  readonly schema: string
  readonly storage: Storage
  readonly engine: Gamification<DefinedGame>
  /** The host's own. */
  readonly pool: pg.Pool
  /** The host's own table, with a column `note`. */
  readonly orders: string
  /** The rows of every table of ours, as everybody else sees them. */
  dump(): Promise<Tables>
  notes(): Promise<readonly string[]>
  /** Sets the clock of all engines. */
  at(instant: string): void
  /** Another engine on the same schema, as another process has one. */
  another(options?: { readonly deadlineMs?: number }): Promise<Gamification<DefinedGame>>
  /** An unknown user. */
  nextUser(): string
}

export type Tables = { readonly [table: string]: readonly unknown[] }

/** A schema of its own for the tests of the file, with the game in it. */
export function useWorld(definition: GameDefinition = GAME): () => World {
  const nextSchema = useSchemas()
  const closings: (() => Promise<unknown>)[] = []
  let world: World | null = null
  // A transaction that a failed test left open would block the following tests.
  afterEach(async () => {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = $1 and state like 'idle in transaction%'`
    await world?.pool.query(text, [world.pool.options.application_name])
  })
  afterAll(async () => {
    for (const close of closings.reverse()) await close()
  })
  beforeAll(async () => {
    const [schema, hostSchema] = [nextSchema(), nextSchema()]
    const pool = new pg.Pool({ connectionString: databaseUrl(), max: 60, application_name: hostSchema })
    pool.on('connect', (client) => client.on('error', () => undefined))
    closings.push(() => pool.end())
    const orders = `"${hostSchema}".orders`
    await pool.query(`create schema "${hostSchema}"`)
    await pool.query(`create table ${orders} (note text primary key)`)

    let now = new Date(NOON)
    const open = async (deadlineMs: number): Promise<{ storage: Storage; engine: Gamification<DefinedGame> }> => {
      const storage = postgres(databaseUrl(), { schema, deadlineMs })
      const game = defineGame(definition)
      const engine = createGamification<DefinedGame>({ game, storage, clock: () => now })
      closings.push(() => engine.close())
      await engine.migrate()
      return { storage, engine }
    }
    const { storage, engine } = await open(10_000)
    const dumpText = await dumpTextOf(pool, schema)
    let users = 0
    world = {
      schema,
      storage,
      engine,
      pool,
      orders,
      dump: async () => (await pool.query<{ tables: Tables }>(dumpText)).rows[0]?.tables ?? {},
      notes: async () =>
        (await pool.query<{ note: string }>(`select note from ${orders} order by note`)).rows.map(({ note }) => note),
      at: (instant) => {
        now = new Date(instant)
      },
      another: async ({ deadlineMs = 10_000 } = {}) => (await open(deadlineMs)).engine,
      nextUser: () => {
        users += 1
        return `user-${users}`
      },
    }
  })
  return () => {
    if (world === null) throw new Error('The world is not open yet')
    return world
  }
}

/** Waits until so many calls of laurels wait for a lock. */
export async function waitForWaiters({ pool, schema }: World, count: number): Promise<void> {
  const text = `select count(*)::int as waiters from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query like '%' || $1 || '%'`
  await expect.poll(async () => (await pool.query(text, [schema])).rows[0]?.waiters).toBe(count)
}

/** One statement, so that all of it is as of one moment. */
async function dumpTextOf(pool: pg.Pool, schema: string): Promise<string> {
  const found = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = $1 order by 1`,
    [schema],
  )
  const tables = found.rows.map(
    ({ name }) =>
      `'${name}', (select coalesce(json_agg(row_to_json(t) order by t::text), '[]') from (${name === 'games' ? 'select epoch, fingerprint' : 'select *'} from "${schema}"."${name}") t)`,
  )
  return `select json_build_object(${tables.join(', ')}) as tables`
}
