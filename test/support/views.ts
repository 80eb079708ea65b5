import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { databaseUrl, giveBack, takeEmptySchema } from './postgres.ts'
import { closeReleases } from './schema-pool.ts'

export type Row = { readonly [column: string]: unknown }

/** A database and the queries of an analyst; `{name}` in a text is replaced by the view or table of that name. */
export interface ViewsDatabase {
  readonly storage: Storage
  ask(text: string): Promise<readonly Row[]>
  /** The plan as the database tells it, one step a line. */
  plan(text: string): Promise<string>
  /** After the storage. */
  close(): Promise<void>
}

const NAMED = /\{(\w+)\}/g

function viewsInSqlite(): ViewsDatabase {
  const database = new Database(':memory:')
  const ask = async (text: string): Promise<readonly Row[]> => {
    const statement = database.prepare<[], Row>(text.replaceAll(NAMED, 'laurels_$1'))
    if (statement.reader) return statement.all()
    statement.run()
    return []
  }
  return {
    storage: sqlite(database),
    ask,
    plan: async (text) => (await ask(`explain query plan ${text}`)).map(({ detail }) => String(detail)).join('\n'),
    close: async () => void database.close(),
  }
}

function viewsInPostgres(): ViewsDatabase {
  const schema = takeEmptySchema()
  const ask = async (text: string): Promise<readonly Row[]> =>
    (await (await connect()).query<Row>(text.replaceAll(NAMED, `"${schema}".$1`))).rows
  return {
    storage: postgres(databaseUrl(), { schema }),
    ask,
    plan: async (text) => (await ask(`explain ${text}`)).map((row) => String(row['QUERY PLAN'])).join('\n'),
    close: () => giveBack(schema),
  }
}

let client: pg.Client | null = null

async function connect(): Promise<pg.Client> {
  if (client !== null) return client
  client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  return client
}

/** Call it in each file that uses views of Postgres. */
export function closeViewsAfterAll(): void {
  afterAll(async () => {
    await client?.end()
    client = null
    await closeReleases()
  })
}

export const VIEWS_DATABASES: readonly (readonly [name: string, open: () => ViewsDatabase])[] = [
  ['SQLite', viewsInSqlite],
  ['Postgres', viewsInPostgres],
]
