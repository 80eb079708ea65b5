// What a host may have set for its schema, its database, its roles and its connections.

import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { storageSuite } from '../../../src/testing/storage-suite.ts'
import { POSTGRES_NAMES } from '../../support/migrations.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { asAdmin, useDatabases } from './races-database.ts'

const nextSchema = useSchemas()
const newDatabase = useDatabases()
const pools: pg.Pool[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
})

/** A pool of the host's, whose connections start with settings of its own. */
function poolWith(settings: { readonly [name: string]: string }, url: string = databaseUrl()): PostgresPool {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  const pool = new pg.Pool({ connectionString: url, options: options.join(' ') })
  pools.push(pool)
  return pool as unknown as PostgresPool
}

const CASES = [
  'the newest epoch is told when users are loaded and read',
  'awards are read newest first: by instant, then by arrival, then by their place in the entry',
  'numbers come back to the last bit',
  'every user of the tenant is there with its total in the one system, 0 without any',
  'fifty commits at once on one user lose nothing',
  'commits at once on several users lose nothing, whatever users they share',
  'when one save of a commit violates a constraint, none is stored',
  'of sixteen callers with the same epoch exactly one stores its game',
  'of fifty callers at once, as many store their admin key as there is room for',
]

async function expectCases(open: () => Storage): Promise<void> {
  const failed: string[] = []
  const cases = storageSuite.filter(({ name }) => CASES.includes(name))
  expect(cases).toHaveLength(CASES.length)
  for (const { name, run } of cases) {
    const storage = open()
    try {
      await storage.migrate()
      await run(storage)
    } catch (error) {
      failed.push(`${name}: ${error}`)
    } finally {
      await storage.close()
    }
  }
  expect(failed).toEqual([])
}

describe('A schema whose name', () => {
  test.each(['My "Schema"', 'a$$b', 'a$1b', 'a$&b', 'x$laurels$y', "it's", 'a\\b', '"laurels".', 'ü'.repeat(31)])(
    'is %s keeps everything',
    async (name) => {
      const [one] = storageSuite.filter((each) => each.name === CASES[1])
      await asAdmin(databaseUrl(), (client) =>
        client.query(`drop schema if exists ${client.escapeIdentifier(name)} cascade`),
      )
      const storage = postgres(databaseUrl(), { schema: name })
      try {
        await storage.migrate()
        await one?.run(storage)
        expect(await storage.listUsers()).toHaveLength(1)
      } finally {
        await storage.close()
        await asAdmin(databaseUrl(), (client) =>
          client.query(`drop schema if exists ${client.escapeIdentifier(name)} cascade`),
        )
      }
    },
  )
})

describe('A host whose connections', () => {
  test.each([
    { default_transaction_isolation: 'repeatable read' },
    { default_transaction_isolation: 'serializable' },
    { extra_float_digits: '0' },
    {
      standard_conforming_strings: 'off',
      search_path: 'nowhere',
      TimeZone: 'Asia/Tokyo',
      DateStyle: 'German',
      plan_cache_mode: 'force_generic_plan',
      jit_above_cost: '0',
      statement_timeout: '5s',
    },
  ])('have %j has what the interface promises', { timeout: 60_000 }, async (settings) => {
    const pool = poolWith(settings)
    await expectCases(() => postgres(pool, { schema: nextSchema() }))
  })

  test.each(['repeatable read', 'serializable'])('are %s can migrate in eight processes at once', async (level) => {
    const schema = nextSchema()
    const pool = poolWith({ default_transaction_isolation: level })
    const reports = await Promise.all(times(8, () => postgres(pool, { schema }).migrate().catch(String)))
    const migrated = { applied: POSTGRES_NAMES }
    expect(reports.filter((report) => typeof report === 'object' && report.applied.length > 0)).toEqual([migrated])
    expect(reports.filter((report) => JSON.stringify(report) === '{"applied":[]}')).toHaveLength(7)
  })
})

describe('A role that may only read and write', () => {
  test('migrates where nothing is to be migrated, and records events', async () => {
    const database = await newDatabase()
    const role = `laurels_role_${process.pid}`
    const owner = postgres(database.url)
    await owner.migrate()
    await owner.close()
    await database.query(`drop role if exists ${role}`)
    await database.query(`create role ${role} login password 'password'`)
    try {
      await database.query(`grant usage on schema laurels to ${role}`)
      await database.query(`grant select, insert, update, delete on all tables in schema laurels to ${role}`)
      const url = new URL(database.url)
      url.username = role
      url.password = 'password'
      const storage = postgres(url)
      const [one] = storageSuite.filter((each) => each.name === 'fifty commits at once on one user lose nothing')
      await one?.run(storage)
      expect(await storage.migrate()).toEqual({ applied: [] })
      await storage.close()
    } finally {
      await database.query(`drop owned by ${role}`)
      await database.query(`drop role ${role}`)
    }
  })
})

describe('A database that cannot keep every text', () => {
  test('is refused when it is migrated', async () => {
    const database = await newDatabase(`template template0 encoding 'LATIN1' locale 'C'`)
    const storage = postgres(database.url)
    const refusal = { code: 'storage_unusable', message: expect.stringContaining('UTF8') }
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await storage.close()
  })
})
