import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'

/** Set by the global setup. */
export function databaseUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined) throw new Error('There is no database for tests')
  return url
}

/** Names of schemas that are dropped after the tests of the file. */
export function useSchemas(): () => string {
  const names: string[] = []
  afterAll(async () => {
    if (names.length === 0) return
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    for (const name of names) await client.query(`drop schema if exists "${name}" cascade`)
    await client.end()
    // Thousands, where the soak goes through many histories.
  }, 600_000)
  return () => {
    const name = `laurels_${randomBytes(8).toString('hex')}`
    names.push(name)
    return name
  }
}
