// Rows that were changed, deleted or invented past the storage are named one by one, and mended to the last byte.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownerQueries } from '../../adapters/sql/owners.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import type { Storage } from '../../src/storage.ts'
import type { DriftRow } from '../../src/storage-audit.ts'
import { factsOf, storeRich } from '../../src/testing/storage/audit-samples.ts'
import { ANN, NOON } from '../../src/testing/storage/samples.ts'
import { corruptibles, FALSE_AND_TRUE } from '../support/corruptions.ts'
import { dump } from '../support/dump.ts'
import { expectMended, type Rows } from '../support/expect-mended.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

async function open(file = nextFile()): Promise<{ storage: Storage; rows: Rows; database: Database.Database }> {
  const storage = sqlite(file, { synchronous: 'NORMAL' })
  await storage.migrate()
  const database = new Database(file)
  onTestFinished(async () => {
    await storage.close()
    database.close()
  })
  return { storage, rows: rowsOf(database), database }
}

function rowsOf(database: Database.Database): Rows {
  const equal = (row: DriftRow): string =>
    Object.keys(row)
      .map((column) => `${column} = ?`)
      .join(' and ')
  return {
    insert: async (table, row) => {
      const all = table === 'users' ? { ...row, version: 3 } : row
      const places = Object.keys(all).map(() => '?')
      const text = `insert into laurels_${table} (${Object.keys(all).join(', ')}) values (${places.join(', ')})`
      database.prepare(text).run(Object.values(all))
    },
    update: async (table, key, change) => {
      const set = Object.keys(change).map((column) => `${column} = ?`)
      const text = `update laurels_${table} set ${set.join(', ')} where ${equal(key)}`
      expect(database.prepare(text).run([...Object.values(change), ...Object.values(key)]).changes).toBe(1)
    },
    remove: async (table, key) => {
      const text = `delete from laurels_${table} where ${equal(key)}`
      expect(database.prepare(text).run(Object.values(key)).changes).toBe(1)
    },
    dump: async () => {
      const users = database.prepare('select * from laurels_users order by tenant_id, user_id').all() as object[]
      const others = [...dump(database, { everything: true })].filter(([name]) => name !== 'laurels_users')
      return [...others, users.map((row) => ({ ...row, version: 0 }))]
    },
  }
}

describe('a row of', () => {
  test.each(corruptibles(FALSE_AND_TRUE.sqlite))('$table that is wrong is named and mended', async (corruptible) => {
    const { storage, rows } = await open()
    await expectMended(storage, rows, corruptible)
  })
})

test('numbers that no number of JavaScript equals are named as nearly as can be, and mended', async () => {
  const { storage, rows, database } = await open()
  await storeRich(storage, ANN)
  const [facts, sound] = [await factsOf(storage, ANN), await rows.dump()]
  for (const at of [2n ** 60n + 1n, 2n ** 60n + 3n]) {
    database
      .prepare(`insert into laurels_awards
      select tenant_id, user_id, system, ?, seq, ordinal, award_id, trigger_id, entry_id, awarded, total from laurels_awards
        where at = ${NOON} and ordinal = 0`)
      .run(at)
  }
  database.prepare(`update laurels_totals set total = 9e999 where metric = 'words'`).run()
  const { version, drift } = await storage.audit(ANN, facts)
  expect(drift.map(({ table, stored }) => [table, stored?.total ?? null, stored?.at ?? null])).toEqual([
    ['totals', Number.POSITIVE_INFINITY, null],
    ['awards', 10, 2 ** 60],
    ['awards', 10, 2 ** 60],
  ])
  expect(await storage.repair(ANN, facts, version)).toBe(true)
  expect(await rows.dump()).toEqual(sound)
})

test('a user who is known from before is read anew after a repair, whatever a storage kept', async () => {
  const file = nextFile()
  const [{ storage, database }, { storage: other }] = [await open(file), await open(file)]
  await storeRich(storage, ANN)
  const facts = await factsOf(storage, ANN)
  database.prepare('delete from laurels_users').run()
  expect(await other.repair(ANN, facts, 0)).toBe(true)
  const { version } = await storage.audit(ANN, facts)
  // Not the version that the user had, or could have had.
  expect(version).toBeGreaterThan(2 ** 40)
  for (const each of [storage, other]) {
    await each.commit([{ ...ANN, lookups: [] }], ([user]) => {
      expect(user).toMatchObject({ version, state: facts.state })
      return [null]
    })
  }
})

test('owners are found by seeking, however long their logs are', async () => {
  const { database } = await open()
  const { owners, groups } = ownerQueries(sqliteTraits)
  const asked = { tenant_id: '', user_id: '', leaderboard: '', run: '', group_key: '', limit: 10 }
  for (const { text, values } of [
    { text: owners.text, values: owners.toValues(asked) },
    { text: groups.text, values: groups.toValues(asked) },
  ]) {
    const plan = database.prepare(`explain query plan ${text}`).all(values) as { readonly detail: string }[]
    const touched = plan.filter(({ detail }) => detail.includes('laurels_')).map(({ detail }) => detail)
    expect(touched.length).toBeGreaterThan(3)
    expect(touched.filter((detail) => !detail.startsWith('SEARCH laurels_'))).toEqual([])
  }
})
