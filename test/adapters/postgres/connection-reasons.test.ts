// Why and where a connection failed: told by the message, in-process and on the command line, and never with a password.

import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isLost, provesUndone, toStorageError } from '../../../adapters/postgres/errors.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, defineGame, type Storage } from '../../../src/index.ts'
import { laurels } from '../../support/cli.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'

const SECRET = 'hunter2-and-more'
const DEADLINE_MS = 2_000

const nextSchema = useEmptySchemas()

describe('Where a test runner has globals of its own, as Jest does,', () => {
  /** An error that is no instance of the `Error` of this file. */
  const foreign = (fields: object, kind = 'Error'): unknown =>
    runInNewContext(`Object.assign(new ${kind}('of elsewhere'), fields)`, { fields })

  test.each([
    [{ code: 'ECONNREFUSED' }, 'unavailable'],
    [{ code: '40001', severity: 'ERROR' }, 'unavailable'],
    [{ code: '53100', severity: 'ERROR' }, 'storage_full'],
    // Memory, or the room for locks, is used up for the moment; the disk is not.
    [{ code: '53200', severity: 'ERROR' }, 'unavailable'],
    [{ code: '42P01', severity: 'ERROR' }, 'storage_unusable'],
  ])('errors with %j still say %s', (fields, code) => {
    expect(toStorageError(foreign(fields)).code).toBe(code)
  })

  test('a connection that broke still proves nothing, and a fault of ours is still one', () => {
    expect([isLost(foreign({ code: 'ECONNRESET' })), isLost(foreign({}, 'TypeError'))]).toEqual([true, false])
    expect(provesUndone(foreign({ code: '23505', severity: 'ERROR' }))).toBe(true)
    expect(provesUndone(foreign({ code: 'XX000', severity: 'PANIC' }))).toBe(false)
  })
})

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 1
}

async function failureOf(storage: Storage): Promise<Error> {
  onTestFinished(() => storage.close())
  return storage.games().then(
    () => new Error('It could be reached'),
    (error: Error) => error,
  )
}

/** What whoever prints an error with all that hangs on it would see. */
const printed = (error: unknown): string => inspect(error, { depth: 20, showHidden: true })

function changed(change: (url: URL) => void): string {
  const url = new URL(databaseUrl())
  change(url)
  return url.href
}

const withSecret = changed((url) => {
  url.password = SECRET
})

