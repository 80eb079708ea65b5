import { type RawBuilder, sql } from 'kysely'
import type { Drift, DriftRow, StorageAudit, UserAudit, UserFacts } from '../../src/storage/audit.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { toAwardColumns } from './awards.ts'
import {
  type Bind,
  columnList,
  rawStatement,
  type SqlDatabase,
  type SqlTraits,
  type Statement,
  same,
  tableOf,
} from './database.ts'
import { compareRows, DERIVED_TABLES, type DerivedName, type DerivedTable } from './derived-tables.ts'
import { toBlockGroup, toGroupColumns } from './leaderboard-blocks.ts'
import { GROUP, type LeaderboardColumns } from './leaderboards.ts'
import { insertStatement, toRowChanges } from './row-changes.ts'
import type { CountersTable, NoticeColumn, UserColumns, UsersTable } from './tables.ts'
import {
  newVersion,
  toNoticeCursor,
  toNoticeRow,
  toProfileColumns,
  toStateRow,
  toUserColumns,
  toUserKey,
} from './user-rows.ts'

/** Every row of a user, by table. */
export type UserRows = { readonly [Name in DerivedName]: readonly DriftRow[] }

/** What is stored of a user, as of one moment. */
export interface StoredUser {
  readonly lines: number
  readonly rows: UserRows
}

/** How one table is read, emptied of a user, and written again. */
export interface AuditedTable {
  readonly table: DerivedTable
  readonly read: Statement<UserColumns, DriftRow>
  readonly clear: Statement<UserColumns, unknown>
  readonly insert: Statement<DriftRow, unknown>
}

export interface AuditQueries {
  readonly lines: Statement<UserColumns, { readonly lines: number }>
  /** Each statement has two parameters, tenant and user, in this order: callers may join their texts. */
  readonly tables: readonly AuditedTable[]
  readonly counters: Statement<Readonly<Record<string, never>>, CounterRow>
}

/** The columns of a user's row that no log says, beside those that one does. */
type Status = Pick<UsersTable, 'version' | NoticeColumn>
const STATUS = Object.keys({ version: true, notices_sent_until: true, next_notice_at: true } satisfies Record<
  keyof Status,
  true
>)

export function auditQueries(traits: SqlTraits): AuditQueries {
  return {
    lines: rawStatement(traits, (bind) => {
      return sql<{ lines: number }>`select count(*) as lines from ${tableOf('log')}
        where ${same<UserColumns>(bind, ['tenant_id', 'user_id'])}`
    }),
    tables: DERIVED_TABLES.map((table) => auditedTable(traits, table)),
    counters: rawStatement(
      traits,
      () => sql<CounterRow>`select tenant_id, true as stored, kind, key, null as level, sum(count) as count
          from ${tableOf('counters')} group by tenant_id, kind, key having sum(count) <> 0
        union all select tenant_id, false, 'users', '', null, count(*)
          from ${tableOf('users')} where merged_into is null group by tenant_id
        union all select tenant_id, false, 'completions', achievement, null, count(*)
          from ${tableOf('completions')} group by tenant_id, achievement
        union all select tenant_id, false, 'level', system, level, count(*)
          from ${tableOf('points')} where level is not null group by tenant_id, system, level`,
    ),
  }
}

function auditedTable(traits: SqlTraits, derived: DerivedTable): AuditedTable {
  const columns = derived.name === 'users' ? [...derived.columns, ...STATUS] : derived.columns
  const table = { ...derived, columns }
  return {
    table,
    read: rawStatement(traits, (bind) => {
      return sql<DriftRow>`select ${columnList(columns)} from ${tableOf(table.shown)}
        where ${same<UserColumns>(bind, ['tenant_id', 'user_id'])}`
    }),
    clear: rawStatement(traits, (bind) => {
      return sql`delete from ${tableOf(table.name)} where ${same<UserColumns>(bind, ['tenant_id', 'user_id'])}`
    }),
    insert: insertStatement(traits, table),
  }
}

type Traits = Pick<SqlTraits, 'toBoolean'>

