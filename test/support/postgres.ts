import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { closeReleases, releaseSchema, stopReuse, takeSchema } from './schema-pool.ts'

/** `TEST_DATABASE_URL`, or that of a Postgres that the first call of all workers has started. */
export function databaseUrl(): string {
  process.env.TEST_DATABASE_URL ??= askForDatabase()
  return process.env.TEST_DATABASE_URL
}

/** The process of the global setup starts it. It is waited for without a promise: many files need the address to be loaded. */
function askForDatabase(): string {
  writeFileSync(fileOfRun('wanted'), '')
  const answer = fileOfRun('answer')
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(answer)) Atomics.wait(sleeper, 0, 0, 25)
  const told: { readonly url?: string; readonly failure?: string } = JSON.parse(readFileSync(answer, 'utf8'))
  if (told.url === undefined) throw new Error(told.failure ?? 'There is no database for tests')
  return told.url
}

/** A path in the directory that the global setup made for this run. */
function fileOfRun(name: string): string {
  const directory = process.env.LAURELS_TESTS_DIRECTORY
  if (directory === undefined) throw new Error('There is no database for tests')
  return join(directory, name)
}

let pool: pg.Pool | null = null

/**
 * One pool for what the tests of this worker open one after the other: a connection that stays open has read the
 * catalogue and planned the functions already, which takes longer than most tests.
 */
export function sharedPool(): pg.Pool {
  if (pool !== null) return pool
  const opened = new pg.Pool({
    connectionString: databaseUrl(),
    allowExitOnIdle: true,
    connectionTimeoutMillis: 10_000,
  })
  // The server ends before the workers do.
  opened.on('error', () => undefined)
  pool = opened
  return opened
}

function newName(): string {
  return `laurels_${randomBytes(8).toString('hex')}`
}

/** It outlives the tests of the file, so the global teardown has to know of it. */
function newKeptName(): string {
  const name = newName()
  appendFileSync(fileOfRun('schemas'), `${name}\n`)
  return name
}

/** Names of schemas that are not there yet, and are dropped after the tests of the file. */
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
    const name = newName()
    names.push(name)
    return name
  }
}

/** One for a part of a test, which gives it back with `giveBack`. */
export function takeEmptySchema(): string {
  return takeSchema() ?? newKeptName()
}

export function giveBack(schema: string): Promise<void> {
  return releaseSchema(databaseUrl(), schema)
}

/**
 * Names of schemas without a row, for tests that call `migrate()` and ignore its answer. Most have their tables already,
 * from an earlier test, because making them takes longer than most tests. A schema that a test asks for goes to another
 * test after it passed; any other goes to another file. Storages that write to it must be closed by then.
 */
export function useEmptySchemas(): () => string {
  const names: string[] = []
  afterAll(async () => {
    for (const name of names) await giveBack(name)
    await closeReleases()
  }, 600_000)
  return () => {
    const name = takeEmptySchema()
    try {
      onTestFinished(({ task }) => {
        if (task.result?.state === 'fail') stopReuse()
        return giveBack(name)
      }, 60_000)
    } catch {
      // Not within a test.
      names.push(name)
    }
    return name
  }
}