describe('a database that cannot be reached is named with its reason', () => {
  test('given a URL, a pool or its parts', async () => {
    const port = await closedPort()
    const url = `postgres://ann:${SECRET}@127.0.0.1:${port}/app`
    const parts = new pg.Pool({ host: '127.0.0.1', port, user: 'ann', password: SECRET })
    const sources = [url, new URL(url), new pg.Pool({ connectionString: url }), parts]
    const storages = sources.map((source) => postgres(source as string, { deadlineMs: DEADLINE_MS }))
    for (const error of await Promise.all(storages.map(failureOf))) {
      expect(error).toMatchObject({
        code: 'unavailable',
        message: `Postgres at 127.0.0.1:${port} could not be reached: connect ECONNREFUSED 127.0.0.1:${port}. Nothing was stored; try again.`,
      })
      expect(printed(error)).not.toContain(SECRET)
    }
  })

  test('given an instance of kysely, which does not say where', async () => {
    const port = await closedPort()
    const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'ann', password: SECRET })
    pool.on('error', () => undefined)
    const kysely = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
    const error = await failureOf(postgres(kysely, { deadlineMs: DEADLINE_MS }))
    expect(error).toMatchObject({
      code: 'unavailable',
      message: `Postgres could not be reached: connect ECONNREFUSED 127.0.0.1:${port}. Nothing was stored; try again.`,
    })
    expect(printed(error)).not.toContain(SECRET)
  })

  test.each([
    ['does not answer', () => new Promise<never>(() => undefined)],
    ['answers after the deadline', () => new Promise<never>((_, reject) => setTimeout(reject, 400, new Error('late')))],
  ])('also where the last attempt %s', async (_, secondAttempt) => {
    const port = await closedPort()
    let attempts = 0
    const pool = new pg.Pool({ host: '127.0.0.1', port })
    const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
    const once = (): Promise<pg.PoolClient> => {
      attempts += 1
      return attempts === 1 ? connect() : secondAttempt()
    }
    const error = await failureOf(postgres(Object.assign(pool, { connect: once }), { deadlineMs: 300 }))
    expect(attempts).toBe(2)
    expect(error.message).toContain(`could not be reached: connect ECONNREFUSED 127.0.0.1:${port}.`)
  })

  test('also where an event of a known user is to be stored', async () => {
    const pool = new pg.Pool({ connectionString: databaseUrl() })
    let connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
    const storage = postgres(Object.assign(pool, { connect: () => connect() }), {
      schema: nextSchema(),
      deadlineMs: 1_000,
    })
    onTestFinished(() => storage.close())
    const engine = createGamification({ game: defineGame({ metrics: { words: { name: 'Words' } } }), storage })
    await engine.migrate()
    const add = () => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    await add()
    const port = await closedPort()
    const nowhere = new pg.Pool({ host: '127.0.0.1', port })
    let attempts = 0
    connect = () => {
      attempts += 1
      return attempts === 1 ? nowhere.connect() : new Promise<never>(() => undefined)
    }
    const error = await add().then(String, (reason: Error) => reason.message)
    expect(attempts).toBe(2)
    expect(error).toContain(`could not be reached: connect ECONNREFUSED 127.0.0.1:${port}.`)
  })

  test('by a name that has several addresses', async () => {
    const port = await closedPort()
    const error = await failureOf(postgres(`postgres://ann@localhost:${port}/app`, { deadlineMs: DEADLINE_MS }))
    const place = `Postgres at localhost:${port} could not be reached`
    expect(error.message).toMatch(
      new RegExp(`^${place}: (connect ECONNREFUSED [\\d.:a-f]+:${port}(: |\\. )){1,2}Nothing was`),
    )
  })
})

describe('what Postgres refuses is told apart, without the password', () => {
  test.each([
    [
      'the password',
      withSecret,
      /^Postgres did not accept the password: .*"postgres"\. Look at the user and the password\.$/,
    ],
    [
      'the database',
      changed((url) => {
        url.pathname = '/nowhere'
      }),
      /^There is no such database: database "nowhere" does not exist\. Create it, or give the name of another\.$/,
    ],
  ])('%s', async (_, url, message) => {
    const error = await failureOf(postgres(url))
    expect(error).toMatchObject({ code: 'storage_unusable', message: expect.stringMatching(message) })
    expect(printed(error)).not.toContain(SECRET)
  })
})

describe('the command line', () => {
  test('says what Postgres refused, without the password', async () => {
    const { code, err } = await laurels(['info', '--db', withSecret])
    expect(code).toBe(2)
    expect(err).toMatch(/^laurels: Postgres did not accept the password: .* Look at the user and the password\.\n$/)
    expect(err).not.toContain(SECRET)
  })

  test.skipIf(process.env.SOAK === undefined)('says why and where nothing was reached, after ten seconds', async () => {
    const port = await closedPort()
    const { code, err } = await laurels(['info', '--db', `postgres://ann:${SECRET}@127.0.0.1:${port}/app`])
    expect([code, err]).toEqual([
      2,
      `laurels: Postgres at 127.0.0.1:${port} could not be reached: connect ECONNREFUSED 127.0.0.1:${port}. Nothing was stored; try again.\n`,
    ])
  })

  test.each([
    'postgres://',
    `postgres://ann:${SECRET.replace('-', '/')}@db/app`,
    `postgres://ann:${SECRET}@db:port/app`,
  ])('says at once that %s is no connection string, without the password', async (url) => {
    const { code, err } = await laurels(['info', '--db', url])
    expect(code).toBe(2)
    expect(err).not.toMatch(/hunter2/)
  })
})
