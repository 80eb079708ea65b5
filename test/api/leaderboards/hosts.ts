import Database from 'better-sqlite3'
import pg from 'pg'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { DefinedGame, Gamification, Storage } from '../../../src/index.ts'
import { databaseUrl, giveBack, takeEmptySchema } from '../../support/postgres.ts'

type Engine = Gamification<DefinedGame>

/** The writer: an engine, or an engine within a transaction of the host. */
export interface Writer {
  readonly metrics: Engine['metrics']
  readonly achievements: Pick<Engine['achievements'], 'complete'>
  readonly users: Pick<Engine['users'], 'identify' | 'update'>
}

/** An empty database, and the host of the engine, who has a connection of its own to it. */
export interface Host {
  readonly storage: Storage
  /** Runs the work within one transaction of the host's. */
  transact(engine: Engine, work: (writer: Writer) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export const HOSTS: { readonly [storage: string]: () => Promise<Host> } = {
  sqlite: async () => {
    const database = new Database(':memory:')
    return {
      storage: sqlite(database),
      transact: async (engine, work) => {
        database.exec('begin immediate')
        await work(withinSqlite(engine, database))
        database.exec('commit')
      },
      close: async () => void database.close(),
    }
  },
  postgres: async () => {
    const schema = takeEmptySchema()
    const client = new pg.Client(databaseUrl())
    await client.connect()
    return {
      storage: postgres(databaseUrl(), { schema }),
      transact: async (engine, work) => {
        const tx = fromPg(client)
        await client.query('begin')
        await work({
          metrics: { event: (key, request) => engine.metrics.event(key, request, { tx }) },
          achievements: { complete: (key, request) => engine.achievements.complete(key, request, { tx }) },
          users: {
            identify: (id, update) => engine.users.identify(id, update, { tx }),
            update: (id, update) => engine.users.update(id, update, { tx }),
          },
        })
        await client.query('commit')
        await tx.committed()
      },
      close: async () => {
        // Transactions that a failed test left open.
        await client.query('rollback')
        await client.end()
        await giveBack(schema)
      },
    }
  },
}

function withinSqlite(engine: Engine, database: Database.Database): Writer {
  const at = async <T>(work: Parameters<typeof engine.within<T>>[1]): Promise<T> => engine.within(database, work)
  return {
    metrics: { event: (key, request) => at((g) => g.metrics.event(key, request)) },
    achievements: { complete: (key, request) => at((g) => g.achievements.complete(key, request)) },
    users: {
      identify: (id, update) => at((g) => g.users.identify(id, update)),
      update: (id, update) => at((g) => g.users.update(id, update)),
    },
  }
}
