import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer | null = null

/** The database of all tests that need one: that of `TEST_DATABASE_URL`, or one of our own. */
export async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return
  server = await startPostgres()
  process.env.TEST_DATABASE_URL = server.url
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
