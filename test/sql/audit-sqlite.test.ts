// @heavy: It takes more than three seconds.
// Rows that were changed, deleted or invented past the storage are named one by one, and mended to the last byte.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { compile } from '../../adapters/sqlite/traits.ts'
import { type AuditReport, createGamification, defineGame } from '../../src/index.ts'
import { auditCounters, auditRows, BLOCK_GROUPS, loadBlockGroups, OWNERS, repairRows } from '../../src/sql/audit.ts'
import type { DriftRow } from '../../src/storage/audit.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { readFacts, storeRich } from '../../src/testing/storage/audit-samples.ts'
import { saveOf } from '../../src/testing/storage/case.ts'
import { enter, KEY, row } from '../../src/testing/storage/leaderboard-cases.ts'
import { ANN, BOB, NOON } from '../../src/testing/storage/samples.ts'
import { checkBlocks } from '../api/leaderboards/check-blocks.ts'
import { BREAKS, describeBlocks, expectRanks, fill, GROUP } from '../support/broken-blocks.ts'
import { changeRow } from '../support/changed-rows.ts'
import { corruptibles, FALSE_AND_TRUE, toStored } from '../support/corruptions.ts'
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
      const positions = Object.keys(all).map(() => '?')
      const text = `insert into laurels_${table} (${Object.keys(all).join(', ')}) values (${positions.join(', ')})`
      database.prepare(text).run(Object.entries(all).map(([column, value]) => toStored(table, column, value)))
    },
    update: async (table, key, change) => {
      const set = Object.keys(change).map((column) => `${column} = ?`)
      const text = `update laurels_${table} set ${set.join(', ')} where ${equal(key)}`
      const values = Object.entries(change).map(([column, value]) => toStored(table, column, value))
      changeRow(database, text, [...values, ...Object.values(key)])
    },
    remove: async (table, key) => {
      const text = `delete from laurels_${table} where ${equal(key)}`
      changeRow(database, text, Object.values(key))
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
  const [facts, sound] = [await readFacts(storage, ANN), await rows.dump()]
  for (const at of [2n ** 60n + 1n, 2n ** 60n + 3n]) {
    database
      .prepare(`insert into laurels_awards (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts)
      select tenant_id, user_id, system, ?, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts from laurels_awards
        where at = ${NOON} and ordinal = 0`)
      .run(at)
  }
  database.prepare(`update laurels_totals set total = 9e999 where metric = 'words'`).run()
  const { version, drift } = await auditRows(storage, ANN, facts)
  expect(drift.map(({ table, stored }) => [table, stored?.total ?? null, stored?.at ?? null])).toEqual([
    ['totals', Number.POSITIVE_INFINITY, null],
    ['awards', 10, 2 ** 60],
    ['awards', 10, 2 ** 60],
  ])
  expect(await repairRows(storage, ANN, facts, version)).toBe(true)
  expect(await rows.dump()).toEqual(sound)
})

test('a user who is known from before is read anew after a repair, whatever a storage kept', async () => {
  const file = nextFile()
  const [{ storage, database }, { storage: other }] = [await open(file), await open(file)]
  await storeRich(storage, ANN)
  const facts = await readFacts(storage, ANN)
  database.prepare('delete from laurels_users').run()
  expect(await repairRows(other, ANN, facts, 0)).toBe(true)
  const { version } = await auditRows(storage, ANN, facts)
  // Not the version that the user had, or could have had.
  expect(version).toBeGreaterThan(2 ** 40)
  for (const each of [storage, other]) {
    await each.commit([{ ...ANN, lookups: [] }], ([user]) => {
      expect(user).toMatchObject({ version, state: facts.state })
      return [null]
    })
  }
})

