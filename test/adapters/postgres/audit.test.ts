// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// Rows that were changed, deleted or invented past the storage are named one by one, and mended to the last bit, beside
// others who write.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { auditRows, loadBlockGroups, repairRows } from '../../../src/sql/audit.ts'
import { loadUser, lockAndLoadUser } from '../../../src/sql/read-user.ts'
import type { DriftRow } from '../../../src/storage/audit.ts'
import { runSteps } from '../../../src/storage/steps.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { readFacts, storeRich } from '../../../src/testing/storage/audit-samples.ts'
import { saveOf, store } from '../../../src/testing/storage/case.ts'
import { enter, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { ANN, NOON, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { auditCases } from '../../sql/cases/audit-cases.ts'
import { BREAKS, describeBlocks, expectRanks, fill, GROUP } from '../../support/broken-blocks.ts'
import { corruptibles, FALSE_AND_TRUE, toStored } from '../../support/corruptions.ts'
import { expectMended, type Rows } from '../../support/expect-mended.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { type Query, readCounts } from './leaderboards-counts.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'

const newDatabase = useDatabases()
/** Compares letters before their case and numbers by their value, and passes over signs; else as the server does. */
const ICU = `template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US-u-kn-true-ka-shifted'`
const newIcuDatabase = (): Promise<OwnDatabase> => newDatabase(ICU).catch(() => newDatabase())

const schema = useSchemas()()
const pool = new pg.Pool({ connectionString: databaseUrl(), max: 4 })
const table = (name: string): string => `"${schema}".${name}`
const query: Query = async (text) => (await pool.query(text)).rows
const TABLES = [
  'users',
  'log',
  'totals',
  'tallies',
  'completions',
  'points',
  'awards',
  'movements',
  'streak_periods',
  'streak_pauses',
  'given_boosts',
  'snapshots',
  'leaderboard_entries',
  'leaderboard_blocks',
  'leaderboard_pending',
  'counters',
  'messages',
  'outbox_head',
  'documents',
  'deliveries',
]

let storage: Storage
let other: Storage
beforeAll(async () => {
  storage = postgres(databaseUrl(), { schema })
  other = postgres(pool, { schema })
  await storage.migrate()
})
beforeEach(async () => {
  await pool.query(`truncate ${TABLES.map(table).join(', ')}`)
  // No process may remember a deleted user.
  await storage.close()
  storage = postgres(databaseUrl(), { schema })
})
afterAll(async () => {
  await storage.close()
  await other.close()
  await pool.end()
})

function equal(row: DriftRow, from: number): string {
  return Object.keys(row)
    .map((column, index) => `${column} = $${from + index}`)
    .join(' and ')
}

const rows: Rows = {
  insert: async (name, row) => {
    const all = name === 'users' ? { ...row, version: 3 } : row
    const places = Object.keys(all).map((_, index) => `$${index + 1}`)
    const text = `insert into ${table(name)} (${Object.keys(all).join(', ')}) values (${places.join(', ')})`
    await pool.query(
      text,
      Object.entries(all).map(([column, value]) => toStored(name, column, value)),
    )
  },
  update: async (name, key, change) => {
    const set = Object.keys(change).map((column, index) => `${column} = $${index + 1}`)
    const changed = Object.entries(change).map(([column, value]) => toStored(name, column, value))
    const values = [...changed, ...Object.values(key)]
    const text = `update ${table(name)} set ${set.join(', ')} where ${equal(key, set.length + 1)}`
    expect((await pool.query(text, values)).rowCount).toBe(1)
  },
  remove: async (name, key) => {
    const text = `delete from ${table(name)} where ${equal(key, 1)}`
    expect((await pool.query(text, Object.values(key))).rowCount).toBe(1)
  },
  dump: async () => {
    const dumped = TABLES.map(async (name) => {
      const text = name === 'users' ? `(to_jsonb(t) - 'version')::text` : 't::text'
      return [name, await query(`select ${text} as row from ${table(name)} t order by 1`)]
    })
    return Promise.all(dumped)
  },
}

describe('a row of', () => {
  test.each(corruptibles(FALSE_AND_TRUE.postgres))('$table that is wrong is named and mended', async (corruptible) => {
    await expectMended(storage, rows, corruptible)
  })
})

test('numbers that no number of JavaScript equals are named as nearly as can be, and mended', async () => {
  await storeRich(storage, ANN)
  const [facts, sound] = [await readFacts(storage, ANN), await rows.dump()]
  const text = `insert into ${table('awards')} (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total)
    select tenant_id, user_id, system, $1::bigint, seq, ordinal, award_id, trigger_id, entry_id, awarded, total from ${table('awards')} where at = ${NOON} and ordinal = 0`
  for (const at of ['1152921504606846977', '1152921504606846979']) await pool.query(text, [at])
  await pool.query(`update ${table('totals')} set total = 'Infinity', highest = 'NaN' where metric = 'words'`)
  const { version, drift } = await auditRows(storage, ANN, facts)
  expect(drift.map(({ stored }) => [stored?.total ?? null, stored?.highest ?? null, stored?.at ?? null])).toEqual([
    ['Infinity', 'NaN', null],
    [10, null, 2 ** 60],
    [10, null, 2 ** 60],
  ])
  expect(await repairRows(storage, ANN, facts, version)).toBe(true)
  expect(await rows.dump()).toEqual(sound)
})

describe('beside others who write', () => {
  test('an audit waits for nobody, and a repair for a host that holds the user, then finds that it has changed', async () => {
    await storeRich(storage, ANN)
    const facts = await readFacts(storage, ANN)
    const client = await pool.connect()
    await client.query('begin')
    const joined = other.joinTransaction(fromPg(client))
    const view = await runSteps(lockAndLoadUser(joined, ANN))
    const { version, drift } = await auditRows(storage, ANN, facts)
    expect(drift).toEqual([])
    const repairing = repairRows(storage, ANN, facts, version)
    await sleep(100)
    await joined.savepoint(
      async () => void (await joined.save(ANN, view, saveOf(view, { appended: [sampleEvent(2)] }))),
    )
    await client.query('commit')
    client.release()
    expect(await repairing).toBe(false)
    expect((await loadUser(storage, ANN)).state?.seq).toBe(2)
  })

  test('who remembers a user reads it anew after a repair by another process', async () => {
    await storeRich(storage, ANN)
    await store(other, ANN, { appended: [sampleEvent(2)] })
    const facts = await readFacts(storage, ANN)
    for (const breaking of ['update $ set name = null', 'delete from $']) {
      await pool.query(breaking.replace('$', table('users')))
      const { version } = await auditRows(storage, ANN, facts)
      expect(await repairRows(storage, ANN, facts, version)).toBe(true)
      const seen: unknown[] = []
      await other.commit([{ ...ANN, lookups: [] }], (users) =>
        users.map((user) => {
          seen.push(user.state)
          return saveOf(user, { state: { updated: NOON + 9 } })
        }),
      )
      expect(seen.at(-1)).toEqual(facts.state)
    }
  })
})

describe('blocks of a leaderboard', () => {
  const breakBlocks = async (text: string): Promise<void> => {
    expect((await pool.query(text.replace('blocks', table('leaderboard_blocks')))).rowCount).toBeGreaterThan(0)
  }

  test.each(BREAKS)('$name: told, and counted anew', async ({ text }) => {
    await fill(storage)
    expect(await loadBlockGroups(storage)).toEqual([GROUP])
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    await breakBlocks(text)
    expect(await storage.auditBlocks(GROUP)).not.toEqual([])
    await storage.auditBlocks(GROUP, { repair: true })
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    expect((await readCounts(query, schema)).faults).toEqual([])
    await expectRanks(storage)
    await enter(storage, { 'user--1': { put: [row(1)], unlimited: ['weekly'] } })
    expect(await storage.auditBlocks(GROUP)).toEqual([])
  })

  test('wrong counts are told, and mended to the last bit; what hosts have left is none', async () => {
    await fill(storage)
    const client = await pool.connect()
    await client.query('begin')
    const joined = other.joinTransaction(fromPg(client))
    await joined.savepoint(async () => {
      for (const user of ['late-1', 'late-2']) {
        const key = { tenant: '', user }
        const view = await runSteps(lockAndLoadUser(joined, key))
        const leaderboards = { put: [row(-700)], remove: [] }
        await joined.save(key, view, saveOf(view, { leaderboards, unlimited: ['weekly'] }))
      }
    })
    await client.query('commit')
    client.release()
    expect((await readCounts(query, schema)).pending).toBe(2)
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    await breakBlocks('update blocks set count = 0')
    await storage.auditBlocks(GROUP, { repair: true })
    const sound = await rows.dump()
    await breakBlocks('update blocks set count = count + 3 where minus_value < 0')
    expect(describeBlocks(await storage.auditBlocks(GROUP))).toEqual(['-1e+308: 237 -> 234'])
    await storage.auditBlocks(GROUP, { repair: true })
    expect(await rows.dump()).toEqual(sound)

    await breakBlocks('delete from blocks where minus_value > 0')
    await storage.auditBlocks(GROUP, { repair: true })
    expect(await readCounts(query, schema)).toMatchObject({ faults: [], pending: 2 })
    await enter(storage, { first: { put: [row(1)], unlimited: ['weekly'] } })
    expect(await readCounts(query, schema)).toMatchObject({ faults: [], pending: 0 })
    expect(await storage.auditBlocks(GROUP)).toEqual([])
  })
})

test('whatever the order of the database, and the name of the schema', async () => {
  const own = `la"u'r$1 "els`
  const { url } = await newIcuDatabase()
  for (const { run } of auditCases) {
    const its = postgres(url, { schema: own })
    await its.migrate()
    await run(its).finally(() => its.close())
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`drop schema "${own.replaceAll('"', '""')}" cascade`)
    await client.end()
  }
}, 120_000)