/** The rows that differ from the facts, in order of table, then key. */
export function compareWithFacts(
  traits: Traits,
  key: UserKey,
  { lines, rows }: StoredUser,
  facts: UserFacts | null,
): UserAudit {
  const [user] = rows.users
  const { version, notices } = statusOf(user)
  const stored = { ...rows, users: rows.users.map(withoutStatus) }
  const expected = onlyStored(toUserRows(traits, key, facts), stored)
  const drift = DERIVED_TABLES.flatMap((table) => compareRows(table, stored[table.name], expected[table.name]))
  return { version, lines, drift, snapshots: stored.snapshots.length, notices }
}

function statusOf(user: DriftRow | undefined): Pick<UserAudit, 'version' | 'notices'> {
  if (user === undefined) return { version: 0, notices: null }
  const { version, ...notices } = user as DriftRow & Status
  return { version, notices: toNoticeCursor(notices) }
}

function withoutStatus({ version: _, notices_sent_until: __, next_notice_at: ___, ...row }: DriftRow): DriftRow {
  return row
}

/** A user may have any of its snapshots, so a missing one is no drift. */
function onlyStored(expected: UserRows, stored: UserRows): UserRows {
  const known = new Set(stored.snapshots.map(({ lines }) => lines))
  return { ...expected, snapshots: expected.snapshots.filter(({ lines }) => known.has(lines ?? null)) }
}

/** The rows that saves would have left, as the changes from no user to the user. */
function toUserRows(traits: Traits, key: UserKey, facts: UserFacts | null): UserRows {
  if (facts === null) return toRows(() => [])
  const { state, awards, periods, leaderboards, snapshots = [] } = facts
  const { version: _, read_version: __, ...stateRow } = toStateRow(key, { read: 0, next: 0 }, state)
  const user = { ...stateRow, ...toProfileColumns(traits, state) }
  const changes = toRowChanges(key, null, {
    after: state,
    awards: { remove: [], put: [] },
    periods: { remove: [], put: periods },
    leaderboards: { remove: [], put: leaderboards },
    snapshots: { after: null, put: snapshots },
  })
  const awardRows = awards.map((award) => toAwardColumns(key, award))
  return toRows((name) => (name === 'users' ? [user] : name === 'awards' ? awardRows : changes[name].put))
}

function toRows(rowsOf: (name: DerivedName) => readonly object[]): UserRows {
  // Interfaces have no index signature, though all their columns are values of a row.
  return Object.fromEntries(DERIVED_TABLES.map(({ name }) => [name, rowsOf(name)])) as UserRows
}

/**
 * The rows that a repair puts in the place of all that a user has, with a version that the user never had. `told`: how
 * far was told until then. Blocks are not changed: they count the leaderboard entries as these were before the damage,
 * and as they are after the repair.
 */
export function toRepairedRows(
  traits: Traits,
  key: UserKey,
  facts: UserFacts | null,
  notices: NoticeCursor | null,
): UserRows {
  const rows = toUserRows(traits, key, facts)
  const status = { version: newVersion(), ...toNoticeRow(facts?.notices === undefined ? notices : facts.notices) }
  return { ...rows, users: rows.users.map((row) => ({ ...row, ...status })) }
}

/** A counter as it is stored, or as the rows say that it counts; that of a level with the system as its key. */
export interface CounterRow extends CountersTable {
  readonly stored: boolean | number
  readonly level: string | null
}

/** The counters that are not what the rows say, in order of tenant, kind and key. */
export function compareCounters(rows: readonly CounterRow[]): readonly Drift[] {
  const stored = rows.filter((row) => Boolean(row.stored)).map(toCounter)
  const counted = rows.filter((row) => !row.stored).map(toCounter)
  return compareRows({ name: 'counters', key: ['tenant_id', 'kind', 'key'] }, stored, counted)
}

export function toCounter({ tenant_id, kind, key, level, count }: CounterRow): CountersTable & DriftRow {
  return { tenant_id, kind, key: level === null ? key : JSON.stringify([key, level]), count }
}

interface Limited {
  readonly limit: number
}

type OwnersAsked = UserColumns & Limited
type GroupsAsked = LeaderboardColumns & Limited

