import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let directory = ''
let timer: NodeJS.Timeout | undefined
let starting: Promise<PostgresServer | null> = Promise.resolve(null)

/**
 * The database of all tests that need one: that of `TEST_DATABASE_URL`, or one of our own. Ours is started when the first
 * worker asks for it, by a file in a directory that all workers know.
 */
export function setup(): void {
  directory = mkdtempSync(join(tmpdir(), 'laurels-tests-'))
  process.env.LAURELS_TESTS_DIRECTORY = directory
  if (process.env.TEST_DATABASE_URL !== undefined) return
  timer = setInterval(() => {
    if (!existsSync(join(directory, 'wanted'))) return
    clearInterval(timer)
    starting = start()
  }, 25)
}

async function start(): Promise<PostgresServer | null> {
  try {
    const server = await startPostgres()
    answer({ url: server.url })
    return server
  } catch (error) {
    answer({ failure: String(error) })
    return null
  }
}

/** Put there whole: a worker may be looking. */
function answer(told: { readonly url: string } | { readonly failure: string }): void {
  writeFileSync(join(directory, 'draft'), JSON.stringify(told))
  renameSync(join(directory, 'draft'), join(directory, 'answer'))
}

export async function teardown(): Promise<void> {
  clearInterval(timer)
  const server = await starting
  await server?.stop()
  await dropKept()
  rmSync(directory, { recursive: true, force: true })
}

/** The schemas that workers kept for their next tests, in a database that outlives the run. */
async function dropKept(): Promise<void> {
  const names = join(directory, 'schemas')
  if (process.env.TEST_DATABASE_URL === undefined || !existsSync(names)) return
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
  await client.connect()
  for (const name of readFileSync(names, 'utf8').trimEnd().split('\n')) {
    await client.query(`drop schema if exists "${name}" cascade`)
  }
  await client.end()
}
