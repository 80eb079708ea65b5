// Rows of keys that a host's own statement has changed: a script that erases users may well set their ids to null.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { createBare } from './bare.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

interface KeyTable {
  readonly storage: Storage
  /** The table of keys. */
  readonly table: string
  run(text: string): Promise<unknown>
  /** The same where the table does not check it yet. */
  force(text: string): Promise<unknown>
}

const DATABASES: readonly (readonly [name: string, open: () => KeyTable])[] = [
  [
    'SQLite',
    () => {
      const file = nextFile()
      const database = new Database(file)
      onTestFinished(() => void database.close())
      return {
        storage: sqlite(file),
        table: 'laurels_api_keys',
        run: async (text) => database.exec(text),
        force: async (text) => {
          database.pragma('ignore_check_constraints = on')
          database.exec(text)
          database.pragma('ignore_check_constraints = off')
        },
      }
    },
  ],
  [
    'Postgres',
    () => {
      const schema = nextSchema()
      const client = new pg.Pool({ connectionString: databaseUrl() })
      onTestFinished(() => client.end())
      const table = `${schema}.api_keys`
      return {
        storage: postgres(databaseUrl(), { schema }),
        table,
        run: (text) => client.query(text),
        force: (text) => client.query(`alter table ${table} drop constraint laurels_api_keys_kind; ${text}`),
      }
    },
  ],
]

interface Keys {
  readonly engine: Engine
  readonly admin: string
  readonly application: string
}

async function openKeys(storage: Storage): Promise<Keys> {
  const engine = await openOn(storage, { now: NOON }, { metrics: { words: { name: 'Words' } } })
  onTestFinished(() => engine.close())
  await engine.users.create({ id: 'ann' })
  const { key: admin } = await engine.adminKeys.create()
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
  return { engine, admin, application: created[0]?.key ?? '' }
}

const CHANGES: readonly (readonly [what: string, set: string])[] = [
  ['an application key without its user', `user_id = null where kind = 'application'`],
  ['an application key without its tenant', `tenant_id = null where kind = 'application'`],
  ['an application key that is said to be an admin key', `kind = 'admin' where kind = 'application'`],
  ['an application key of another kind', `kind = 'x' where kind = 'application'`],
  ['an admin key with a user', `tenant_id = '', user_id = 'ann' where kind = 'admin'`],
  ['an admin key with half an owner', `tenant_id = '' where kind = 'admin'`],
  ['an admin key that is said to be an application key', `kind = 'application' where kind = 'admin'`],
  ['an admin key of another kind', `kind = '' where kind = 'admin'`],
]

describe.each(DATABASES)('On %s', (_, open) => {
  test.each(CHANGES)('the table takes no row of %s', async (_, set) => {
    const { storage, table, run } = open()
    const { engine, admin, application } = await openKeys(storage)
    await expect(run(`update ${table} set ${set}`)).rejects.toThrow(/check constraint|CHECK constraint/)
    expect(await engine.authenticate(admin)).toMatchObject({ kind: 'admin' })
    expect(await engine.authenticate(application)).toMatchObject({ kind: 'application', userId: 'ann' })
  })

  test.each(CHANGES)('%s is no key', async (what, set) => {
    const { storage, table, force } = open()
    const { engine, admin, application } = await openKeys(storage)
    await force(`update ${table} set ${set}`)
    const [key, other] = what.startsWith('an admin key') ? [admin, application] : [application, admin]
    expect(await engine.authenticate(key)).toBeNull()
    const bare = createBare(engine)
    const ask = (path: string, given: string) => bare.ask({ method: 'GET', path, headers: [['X-API-KEY', given]] })
    for (const path of ['/v1/users/ann', '/v1/users/bob', '/v1/achievements', '/v1/points/xp/summary']) {
      expect(await ask(path, key)).toMatchObject({ status: 401 })
    }
    expect(await ask('/v1/users/ann', other)).toMatchObject({ status: 200 })
    expect((await engine.adminKeys.list()).length).toBe(key === admin ? 0 : 1)
  })
})