test('the best of a leaderboard that are kept are read anew after a repair', async () => {
  const { storage, database } = await open()
  await enter(storage, { ann: { put: [row(5)] }, bob: { put: [row(3)] } })
  const facts = await readFacts(storage, ANN)
  database.prepare(`update laurels_leaderboard_entries set minus_value = 7 where user_id = 'ann'`).run()
  const before = async (): Promise<number | undefined> => {
    const standings = [{ ...KEY, limit: 10, at: NOON, margin: 1, positions: [{ value: 4, reachedAt: NOON }] }]
    const report = await storage.commit([{ ...BOB, lookups: [] }], (users) =>
      users.map((user) => saveOf(user, { ranks: standings })),
    )
    return report.saveGroups[0]?.users[0]?.ranks[0]?.before[0]
  }
  for (let times = 0; times < 12; times += 1) expect(await before()).toBe(0)
  const { version } = await auditRows(storage, ANN, facts)
  expect(await repairRows(storage, ANN, facts, version)).toBe(true)
  expect(await before()).toBe(1)
})

test('owners and groups are read in the order of an index, from the page on', async () => {
  const { database } = await open()
  const asked = { tenant: '', user: '', leaderboard: '', run: '', group: '', limit: 10 }
  for (const { text, toValues } of [compile(OWNERS), compile(BLOCK_GROUPS)]) {
    const plan = database.prepare(`explain query plan ${text}`).all(toValues(asked)) as { readonly detail: string }[]
    const touched = plan.filter(({ detail }) => detail.includes('laurels_')).map(({ detail }) => detail)
    expect(touched.length).toBeGreaterThan(0)
    expect(touched.filter((detail) => !detail.startsWith('SEARCH laurels_'))).toEqual([])
  }
})

describe('blocks of a leaderboard', () => {
  /** With the blocks that a repair makes. */
  const openFilled = async () => {
    const file = nextFile()
    const opened = await open(file)
    await fill(opened.storage)
    opened.database.prepare('update laurels_leaderboard_blocks set count = 0').run()
    await opened.storage.auditBlocks(GROUP, { repair: true })
    await expectRanks(opened.storage)
    expect(await loadBlockGroups(opened.storage)).toEqual([GROUP])
    expect(await opened.storage.auditBlocks(GROUP)).toEqual([])
    return { ...opened, file }
  }

  test.each(BREAKS)('$name: told, and counted anew', async ({ text }) => {
    const { storage, database, file } = await openFilled()
    expect(database.prepare(text.replace('blocks', 'laurels_leaderboard_blocks')).run().changes).toBeGreaterThan(0)
    expect(await storage.auditBlocks(GROUP)).not.toEqual([])
    await storage.auditBlocks(GROUP, { repair: true })
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    checkBlocks(file)
    await expectRanks(storage)
    await enter(storage, { 'user--1': { put: [row(1)], unlimited: ['weekly'] } })
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    checkBlocks(file)
  })

  test('wrong counts are told, and mended to the last byte', async () => {
    const { storage, database, rows } = await openFilled()
    const sound = await rows.dump()
    database.prepare(`update laurels_leaderboard_blocks set count = count + 3 where minus_value < 0`).run()
    expect(describeBlocks(await storage.auditBlocks(GROUP))).toEqual(['-1e+308: 237 -> 234'])
    await storage.auditBlocks(GROUP, { repair: true })
    expect(await rows.dump()).toEqual(sound)
  })

  test('an entry that is missing or invented is told of its blocks too, until it is mended', async () => {
    const { storage, database, rows } = await openFilled()
    const sound = await rows.dump()
    database.prepare(`delete from laurels_leaderboard_entries where user_id = 'user-5'`).run()
    expect(describeBlocks(await storage.auditBlocks(GROUP))).toEqual(['-1e+308: 234 -> 233'])
    const user = { tenant: '', user: 'user-5' }
    const facts = { ...(await readFacts(storage, user)), leaderboards: [row(-5)] }
    const { version } = await auditRows(storage, user, facts)
    expect(await repairRows(storage, user, facts, version)).toBe(true)
    expect(await rows.dump()).toEqual(sound)
    expect(await storage.auditBlocks(GROUP)).toEqual([])

    await rows.insert('leaderboard_entries', {
      tenant_id: '',
      user_id: 'ghost',
      leaderboard: GROUP.leaderboard,
      run: GROUP.run,
      group_key: '',
      minus_value: 5.5,
      reached_at: NOON,
      until: null,
      names: null,
    })
    expect(describeBlocks(await storage.auditBlocks(GROUP))).toEqual(['-1e+308: 234 -> 235'])
    const ghost = { tenant: '', user: 'ghost' }
    expect(await repairRows(storage, ghost, null, 0)).toBe(true)
    expect(await rows.dump()).toEqual(sound)
    expect(await storage.auditBlocks(GROUP)).toEqual([])
    await expectRanks(storage)
  })

  test('of a group without entries none are left', async () => {
    const { storage, database, rows } = await open()
    const sound = await rows.dump()
    database.prepare(`insert into laurels_leaderboard_blocks values ('t', 'l', 'r', 'g', 5, 0, 'u', 4)`).run()
    const group = { tenant: 't', leaderboard: 'l', run: 'r', group: 'g' }
    expect(await loadBlockGroups(storage)).toEqual([group])
    expect(await storage.auditBlocks(group)).toMatchObject([{ key: { minus_value: 5 }, expected: null }])
    await storage.auditBlocks(group, { repair: true })
    expect(await rows.dump()).toEqual(sound)
  })
})

