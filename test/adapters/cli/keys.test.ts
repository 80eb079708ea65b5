// @heavy: It takes more than three seconds.

import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createGamification, defineGame, type KeyHolder } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { describe, expect, test } from 'vitest'
import { type Called, laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const KEY = /^adm_[0-9a-hj-km-np-tv-z]{4}\.[A-Za-z0-9_-]{43}$/
const UUID_V7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

let databases = 0

interface Account {
  readonly db: string
  keys(...args: readonly string[]): Promise<Called>
  /** The ids and prefixes as `list --json` has them. */
  list(): Promise<readonly { readonly id: string; readonly prefix: string }[]>
  /** The holder of the key, as a server on this database sees it. */
  holder(key: string): Promise<KeyHolder | null>
}

/** A database with tables and without keys, at nine o'clock on 10 March 2026. */
async function openAccount(): Promise<Account> {
  databases += 1
  const db = file(`databases/${databases}/app.db`)
  await laurels(['migrate', '--db', db])
  const keys: Account['keys'] = (...args) => laurels(['keys', ...args, '--db', db], { now: '2026-03-10T09:00:00Z' })
  return {
    db,
    keys,
    list: async () => JSON.parse((await keys('list', '--json')).out),
    holder: async (key) => {
      const game = defineGame({ metrics: { words: { name: 'Words' } } })
      const gamification = createGamification({
        game,
        storage: sqlite(db),
        clock: () => new Date('2026-03-10T09:30:20Z'),
      })
      try {
        return await gamification.authenticate(key)
      } finally {
        await gamification.close()
      }
    },
  }
}

/** With the ids and prefixes of the keys replaced by how many there were before them. */
function masked(text: string, keys: readonly { readonly id: string; readonly prefix: string }[]): string {
  return keys.reduce((rest, { id, prefix }, index) => {
    return rest.replaceAll(id, `<id ${index + 1}>`).replaceAll(prefix, `<prefix ${index + 1}>`)
  }, text)
}

describe('keys create', () => {
  test('prints a key that works, alone on standard output, and says on the other that it is not shown again', async () => {
    const { keys, list, holder } = await openAccount()
    const { code, out, err } = await keys('create')
    expect(out.endsWith('\n')).toBe(true)
    expect(out.trimEnd()).toMatch(KEY)
    const [key] = await list()
    expect(out.slice(0, 8)).toBe(key?.prefix)
    expect(err).toBe(`Made the admin key ${key?.id}. Keep it now: it is not shown again.\n`)
    expect(key?.id).toMatch(new RegExp(`^${UUID_V7}$`))
    expect(code).toBe(0)
    expect(await holder(out.trimEnd())).toEqual({ kind: 'admin', keyId: key?.id })
  })
})

describe('keys list', () => {
  test('prints the keys, the oldest first, with creation, status and last use', async () => {
    const { keys, list, holder } = await openAccount()
    const first = (await keys('create')).out.trimEnd()
    await keys('create')
    const all = await list()
    await keys('revoke', all[1]?.prefix ?? '')
    await holder(first)
    const { code, out, err } = await keys('list')
    expect(
      masked(out, all)
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['prefix', 'id', 'status', 'created', 'last used'],
      ['<prefix 1>', '<id 1>', 'active', '2026-03-10T09:00:00.000Z', '2026-03-10T09:30:00.000Z'],
      ['<prefix 2>', '<id 2>', 'revoked', '2026-03-10T09:00:00.000Z', 'never'],
      [''],
    ])
    expect([code, err]).toEqual([0, ''])
  })
})

