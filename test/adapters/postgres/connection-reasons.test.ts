// @heavy: It takes more than three seconds.
// The reason and the address of a failed connection, in the message, in-process and on the command line, and never with
// a password.

import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isLost, provesUndone, toStorageError } from '../../../adapters/postgres/errors.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import type { Storage } from '../../../src/index.ts'
import { loadGames } from '../../../src/sql/games.ts'
import { laurels } from '../../support/cli.ts'
import { databaseUrl } from '../../support/postgres.ts'
import { asAdmin, useDatabases } from './races-database.ts'

const newDatabase = useDatabases()
const SECRET = 'hunter2-and-more'
const DEADLINE_MS = 2_000

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

describe('A database that takes no connections', () => {
  async function openClosed(deadlineMs: number) {
    const database = await newDatabase()
    const storage = postgres(database.url, { deadlineMs })
    onTestFinished(() => storage.close())
    const allow = (isAllowed: boolean) =>
      asAdmin(databaseUrl(), (admin) => admin.query(`alter database ${database.name} allow_connections ${isAllowed}`))
    await allow(false)
    return { storage, allow }
  }

  test('is waited for', async () => {
    const { storage, allow } = await openClosed(20_000)
    const migrating = storage.migrate()
    // The first attempts are refused.
    await sleep(200)
    await allow(true)
    expect(await migrating).toEqual({ applied: ['0001-schema'] })
  })

  test('is unavailable at the deadline', async () => {
    const { storage } = await openClosed(300)
    await expect(storage.migrate()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/not currently accepting connections.*Nothing was saved; try again\.$/),
    })
  })
})

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 1
}

async function failureOf(storage: Storage): Promise<Error> {
  onTestFinished(() => storage.close())
  return loadGames(storage).then(
    () => new Error('It could be reached'),
    (error: Error) => error,
  )
}

/** The text of an error that is printed with all its properties. */
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
        message: `Postgres at 127.0.0.1:${port} could not be reached: connect ECONNREFUSED 127.0.0.1:${port}. Nothing was saved; try again.`,
      })
      expect(printed(error)).not.toContain(SECRET)
    }
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
      `laurels: Postgres at 127.0.0.1:${port} could not be reached: connect ECONNREFUSED 127.0.0.1:${port}. Nothing was saved; try again.\n`,
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
