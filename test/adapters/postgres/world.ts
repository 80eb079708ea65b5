import pg from 'pg'
import { onTestFinished } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, type Gamification, type Storage } from '../../../src/index.ts'
import { crashGame } from '../../crash/crash-game.ts'
import { NOON } from '../../support/engine.ts'
import { databaseUrl } from '../../support/postgres.ts'
import { type PostgresProxy, startProxy } from './proxy.ts'

export type Engine = Gamification<DefinedGame>

export const clock = (): Date => new Date(NOON)

/** An engine of the same game, as another process would have it. */
export function createEngine(storage: Storage): Engine {
  return createGamification<DefinedGame>({ game: crashGame, storage, clock })
}

/** A migrated schema with the game in it, and a proxy between it and the engines of a test. */
export interface World {
  readonly schema: string
  readonly proxy: PostgresProxy
  /** Past the proxy. */
  readonly direct: Storage
  /** Rows read without the proxy; `laurels.` in the text is replaced by the schema. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** An engine through the proxy, or on another storage, with the game known and a connection open. */
  open(options?: { readonly deadlineMs?: number; readonly storage?: Storage }): Promise<Engine>
  close(): Promise<void>
}

export async function createWorld(schema: string, url: string = databaseUrl()): Promise<World> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  const direct = postgres(pool, { schema })
  const proxy = await startProxy(url)
  const engines: Engine[] = []
  await createEngine(direct).migrate()

  return {
    schema,
    proxy,
    direct,
    query: async (text, values = []) => (await pool.query(text.replaceAll('laurels.', `"${schema}".`), values)).rows,
    open: async ({ deadlineMs = 10_000, storage = postgres(proxy.url, { schema, deadlineMs }) } = {}) => {
      const engine = createEngine(storage)
      engines.push(engine)
      await warmUp(engine)
      return engine
    },
    close: async () => {
      proxy.accept('openly')
      proxy.choose(() => 'passes')
      // A statement without an answer must not hold up the end of a test.
      proxy.breakAll()
      await Promise.all(engines.map((engine) => engine.close()))
      await direct.close()
      await proxy.close()
      await pool.end()
    },
  }
}

/** Reads the stored games, over a connection of the pool. A busy machine may not manage within a short deadline. */
async function warmUp(engine: Engine): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await engine.points.levelSummary('xp')
      return
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}

/** The same, closed after the test. */
export async function useWorld(schema: string): Promise<World> {
  const world = await createWorld(schema)
  onTestFinished(() => world.close())
  return world
}
