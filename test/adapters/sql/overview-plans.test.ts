// What is read of all users together is found by indexes that have all it needs.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import type { SqlTraits } from '../../../adapters/sql/database.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../../adapters/sqlite/traits.ts'
import { store } from '../../../src/testing/storage/case.ts'
import { enter, RUN, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { ANN, award, event, NOON } from '../../../src/testing/storage/samples.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { type Sent, statementOf } from '../../support/statements.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

async function textsOf(traits: SqlTraits): Promise<readonly (readonly [name: string, sent: Sent])[]> {
  const asked = { at: NOON, most: 10 }
  const calls: { readonly [name: string]: Parameters<typeof statementOf>[1] } = {
    activity: (reads) => reads.activity('', NOON, NOON + 100),
    completions: (reads) => reads.completions('', 'novelist', { limit: 51 }),
    runs: (reads) => reads.leaderboardRuns('', 'weekly'),
    groups: (reads) => reads.leaderboardGroups('', 'weekly', RUN, { ...asked, after: 'a', limit: 10 }),
    entries: (reads) => reads.countEntries('', 'weekly', RUN, asked),
    backlog: (reads) => reads.backlog(NOON, 10),
  }
  return Promise.all(
    Object.entries(calls).map(async ([name, call]) => [name, await statementOf(traits, call)] as const),
  )
}

const ENTRIES = 'SEARCH laurels_leaderboard_entries USING COVERING INDEX laurels_leaderboard_order'
const OF_RUN = 'tenant_id=? AND leaderboard=? AND run=?'

test('in SQLite', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  const plans = (await textsOf(sqliteTraits)).map(([name, [text, values]]) => {
    const plan = database.prepare(`explain query plan ${text}`).all(values) as { readonly detail: string }[]
    return [name, plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN).*laurels_/.test(detail))]
  })
  expect(Object.fromEntries(plans)).toEqual({
    activity: [
      'SEARCH laurels_log USING COVERING INDEX laurels_log_by_time (tenant_id=? AND at>? AND at<?)',
      'SEARCH u USING INDEX laurels_users_by_created (tenant_id=? AND created>? AND created<?)',
      'SEARCH laurels_completions USING COVERING INDEX laurels_completions_by_time (tenant_id=?)',
      'SEARCH laurels_completions USING COVERING INDEX laurels_completions_by_time (tenant_id=? AND achievement>?)',
      'SEARCH c USING COVERING INDEX laurels_completions_by_time (tenant_id=? AND achievement=? AND at>? AND at<?)',
      'SEARCH laurels_awards USING COVERING INDEX laurels_awards_by_time (tenant_id=? AND at>? AND at<?)',
    ],
    completions: [
      'SEARCH laurels_completions USING INDEX laurels_completions_by_time (tenant_id=? AND achievement=? AND (at,user_id)<(?,?))',
    ],
    runs: [
      `${ENTRIES} (tenant_id=? AND leaderboard=? AND run<?)`,
      `${ENTRIES} (tenant_id=? AND leaderboard=? AND run<?)`,
    ],
    groups: [
      `${ENTRIES} (${OF_RUN} AND group_key>?)`,
      `${ENTRIES} (${OF_RUN} AND group_key>?)`,
      `SEARCH laurels_leaderboard_entries USING INDEX laurels_leaderboard_order (${OF_RUN} AND group_key=?)`,
      `${ENTRIES} (${OF_RUN} AND group_key=?)`,
    ],
    entries: [`${ENTRIES} (${OF_RUN})`],
    backlog: [
      'SEARCH laurels_users USING COVERING INDEX laurels_users_due (next_notice_at>? AND next_notice_at<?)',
      'SCAN laurels_messages USING INDEX laurels_messages_next',
      'SEARCH laurels_messages USING INDEX laurels_messages_due (due>? AND due<?)',
    ],
  })
})

/** By which indexes Postgres is to find what each of them reads. */
const INDEXES: { readonly [name: string]: readonly string[] } = {
  activity: [
    'laurels_log_by_time',
    'laurels_users_by_created',
    'laurels_log_key',
    'laurels_completions_by_time',
    'laurels_awards_by_time',
  ],
  completions: ['laurels_completions_by_time'],
  runs: ['laurels_leaderboard_order'],
  groups: ['laurels_leaderboard_order'],
  entries: ['laurels_leaderboard_order'],
}

test('in Postgres, before and after it has counted the rows', async () => {
  const schema = nextSchema()
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  const tables = ['log', 'awards', 'completions', 'leaderboard_entries']
  for (const table of tables) await client.query(`alter table ${schema}.${table} set (autovacuum_enabled = false)`)
  const lines = times(5_000, (n) => event(n + 1))
  const put = times(5_000, (n) => award(`award-${n}`, { at: NOON + n + 1, seq: n + 1, entryId: `entry-${n + 1}` }))
  await store(storage, ANN, { appended: lines, awards: { remove: [], put } })
  await enter(storage, Object.fromEntries(times(2_000, (n) => [`u-${n}`, { put: [row(n, { group: `g-${n % 9}` })] }])))
  await client.query(`insert into ${schema}.completions (tenant_id, user_id, achievement, at, entry_id, count)
    select '', 'u-' || n, 'novelist', ${NOON} + n, 'entry-1', 1 from generate_series(0, 1999) n`)
  for (const isCounted of [false, true]) {
    if (isCounted) for (const table of tables) await client.query(`analyze ${schema}.${table}`)
    for (const [name, [text, values]] of await textsOf(postgresTraits(schema))) {
      const { rows } = await client.query(`explain ${text}`, values)
      const plan = rows.map((line) => String(Object.values(line)[0])).join('\n')
      for (const index of INDEXES[name] ?? [])
        expect({ name, isCounted, plan }).toMatchObject({ plan: expect.stringContaining(index) })
      expect(plan).not.toMatch(/Seq Scan on (?!messages|users)/)
    }
  }
})