export interface OwnedQueries {
  /** Users after the given one who have a row in any table, in order. */
  readonly owners: Statement<OwnersAsked, UserColumns>
  /** Groups after the given one that have blocks, in order. */
  readonly groups: Statement<GroupsAsked, LeaderboardColumns>
}

export function ownedQueries(traits: SqlTraits): OwnedQueries {
  const tables = ['log', ...DERIVED_TABLES.map(({ name }) => name)]
  return {
    owners: rawStatement(traits, (bind: Bind<OwnersAsked>) => {
      const found = tables.map((table) => sql`select * from (${ownersIn(bind, table)}) as ${sql.id(`in_${table}`)}`)
      // `union` leaves out users who are there twice.
      return sql<UserColumns>`select * from (${sql.join(found, sql` union `)}) as o
        order by tenant_id, user_id limit ${bind('limit')}`
    }),
    groups: rawStatement(traits, groupsWithBlocks),
  }
}

const CHUNK = 1_000
// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }
const FIRST_GROUP = { tenant: '', leaderboard: '', run: '', group: '' }

export function ownedReads(
  { owners, groups }: OwnedQueries,
  { all }: SqlDatabase,
): Pick<StorageAudit, 'listOwners' | 'listBlockGroups'> {
  return {
    listOwners: async ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      (await all(owners, { ...toUserColumns(after), limit })).map(toUserKey),
    listBlockGroups: async ({ after = FIRST_GROUP, limit = CHUNK } = {}) =>
      (await all(groups, { ...toGroupColumns(after), limit })).map(toBlockGroup),
  }
}

/**
 * Finds each user by a lookup in the index after the user before, however many rows that one has: the next user of the
 * same tenant or, when there is none, the first of the next tenant. `place` numbers the users, from 1.
 */
function ownersIn(bind: Bind<OwnersAsked>, name: string): RawBuilder<unknown> {
  const table = tableOf(name)
  const nextTenant = sql`(select min(tenant_id) from ${table} where tenant_id > d.tenant_id)`
  // The subquery gives the first row the collation of the column, which Postgres demands.
  const start = (column: keyof UserColumns) =>
    sql`coalesce(${bind(column)}, (select min(${sql.ref(column)}) from ${table}))`
  return sql`with recursive d(tenant_id, user_id, place) as (
      select ${start('tenant_id')}, ${start('user_id')}, 0
      union all
      select
        case when d.user_id is null then ${nextTenant} else d.tenant_id end,
        case when d.user_id is null then (select min(user_id) from ${table} where tenant_id = ${nextTenant})
          else (select min(user_id) from ${table} where tenant_id = d.tenant_id and user_id > d.user_id) end,
        d.place + case when d.user_id is null then 0 else 1 end
      from d where d.tenant_id is not null and d.place <= ${bind('limit')}
    ) select tenant_id, user_id from d where user_id is not null and place > 0`
}

/** Finds each group after the one before, by all columns at once: a group has few blocks, compared with its entries. */
function groupsWithBlocks(bind: Bind<GroupsAsked>): RawBuilder<LeaderboardColumns> {
  const table = tableOf('leaderboard_blocks')
  const next = (after: RawBuilder<unknown>): RawBuilder<unknown> => {
    const columns = GROUP.map((column) => {
      return sql`(select ${sql.ref(column)} from ${table}
        where (${columnList(GROUP)}) > (${after}) order by ${columnList(GROUP)} limit 1)`
    })
    return sql.join(columns)
  }
  const given = sql.join(GROUP.map((column) => bind(column)))
  // Appending the empty text takes the type affinity from a column. With it SQLite would use less of the index.
  const before = sql.join(GROUP.map((column) => sql`${sql.ref(`d.${column}`)} || ''`))
  return sql`with recursive d(${columnList(GROUP)}, place) as (
      select ${next(given)}, 1
      union all
      select ${next(before)}, d.place + 1 from d where d.tenant_id is not null and d.place < ${bind('limit')}
    ) select ${columnList(GROUP)} from d where d.tenant_id is not null order by ${columnList(GROUP)}`
}
