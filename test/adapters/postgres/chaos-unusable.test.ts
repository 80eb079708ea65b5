// @heavy: It breaks connections to Postgres.
// Databases that cannot be used: each call says so with the right code, in words that help, and within the deadline.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { isGamificationError, type Storage } from '../../../src/index.ts'
import { loadGames } from '../../../src/sql/games.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { ANN, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { limit } from '../../support/busy-machine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas, useSchemas } from '../../support/postgres.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { expectTruth, outcomesOf, tell } from './told.ts'
import { createEngine, createWorld, useWorld } from './world.ts'

/** For what is refused at once, also on a machine that is busy. */
const DEADLINE_MS = 3_000
/** For what is tried until then. */
const SHORT_DEADLINE_MS = 300
const nextSchema = useSchemas()
const nextEmptySchema = useEmptySchemas()

interface Refusal {
  readonly code: string
  readonly message: string
  readonly took: number
}

async function refusalOf(call: () => Promise<unknown>): Promise<Refusal> {
  const start = performance.now()
  const error: unknown = await call().then(
    () => new Error('It was not refused'),
    (reason: unknown) => reason,
  )
  if (!isGamificationError(error)) throw error
  return { code: error.code, message: error.message, took: performance.now() - start }
}

/** Expects a read, a write and a migration to be refused alike. */
async function expectRefused(storage: Storage, code: string, message: RegExp): Promise<void> {
  const most = (code === 'unavailable' ? SHORT_DEADLINE_MS : 0) + 1_500
  onTestFinished(() => storage.close())
  const write = (): Promise<unknown> =>
    storage.commit([{ ...ANN, lookups: [] }], (users) =>
      users.map((user) => saveOf(user, { appended: [sampleEvent(1)] })),
    )
  for (const call of [() => loadGames(storage), write, () => storage.migrate()]) {
    const refusal = await refusalOf(call)
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(refusal.took).toBeLessThan(limit(most))
  }
}

function changed(change: (url: URL) => void): string {
  const url = new URL(databaseUrl())
  change(url)
  return url.href
}

function open(url: string, schema = nextSchema(), deadlineMs = DEADLINE_MS): Storage {
  return postgres(url, { schema, deadlineMs })
}

async function dropRole(role: string): Promise<void> {
  const client = new pg.Client(databaseUrl())
  await client.connect()
  await client.query(`drop owned by "${role}"`)
  await client.query(`drop role "${role}"`)
  await client.end()
}

describe('a database that cannot be used', () => {
  test('because nothing at the port answers', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      onTestFinished(() => void socket.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = changed((each) => {
      each.port = String(typeof address === 'object' ? address?.port : 1)
    })
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 100 })
    const message = new RegExp(`^Postgres at ${new URL(url).host} could not be reached: .*(time|timeout)`)
    await expectRefused(postgres(pool, { deadlineMs: SHORT_DEADLINE_MS }), 'unavailable', message)
  })

  test('because its schema was not migrated', async () => {
    const storage = open(databaseUrl())
    onTestFinished(() => storage.close())
    const engine = createEngine(storage)
    for (const call of [
      () => loadGames(storage),
      () => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }),
    ]) {
      expect(await refusalOf(call)).toMatchObject({
        code: 'storage_unusable',
        message: expect.stringMatching(/Call migrate\(\) first/),
      })
    }
  })

  test('because it is read-only', async () => {
    const world = await useWorld(nextEmptySchema())
    const url = changed((each) => each.searchParams.set('options', '-c default_transaction_read_only=on'))
    const storage = open(url, world.schema, SHORT_DEADLINE_MS)
    onTestFinished(() => storage.close())
    const engine = createEngine(storage)
    const event = (): Promise<unknown> => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const refusal = await refusalOf(event)
    expect(refusal).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/Nothing was saved/) })
    expect(refusal.took).toBeLessThan(limit(SHORT_DEADLINE_MS + 1_500))
    // The message must not send people after other processes.
    expect(refusal.message).not.toMatch(/Other processes/)
    expect((await engine.points.levels('xp')).length).toBe(3)
  })

  test('because more connections are open than it allows', async () => {
    const world = await useWorld(nextEmptySchema())
    const role = `${world.schema}_one`
    await world.query(`create role "${role}" login password 'password' connection limit 1`)
    const url = changed((each) => {
      each.username = role
    })
    await world.query(`grant all on schema "${world.schema}" to "${role}"`)
    await world.query(`grant all on all tables in schema "${world.schema}" to "${role}"`)
    onTestFinished(() => dropRole(role))
    const first = new pg.Client(url)
    await first.connect()
    const storage = open(url, world.schema, SHORT_DEADLINE_MS)
    expect(await refusalOf(() => loadGames(storage))).toMatchObject({ code: 'unavailable' })
    await first.end()
    expect(await loadGames(storage)).toHaveLength(1)
    await storage.close()
  })

  test('because a trigger says that there is no room', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const calls = [await tell(engine, { user: 'ann' })]
    await world.query(`create function laurels.full() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`)
    await world.query('create trigger full_disk before insert on laurels.log execute function laurels.full()')
    calls.push(...(await Promise.all(['ann', 'bob'].map((user) => tell(engine, { user })))))
    await world.query('drop trigger full_disk on laurels.log')
    calls.push(await tell(engine, { user: 'ann' }))
    expect(outcomesOf(calls)).toEqual(['stored', 'storage_full', 'storage_full', 'stored'])
    await expectTruth(world, calls)
  })
})

/**
 * A file system of a few megabytes, which only root can mount, or `null` if that is not possible. It goes after the
 * test.
 */
function mountSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const directory = mkdtempSync(join(tmpdir(), 'laurels-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    rmSync(directory, { recursive: true })
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', [directory])
    rmSync(directory, { recursive: true })
  })
  return directory
}

/** A server whose tables are in the directory. */
async function startIn(directory: string): Promise<PostgresServer> {
  const server = await startPostgres({ max_connections: '20', shared_buffers: '16MB' })
  onTestFinished(() => server.stop())
  const place = join(directory, 'tables')
  mkdirSync(place)
  execFileSync('chown', ['postgres', place])
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`create tablespace small location '${place}'`)
  await client.query(`alter database postgres set default_tablespace = 'small'`)
  await client.end()
  return server
}

/** Until the disk is full. */
function fill(file: string): void {
  for (let size = 1_048_576; size >= 4_096; ) {
    try {
      writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      size /= 2
    }
  }
}

test('a full disk refuses events with storage_full, loses none that was stored, and takes them again with room', async ({
  skip,
}) => {
  const disk = mountSmallDisk()
  if (disk === null) return skip('only root on Linux can mount a small disk')
  const { url } = await startIn(disk)
  const world = await createWorld('full', url)
  onTestFinished(() => world.close())
  const engine = await world.open()
  const calls = [await tell(engine, { user: 'ann' })]
  const filler = join(disk, 'filler')
  fill(filler)
  let refused = 0
  for (let count = 0; count < 400 && refused < 5; count += 1) {
    const users = times(8, (index) => `user ${count * 8 + index}`)
    const told = await Promise.all(users.map((user) => tell(engine, { user })))
    refused += told.filter(({ outcome }) => outcome !== 'stored').length
    calls.push(...told)
  }
  expect(new Set(outcomesOf(calls))).toEqual(new Set(['stored', 'storage_full']))
  rmSync(filler)
  const later = await Promise.all(['ann', 'zoe'].map((user) => tell(engine, { user })))
  expect(outcomesOf(later)).toEqual(['stored', 'stored'])
  await expectTruth(world, [...calls, ...later])
}, 60_000)
