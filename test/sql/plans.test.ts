// Queries find their rows by indexes, however many rows there are: looking back at years of one user, reading all users
// together, the longest streaks, and one of many deliveries that wait.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { postgresTraits } from '../../adapters/postgres/traits.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import { NO_STREAK } from '../../src/rules/state.ts'
import { loadApplicationKeys } from '../../src/sql/api-keys.ts'
import { loadAwardValues, loadSystemValues } from '../../src/sql/awards.ts'
import { compiler, type SqlTraits } from '../../src/sql/database.ts'
import { CLAIM as CLAIM_STATEMENT, type Delivery, toClaim } from '../../src/sql/deliveries.ts'
import {
  FIND_BY_KEY,
  FIND_BY_VALUE,
  findEntries,
  loadEvents,
  loadEventsBy,
  loadEventValues,
  loadHeldEvents,
  loadMetricValues,
} from '../../src/sql/log.ts'
import { ASSIGN_POSITIONS, assignPositions, INSERT_MESSAGES } from '../../src/sql/messages.ts'
import {
  countEntries,
  loadActivity,
  loadBacklog,
  loadCompletions,
  loadLeaderboardGroups,
  loadLeaderboardRuns,
} from '../../src/sql/overview.ts'
import { loadLongestStreaks } from '../../src/sql/user-lists.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { saveOf, store } from '../../src/testing/storage/case.ts'
import { enter, RUN, row } from '../../src/testing/storage/leaderboard-cases.ts'
import { delivery, storeDeliveries } from '../../src/testing/storage/outbox-samples.ts'
import { ANN, award, eventOf, NOON, sampleEvent } from '../../src/testing/storage/samples.ts'
import { times } from '../support/places.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { type Sent, statementOf } from '../support/statements.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

type Call = Parameters<typeof statementOf>[1]
type Values = Parameters<Database.Statement['all']>[0]

/** SQLite's plan for a statement, step by step. */
async function openSqlite(): Promise<(text: string, values: Values) => readonly string[]> {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  return (text, values) => {
    const plan = database.prepare(`explain query plan ${text}`).all(values) as { readonly detail: string }[]
    return plan.map(({ detail }) => detail).filter((detail) => /^(?:SEARCH|SCAN) /.test(detail))
  }
}

interface OnPostgres {
  readonly schema: string
  readonly storage: Storage
  readonly client: pg.Client
  /** Postgres' own plan for a statement. */
  plan(sent: Sent): Promise<string>
}

/** A schema in whose tables Postgres counts no rows by itself. */
async function openPostgres(tables: readonly string[]): Promise<OnPostgres> {
  const schema = nextSchema()
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  for (const table of tables) await client.query(`alter table ${schema}.${table} set (autovacuum_enabled = false)`)
  const plan = async ([text, values]: Sent): Promise<string> => {
    const { rows } = await client.query(`explain ${text}`, values)
    return rows.map((line) => String(Object.values(line)[0])).join('\n')
  }
  return { schema, storage, client, plan }
}

const storeYears = (storage: Storage, of: (n: number) => object = () => ({})): Promise<unknown> =>
  store(storage, ANN, {
    appended: times(5_000, (n) => sampleEvent(n + 1, of(n))),
    awards: {
      remove: [],
      put: times(5_000, (n) => award(`award-${n}`, { at: NOON + n + 1, seq: n + 1, entryId: `entry-${n + 1}` })),
    },
  })

// One user.

function readsOf(traits: SqlTraits): Promise<readonly Sent[]> {
  const place = { user: 'ann', at: NOON, seq: 9 }
  const calls: readonly Call[] = [
    (reads) => loadEvents(reads, ANN, { after: place }),
    (reads) => loadMetricValues(reads, ANN, 'words', { after: place }),
    (reads) => findEntries(reads, '', ['entry-1']),
    (reads) => loadSystemValues(reads, ANN, 'xp', { after: { ...place, ordinal: 0 } }),
    (reads) => loadEventValues(reads, ''),
    (reads) => loadAwardValues(reads, ''),
    (reads) => loadEventsBy(reads, '', 'key-1', { after: place }),
    (reads) => loadApplicationKeys(reads, ''),
    (reads) => loadApplicationKeys(reads, '', { user: 'ann' }),
    (reads) => loadHeldEvents(reads, ''),
    (reads) => loadHeldEvents(reads, '', { user: 'ann' }),
  ]
  return Promise.all(calls.map((call) => statementOf(traits, call)))
}

