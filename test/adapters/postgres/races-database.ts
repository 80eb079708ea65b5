import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import { databaseUrl } from '../../support/postgres.ts'

export interface OwnDatabase {
  readonly url: string
  readonly name: string
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

/** Makes databases beside that of all tests, which are dropped after the tests of the file; `settings` ends `create database`. */
export function useDatabases(url: string = databaseUrl()): (settings?: string) => Promise<OwnDatabase> {
  const made: string[] = []
  const clients: pg.Client[] = []
  afterAll(async () => {
    for (const client of clients) await client.end()
    await asAdmin(url, async (admin) => {
      for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
    })
  })
  return async (settings = '') => {
    const name = `laurels_test_${randomBytes(8).toString('hex')}`
    made.push(name)
    await asAdmin(url, (admin) => admin.query(`create database ${name} ${settings}`))
    const own = new URL(url)
    own.pathname = name
    const client = new pg.Client({ connectionString: own.href })
    await client.connect()
    clients.push(client)
    return { url: own.href, name, query: async (text, values = []) => (await client.query(text, [...values])).rows }
  }
}

export async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** How often Postgres had to end a deadlock in the database; to be asked when the others have closed their connections. */
export async function deadlocksIn({ query, name }: OwnDatabase): Promise<number> {
  const [row] = await query<{ deadlocks: number }>(
    'select deadlocks::int as deadlocks from pg_stat_database where datname = $1',
    [name],
  )
  return row?.deadlocks ?? Number.NaN
}