test('counters that are wrong are told, and mended to the last byte', async () => {
  const { storage, database, rows } = await open()
  await storeRich(storage, ANN)
  await storeRich(storage, BOB)
  const sound = await rows.dump()
  database.exec(`update laurels_counters set count = 7 where kind = 'users'; delete from laurels_counters where kind = 'level';
    insert into laurels_counters (tenant_id, kind, key, slot, count)
      values ('', 'badges', '', 0, 3), ('t', 'completions', 'novelist', 0, 1), ('u', 'users', '', 0, 0)`)
  const found = await auditCounters(storage)
  expect(found.map(({ key, stored, expected }) => [...Object.values(key), stored?.count, expected?.count])).toEqual([
    ['', 'badges', '', 3, undefined],
    ['', 'level', '["xp","bronze"]', undefined, 2],
    ['', 'users', '', 7, 2],
    ['t', 'completions', 'novelist', 1, undefined],
  ])
  await auditCounters(storage, { repair: true })
  expect(await rows.dump()).toEqual(sound)
})

test('verify names a row that is missing and what counts it, and one rebuild mends all of it', async () => {
  const { storage, database, rows } = await open()
  const game = defineGame({
    metrics: { words: { name: 'Words' } },
    achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
    leaderboards: {
      words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    },
  })
  const engine = createGamification({ game, storage })
  for (const [id, value] of [
    ['ann', 3],
    ['bob', 2],
    ['cid', 1],
  ] as const) {
    await engine.metrics.event('words', { user: { id }, value })
  }
  const sound = await rows.dump()
  const told = ({ drift }: AuditReport): readonly string[] =>
    drift.map(({ table, stored, expected }) => `${table}: ${stored?.count ?? null} -> ${expected?.count ?? null}`)

  database.exec(`delete from laurels_leaderboard_entries where user_id = 'bob'`)
  expect(told(await engine.verify())).toEqual(['leaderboard_entries: null -> null', 'leaderboard_blocks: 3 -> 2'])
  database.exec(`delete from laurels_completions where user_id = 'ann';
    update laurels_counters set count = 2 where kind = 'completions'`)
  expect(told(await engine.verify())).toEqual([
    'completions: null -> 1',
    'leaderboard_entries: null -> null',
    'leaderboard_blocks: 3 -> 2',
  ])
  expect(told(await engine.verify({ after: { tenant: '', user: 'ann' } }))).not.toContain('completions: null -> 1')
  expect(told(await engine.rebuild())).toEqual([
    'completions: null -> 1',
    'leaderboard_entries: null -> null',
    'counters: 2 -> 3',
  ])
  expect(await engine.verify()).toMatchObject({ drift: [] })
  expect(await rows.dump()).toEqual(sound)
})