const ENTRY = '(tenant_id=? AND entry_id=?)'
const BY_ENTRY = 'SEARCH laurels_log USING INDEX laurels_log_by_entry'
const COVERED = 'SEARCH laurels_log USING COVERING INDEX laurels_log_by_entry'
const LINE = 'SEARCH l USING PRIMARY KEY (tenant_id=? AND user_id=? AND at=? AND seq=?)'

test('What looks back at years of entries and awards finds each row by its whole key: in SQLite', async () => {
  const explain = await openSqlite()
  const plans = (await readsOf(sqliteTraits)).map(([text, values]) =>
    explain(text, values).filter((detail) => /^\w+ (?:laurels_|[al] )/.test(detail)),
  )
  expect(plans).toEqual([
    ['SEARCH laurels_log USING PRIMARY KEY (tenant_id=? AND user_id=? AND (at,seq)>(?,?))'],
    ['SEARCH laurels_log USING PRIMARY KEY (tenant_id=? AND user_id=? AND (at,seq)>(?,?) AND at<?)'],
    [`${BY_ENTRY} ${ENTRY}`, ...times(3, () => `${COVERED} ${ENTRY}`), `${BY_ENTRY} ${ENTRY}`],
    ['SEARCH a USING PRIMARY KEY (tenant_id=? AND user_id=? AND system=? AND (at,seq,ordinal)>(?,?,?) AND at<?)', LINE],
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

test('and in Postgres, which has not counted the rows', async () => {
  const { schema, storage, client, plan } = await openPostgres(['log', 'awards', 'api_keys'])
  await storeYears(storage, (n) => (n % 100 === 0 ? { by: 'key-1' } : {}))
  // As values of all users are read.
  await client.query('set enable_bitmapscan = off')
  for (const sent of await readsOf(postgresTraits(schema))) {
    const found = await plan(sent)
    if (sent[0].includes('by_key =')) expect(found).toContain('laurels_log_by_key')
    expect(found).not.toMatch(/Seq Scan|Join|Nested Loop|Bitmap|Sort Key: \w+\.user_id COLLATE "C", \w+\.(?:at|system)/)
  }
})

// The lookups of each event.

const LOOKUPS = [
  ['laurels_log_by_idempotency', 'idempotency_key', FIND_BY_KEY, { idempotencyKey: 'chapter-7' }],
  ['laurels_log_by_value', 'new_value', FIND_BY_VALUE, { newValue: 'Oslo' }],
] as const

/** The lookups of a key or value of ann's words, each with its index and column. */
function lookupsOf(traits: SqlTraits): readonly (readonly [index: string, column: string, sent: Sent])[] {
  const compile = compiler(traits)
  return LOOKUPS.map(([index, column, statement, lookup]) => {
    const { text, toValues } = compile(statement)
    return [index, column, [text, toValues({ ...ANN, metric: 'words', ...lookup })]]
  })
}

test('Keys and values are looked up in the order of users, in which random keys of few users share pages: in SQLite', async () => {
  const explain = await openSqlite()
  for (const [index, column, [text, values]] of lookupsOf(sqliteTraits)) {
    expect(explain(text, values)).toEqual([
      `SEARCH laurels_log USING INDEX ${index} (tenant_id=? AND user_id=? AND metric=? AND ${column}=?)`,
    ])
  }
})

test('and in Postgres, where such a lookup reads no other index', async () => {
  const { schema, storage, client, plan } = await openPostgres(['log'])
  await storeYears(storage, (n) => ({ idempotencyKey: `chapter-${n}`, newValue: `city-${n}` }))
  for (const isCounted of [false, true]) {
    if (isCounted) await client.query(`analyze ${schema}.log`)
    for (const [index, column, sent] of lookupsOf(postgresTraits(schema))) {
      const found = await plan(sent)
      expect(found).toContain(`Index Scan using ${index} on log`)
      // Postgres names the columns in the order of the index.
      expect(found.match(/Index Cond: .*/)?.[0].match(/tenant_id|user_id|metric|idempotency_key|new_value/g)).toEqual([
        'tenant_id',
        'user_id',
        'metric',
        column,
      ])
    }
  }
})

// All users together.

async function overviewsOf(traits: SqlTraits): Promise<readonly (readonly [name: string, sent: Sent])[]> {
  const asked = { at: NOON, most: 10 }
  const calls: { readonly [name: string]: Call } = {
    activity: (reads) => loadActivity(reads, '', NOON, NOON + 100),
    completions: (reads) => loadCompletions(reads, '', 'novelist', { limit: 51 }),
    runs: (reads) => loadLeaderboardRuns(reads, '', 'weekly'),
    groups: (reads) => loadLeaderboardGroups(reads, '', 'weekly', RUN, { ...asked, after: 'a', limit: 10 }),
    entries: (reads) => countEntries(reads, '', 'weekly', RUN, asked),
    backlog: (reads) => loadBacklog(reads, NOON, 10),
  }
  return Promise.all(
    Object.entries(calls).map(async ([name, call]) => [name, await statementOf(traits, call)] as const),
  )
}

const ENTRIES = 'SEARCH laurels_leaderboard_entries USING COVERING INDEX laurels_leaderboard_order'
const OF_RUN = 'tenant_id=? AND leaderboard=? AND run=?'

test('What is read of all users together is found by indexes: in SQLite', async () => {
  const explain = await openSqlite()
  const plans = (await overviewsOf(sqliteTraits)).map(([name, [text, values]]) => [
    name,
    explain(text, values).filter((detail) => detail.includes('laurels_')),
  ])
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

test('and in Postgres, before and after it has counted the rows', async () => {
  const tables = ['log', 'awards', 'completions', 'leaderboard_entries']
  const { schema, storage, client, plan } = await openPostgres(tables)
  await storeYears(storage)
  await enter(storage, Object.fromEntries(times(2_000, (n) => [`u-${n}`, { put: [row(n, { group: `g-${n % 9}` })] }])))
  await client.query(`insert into ${schema}.completions (tenant_id, user_id, achievement, at, entry_id, count)
    select '', 'u-' || n, 'novelist', ${NOON} + n, 'entry-1', 1 from generate_series(0, 1999) n`)
  for (const isCounted of [false, true]) {
    if (isCounted) for (const table of tables) await client.query(`analyze ${schema}.${table}`)
    for (const [name, sent] of await overviewsOf(postgresTraits(schema))) {
      const found = await plan(sent)
      for (const index of INDEXES[name] ?? [])
        expect([name, isCounted, found.includes(index)]).toEqual([name, isCounted, true])
      expect(found).not.toMatch(/Seq Scan on (?!messages|users)/)
    }
  }
})

// The longest streaks.

const PAGE = { after: { length: 7, user: 'ann' }, limit: 10 }
const LONGEST = [
  ['length', 'laurels_users_by_streak', 'streak_length'],
  ['longest', 'laurels_users_by_longest', 'streak_longest'],
] as const

test('A page of the longest streaks is read in order from an index of SQLite', async () => {
  const explain = await openSqlite()
  for (const [by, index, column] of LONGEST) {
    const [text, values] = await statementOf(sqliteTraits, (reads) => loadLongestStreaks(reads, '', by, PAGE))
    expect(explain(text, values)).toEqual([
      `SEARCH laurels_users USING INDEX ${index} (tenant_id=? AND ${column}>? AND ${column}<?)`,
    ])
  }
})

test('and of Postgres', async () => {
  const { schema, storage, client, plan } = await openPostgres([])
  const requests = times(2_000, (n) => ({ tenant: '', user: `user-${n}`, lookups: [] }))
  await storage.commit(requests, (users) =>
    users.map((user, n) => {
      const streak = { ...NO_STREAK, length: n % 50, longest: n % 60 }
      return saveOf(user, { appended: [eventOf(user, 1)], state: { streak } })
    }),
  )
  await client.query(`analyze ${schema}.users`)
  for (const [by, index] of LONGEST) {
    const found = await plan(
      await statementOf(postgresTraits(schema), (reads) => loadLongestStreaks(reads, '', by, PAGE)),
    )
    expect(found.split('\n')[1]).toContain(`Index Scan using ${index} on users`)
    expect(found).not.toContain('Sort')
  }
})

// Messages, whose key begins with a number that grows.

async function messagesOf(traits: SqlTraits): Promise<readonly Sent[]> {
  const compile = compiler(traits)
  const [place, insert] = [compile(ASSIGN_POSITIONS), compile(INSERT_MESSAGES)]
  return [
    await statementOf(traits, (storage) => assignPositions(storage, 10)),
    [place.text, place.toValues({ limit: 10 })],
    [insert.text, insert.toValues({ rows: '[]' })],
  ]
}

test('Messages are placed, and emails found, without looking through all that are kept: in SQLite', async () => {
  const explain = await openSqlite()
  const plans = (await messagesOf(sqliteTraits)).map(([text, values]) =>
    explain(text, values).filter((detail) => / (?:laurels_messages|m) /.test(detail)),
  )
  const ofUser = 'SEARCH m USING COVERING INDEX laurels_messages_of_user (tenant_id=? AND user_id=?)'
  expect(plans).toEqual([
    ['SCAN laurels_messages USING INDEX laurels_messages_next'],
    [
      'SCAN laurels_messages USING INDEX laurels_messages_next',
      'SEARCH m USING COVERING INDEX sqlite_autoindex_laurels_messages_1 (number=? AND message_id=?)',
    ],
    ['SEARCH m USING INDEX laurels_messages_emails (message_id=?)', ofUser, ofUser],
  ])
})

test('and in Postgres, where most messages have a place', async () => {
  const { schema, client, plan } = await openPostgres(['messages'])
  await client.query(`insert into ${schema}.messages (number, message_id, type, at, tenant_id, user_id, data, position)
    select n, 'message-' || n, 'user.created', ${NOON}, '', 'u-' || n, '{}', nullif(n, 5000) from generate_series(1, 5000) n`)
  for (const isCounted of [false, true]) {
    if (isCounted) await client.query(`analyze ${schema}.messages`)
    const plans: string[] = []
    for (const sent of await messagesOf(postgresTraits(schema))) plans.push(await plan(sent))
    const [unplaced, place, insert] = plans
    expect(unplaced).toContain('laurels_messages_next')
    expect(place).toContain('laurels_messages_next')
    expect(insert).toContain('laurels_messages_of_user')
    expect(insert).toContain('laurels_messages_emails')
  }
})

// Deliveries.

const USERS = 50
const CLAIMED = 32

/** All are due, and all but the first of each user are held up by an earlier one. */
function waiting(count: number): readonly Delivery[] {
  return times(count, (n) => delivery('hook', n + 1, { user: `user-${n % USERS}` }))
}

const CLAIM = { claim: 'claim', until: NOON + 60_000, now: NOON, leaseNow: NOON, inOrder: true, limit: CLAIMED }

test('One of many deliveries that wait is found without looking through the others: in SQLite', async () => {
  const explain = await openSqlite()
  const claim = compiler(sqliteTraits)(CLAIM_STATEMENT)
  expect(explain(claim.text, claim.toValues(toClaim('hook', CLAIM)))).toEqual([
    'SEARCH d USING INDEX laurels_deliveries_due (receiver=? AND next_at<?)',
    'SEARCH e USING COVERING INDEX laurels_deliveries_in_order (receiver=? AND tenant_id=? AND user_id=?)',
    'SCAN l',
    'SEARCH d USING PRIMARY KEY (receiver=? AND position=?)',
  ])
})

interface PlanStep {
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanStep[]
}

/** How many rows of tables the steps of a plan went through. */
function rowsRead(step: PlanStep): number {
  const { 'Actual Rows': found, 'Actual Loops': loops, 'Rows Removed by Filter': passed = 0 } = step
  const own = step['Relation Name'] === undefined ? 0 : (found + passed) * loops
  return (step.Plans ?? []).map(rowsRead).reduce((sum, read) => sum + read, own)
}

test('and in Postgres, up to the last that is claimed', async () => {
  const { schema, storage, client } = await openPostgres(['deliveries'])
  await storeDeliveries(storage, waiting(5_000))
  const claim = compiler(postgresTraits(schema))(CLAIM_STATEMENT)
  const read = async (): Promise<number> => {
    const values = claim.toValues(toClaim('hook', { ...CLAIM, until: NOON }))
    const { rows } = await client.query(`explain (analyze, format json) ${claim.text}`, values)
    const { Plans }: PlanStep = rows[0]['QUERY PLAN'][0].Plan
    // Claimed rows are then joined by their key, or in a small table by all rows.
    const found = Plans?.find((step) => step['Subplan Name'] === 'CTE l')
    if (found === undefined) throw new Error('The plan has no step that finds deliveries')
    return rowsRead(found)
  }
  // Before Postgres has counted the rows, it looks at all deliveries of the users whose deliveries it claims.
  expect(await read()).toBeLessThan(2_000)
  await client.query(`analyze ${schema}.deliveries`)
  expect(await read()).toBeLessThan(8 * CLAIMED)
})
