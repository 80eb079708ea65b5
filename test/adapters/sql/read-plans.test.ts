// What looks back at years of entries and awards finds each row by its whole key.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import type { SqlTraits } from '../../../adapters/sql/database.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../../adapters/sqlite/traits.ts'
import { store } from '../../../src/testing/storage/case.ts'
import { ANN, award, event, NOON } from '../../../src/testing/storage/samples.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { type Sent, statementOf } from '../../support/statements.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

function textsOf(traits: SqlTraits): Promise<readonly Sent[]> {
  const place = { user: 'ann', at: NOON, seq: 9 }
  const ofXp = { of: { user: 'ann', system: 'xp' }, after: { ...place, system: 'xp', ordinal: 0 } }
  const calls: readonly Parameters<typeof statementOf>[1][] = [
    (reads) => reads.readEvents(ANN, { after: place }),
    (reads) => reads.eventValues('', { of: { user: 'ann', metric: 'words' }, after: place }),
    (reads) => reads.findEntries('', ['entry-1']),
    (reads) => reads.awardValues('', ofXp),
    (reads) => reads.eventValues(''),
    (reads) => reads.awardValues(''),
    (reads) => reads.eventsBy('', 'key-1', { after: place }),
    (reads) => reads.applicationKeys(''),
    (reads) => reads.applicationKeys('', { user: 'ann' }),
    (reads) => reads.heldEvents(''),
    (reads) => reads.heldEvents('', { user: 'ann' }),
  ]
  return Promise.all(calls.map((call) => statementOf(traits, call)))
}

const ENTRY = '(tenant_id=? AND entry_id=?)'
const BY_ENTRY = 'SEARCH laurels_log USING INDEX laurels_log_by_entry'
const COVERED = 'SEARCH laurels_log USING COVERING INDEX laurels_log_by_entry'
const LINE = 'SEARCH l USING PRIMARY KEY (tenant_id=? AND user_id=? AND at=? AND seq=?)'

test('in SQLite', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  const plans = (await textsOf(sqliteTraits)).map(([text, values]) => {
    const plan = database.prepare(`explain query plan ${text}`).all(values) as { readonly detail: string }[]
    return plan.map(({ detail }) => detail).filter((detail) => /^(?:SEARCH|SCAN) (?:laurels_|[al] )/.test(detail))
  })
  expect(plans).toEqual([
    ['SEARCH laurels_log USING PRIMARY KEY (tenant_id=? AND user_id=? AND (at,seq)>(?,?))'],
    ['SEARCH laurels_log USING PRIMARY KEY (tenant_id=? AND user_id=? AND (at,seq)>(?,?))'],
    [`${BY_ENTRY} ${ENTRY}`, ...times(3, () => `${COVERED} ${ENTRY}`), `${BY_ENTRY} ${ENTRY}`],
    ['SEARCH a USING PRIMARY KEY (tenant_id=? AND user_id=? AND system=? AND (at,seq,ordinal)>(?,?,?))', LINE],
    ['SEARCH laurels_log USING PRIMARY KEY (tenant_id=? AND (user_id,at,seq)>(?,?,?))'],
    ['SEARCH a USING PRIMARY KEY (tenant_id=? AND (user_id,system,at,seq,ordinal)>(?,?,?,?,?))', LINE],
    [
      'SEARCH laurels_log USING INDEX laurels_log_by_key (by_key=? AND (tenant_id,user_id,at,seq)>(?,?,?,?) AND tenant_id<?)',
    ],
    ['SEARCH laurels_api_keys USING INDEX laurels_keys_of_tenant (tenant_id=? AND id>?)'],
    ['SEARCH laurels_api_keys USING INDEX laurels_keys_of_user (tenant_id=? AND user_id=? AND id>?)'],
    ['SEARCH laurels_log USING INDEX laurels_log_held (tenant_id=? AND (user_id,at,seq)>(?,?,?))'],
    ['SEARCH laurels_log USING INDEX laurels_log_held (tenant_id=? AND user_id=? AND (at,seq)>(?,?))'],
  ])
})

test('in Postgres, which has not counted the rows', async () => {
  const schema = nextSchema()
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  for (const table of ['log', 'awards', 'api_keys']) {
    await client.query(`alter table ${schema}.${table} set (autovacuum_enabled = false)`)
  }
  const lines = times(5_000, (n) => event(n + 1, n % 100 === 0 ? { by: 'key-1' } : {}))
  const put = times(5_000, (n) => award(`award-${n}`, { at: NOON + n + 1, seq: n + 1, entryId: `entry-${n + 1}` }))
  await store(storage, ANN, { appended: lines, awards: { remove: [], put } })
  // As values of all users are read.
  await client.query('set enable_bitmapscan = off')
  for (const [text, values] of await textsOf(postgresTraits(schema))) {
    const { rows } = await client.query(`explain ${text}`, values)
    const plan = rows.map((row) => String(Object.values(row)[0])).join('\n')
    if (text.includes('by_key =')) expect(plan).toContain('laurels_log_by_key')
    expect(plan).not.toMatch(/Seq Scan|Join|Nested Loop|Bitmap|Sort Key: \w+\.user_id COLLATE "C", \w+\.(?:at|system)/)
  }
})