describe('keys rotate', () => {
  test('prints another key in place of the old one, which is invalid at once', async () => {
    const { keys, list, holder } = await openAccount()
    const old = (await keys('create')).out.trimEnd()
    const [before] = await list()
    const { code, out, err } = await keys('rotate', old.slice(0, 8))
    const [after] = await list()
    expect(after?.id).toBe(before?.id)
    expect(out.trimEnd()).toMatch(KEY)
    expect(out.slice(0, 8)).toBe(after?.prefix)
    expect(err).toBe(
      `Rotated the admin key ${before?.id}: ${old.slice(0, 8)} is invalid from now on. Keep it now: it is not shown again.\n`,
    )
    expect(code).toBe(0)
    expect(await holder(old)).toBe(null)
    expect(await holder(out.trimEnd())).toEqual({ kind: 'admin', keyId: before?.id })
  })
})

test('Only create and rotate print a secret', async () => {
  const { db, keys } = await openAccount()
  const created = (await keys('create')).out.trimEnd()
  const secrets = [created, (await keys('rotate', created.slice(0, 8))).out.trimEnd()].map((key) => key.slice(9))
  const prefix = (await keys('list')).out.slice(0, 8)
  const calls = [
    ['keys', 'list', '--db', db],
    ['keys', 'list', '--db', db, '--json'],
    ['keys', 'revoke', prefix, '--db', db],
    ['keys', 'reactivate', prefix, '--db', db, '--json'],
    ['info', '--db', db],
    ['info', '--db', db, '--json'],
    ['keys', 'revoke', created, '--db', db],
    ['keys', 'delete', prefix, '--db', db],
  ]
  for (const args of calls) {
    const { out, err } = await laurels(args)
    expect(secrets.filter((secret) => (out + err).includes(secret))).toEqual([])
  }
})

describe('the call', () => {
  test.each([
    [[], 'say what to do: create, list, rotate, revoke, reactivate, delete'],
    [['--db', 'x.db'], 'say what to do: create, list, rotate, revoke, reactivate, delete'],
    [['crate', '--db', 'x.db'], "unknown command 'crate'; did you mean 'create'?"],
    [
      ['create'],
      '--db is missing: give the path of the SQLite database, or the URL of a Postgres database, or set DATABASE_URL',
    ],
    [['create', '--db', 'keys.db', '--schema', 'game'], '--schema is for Postgres: leave it out'],
    [
      ['create', '--game', 'game.ts', '--db', 'x.db'],
      "unknown option '--game'; there are '--db', '--schema', '--json', '--user', '--application', '--tenant', '--help'",
    ],
    [['create', 'mine', '--db', 'x.db'], "there is an argument too many: 'mine'"],
    [['list', 'mine', '--db', 'x.db'], "there is an argument too many: 'mine'"],
    [['revoke', 'a', 'b', '--db', 'x.db'], "there is an argument too many: 'b'"],
    [['revoke', '--db', 'x.db'], '<key> is missing: laurels keys revoke <key>'],
    [['delete', '', '--db', 'x.db'], '<key> is missing: laurels keys delete <key>'],
    [['rotate', 'adm_abcd.secret', '--db', 'x.db'], 'give the prefix before the dot alone, not the whole key'],
  ])('%j is wrong: it says why, and exits with 2', async (args, message) => {
    const called = await laurels(['keys', ...args])
    expect(called).toMatchObject({ code: 2, out: '', err: `laurels: ${message}\nSee laurels keys --help\n` })
  })

  test.each(['create', 'list'])('%s makes no database, and does not touch one that is not of laurels', async (name) => {
    const missing = file('missing.db')
    expect(await laurels(['keys', name, '--db', missing])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: There is no database at ${missing}. Give another path, or make it: laurels migrate --db <file>\n`,
    })
    const foreign = file('foreign.db')
    new Database(foreign).exec('drop table if exists orders; create table orders (id integer)').close()
    const before = readFileSync(foreign)
    expect(await laurels(['keys', name, '--db', foreign])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: ${foreign} lacks tables of laurels. Give another path, or make them: laurels migrate --db <file>\n`,
    })
    expect(readFileSync(foreign)).toEqual(before)
  })
})
