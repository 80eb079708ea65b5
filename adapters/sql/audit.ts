import type { BlockGroup, Drift, DriftRow, StorageAudit, UserAudit, UserFacts } from '../../src/storage/audit.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { CHUNK } from '../../src/storage/storage.ts'
import { toAwardColumns } from './awards.ts'
import {
  compiler,
  OF_USER,
  type Part,
  part,
  type SqlDatabase,
  type SqlTraits,
  type SqlTransaction,
  type Statement,
} from './database.ts'
import { compareRows, DERIVED_TABLES, type DerivedName, type DerivedTable } from './derived-tables.ts'
import { toBlockGroup, toGroupColumns } from './leaderboard-blocks.ts'
import { GROUP, type LeaderboardColumns } from './leaderboards.ts'
import type { CounterQueries } from './queries.ts'
import { insertStatement, toRowChanges } from './row-changes.ts'
import type { CountersTable, NoticeColumn, UserColumns, UsersTable } from './tables.ts'
import { newVersion, toNoticeCursor, toNoticeRow, toStateRow, toUserColumns, toUserKey } from './user-rows.ts'

export type UserRows = { readonly [Name in DerivedName]: readonly DriftRow[] }

export interface AuditedUser {
  readonly lines: number
  readonly rows: UserRows
}

export interface AuditedTable {
  readonly table: DerivedTable
  readonly read: Statement<UserColumns, DriftRow>
  readonly clear: Statement<UserColumns, unknown>
  readonly insert: Statement<DriftRow, unknown>
}

/** The columns of a user's row that no log says, beside those that one does. */
type Status = Pick<UsersTable, 'version' | NoticeColumn>
const STATUS = Object.keys({ version: true, notices_sent_until: true, next_notice_at: true } satisfies Record<
  keyof Status,
  true
>)

export interface AuditQueries {
  readonly lines: Statement<UserColumns, { readonly lines: number }>
  readonly tables: readonly AuditedTable[]
  readonly counters: Statement<Readonly<Record<string, never>>, CounterRow>
  readonly owners: Statement<OwnersPage, UserColumns>
  readonly groups: Statement<GroupsPage, LeaderboardColumns>
}

export function auditQueries(traits: SqlTraits): AuditQueries {
  const sql = compiler(traits)
  return {
    lines: sql(`select count(*) as lines from laurels.log where ${OF_USER}`),
    tables: DERIVED_TABLES.map((table) => auditedTable(traits, table)),
    counters: sql(
      `select tenant_id, true as stored, kind, key, null as level, sum(count) as count
          from laurels.counters group by tenant_id, kind, key having sum(count) <> 0
        union all select tenant_id, false, 'users', '', null, count(*)
          from laurels.users where merged_into is null group by tenant_id
        union all select tenant_id, false, 'completions', achievement, null, count(*)
          from laurels.completions group by tenant_id, achievement
        union all select tenant_id, false, 'level', system, level, count(*)
          from laurels.points where level is not null group by tenant_id, system, level`,
    ),
    owners: sql(ownersText()),
    groups: sql(groupsText()),
  }
}

function auditedTable(traits: SqlTraits, derived: DerivedTable): AuditedTable {
  const sql = compiler(traits)
  const columns = derived.name === 'users' ? [...derived.columns, ...STATUS] : derived.columns
  const table = { ...derived, columns }
  return {
    table,
    read: sql(`select ${columns.join(', ')} from laurels.${table.shown} where ${OF_USER}`),
    clear: sql(`delete from laurels.${table.name} where ${OF_USER}`),
    insert: insertStatement(traits, table),
  }
}

/** What each database does in its own way. */
export interface AuditParts extends Pick<StorageAudit, 'auditsAtOnce' | 'auditBlocks'> {
  /** Inserts rows as the table or its view shows them. */
  insertRows(tx: SqlTransaction, table: AuditedTable, rows: readonly DriftRow[]): Promise<void>
}

/** `counting` has more time, because it reads rows of all users. */
type AuditOf = (database: SqlDatabase, counting: SqlDatabase, parts: AuditParts) => StorageAudit

/** Compiles the statements once, for any number of databases. */
export function sqlAudit(traits: SqlTraits, counters: CounterQueries): AuditOf {
  const queries = auditQueries(traits)
  return (database, counting, { insertRows, ...parts }) => {
    const partsOf = (key: UserKey): { readonly [name: string]: Part<DriftRow> } => {
      const columns = toUserColumns(key)
      const tables = queries.tables.map(({ table, read }) => [table.name, part(read, columns)] as const)
      return { lines: part(queries.lines, columns), ...Object.fromEntries(tables) }
    }
    const compare = (key: UserKey, rows: { readonly [name: string]: readonly DriftRow[] }, facts: UserFacts | null) =>
      compareWithFacts(
        traits,
        key,
        { lines: Number(rows.lines?.[0]?.lines ?? 0), rows: toRows((name) => rows[name] ?? []) },
        facts,
      )

    const repair = async (
      tx: SqlTransaction,
      key: UserKey,
      facts: UserFacts | null,
      version: number,
    ): Promise<boolean> => {
      await tx.lockUser(key)
      const found = compare(key, await tx.together(partsOf(key)), facts)
      if (found.version !== version) return false
      const rows = toRepairedRows(traits, key, facts, found.notices)
      for (const table of queries.tables) {
        await tx.run(table.clear, toUserColumns(key))
        await insertRows(tx, table, rows[table.table.name])
      }
      return true
    }

    // Other writers change a counter and its rows by the same amount, so the difference stays the same.
    const repairCounters = async (tx: SqlTransaction): Promise<readonly Drift[]> => {
      // No two repairs may add the same difference. Events do not take this lock.
      await tx.lock('counter repair')
      const drift = compareCounters(await tx.all(queries.counters, {}))
      for (const { key, stored, expected } of drift) {
        const count = Number(expected?.count ?? 0) - Number(stored?.count ?? 0)
        await tx.run(counters.add, { ...(key as Pick<CountersTable, 'tenant_id' | 'kind' | 'key'>), slot: 0, count })
      }
      await tx.run(counters.removeZeros, {})
      return drift
    }

    return {
      ...parts,
      audit: async (key, facts) => compare(key, await database.together(partsOf(key)), facts),
      repair: (key, facts, version) => database.transaction((tx) => repair(tx, key, facts, version)),
      listOwners: async ({ after = FIRST_USER, limit = CHUNK } = {}) =>
        (await database.all(queries.owners, { ...toUserColumns(after), limit })).map(toUserKey),
      auditCounters: async ({ repair = false } = {}) =>
        repair ? counting.transaction(repairCounters) : compareCounters(await counting.all(queries.counters, {})),
      listBlockGroups: async ({ after = FIRST_GROUP, limit = CHUNK } = {}) =>
        (await database.all(queries.groups, { ...toGroupColumns(after), limit })).map(toBlockGroup),
    }
  }
}

// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }
const FIRST_GROUP: BlockGroup = { tenant: '', leaderboard: '', run: '', group: '' }

type Traits = Pick<SqlTraits, 'toBoolean'>

/** The rows that differ from the facts, in order of table, then key. */
export function compareWithFacts(
  traits: Traits,
  key: UserKey,
  { lines, rows }: AuditedUser,
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
  const { version: _, read_version: __, ...user } = toStateRow(traits, key, { read: 0, next: 0 }, state)
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
 * The rows that a repair puts in the place of all that a user has, with a version that the user never had. `notices`: how
 * far notices were sent. Blocks are not changed: they count the leaderboard entries as these were before the damage,
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
export interface CounterRow extends Omit<CountersTable, 'slot'> {
  readonly stored: boolean | number
  readonly level: string | null
}

/** The counters that are not what the rows say, in order of tenant, kind and key. */
export function compareCounters(rows: readonly CounterRow[]): readonly Drift[] {
  const stored = rows.filter((row) => Boolean(row.stored)).map(toCounter)
  const counted = rows.filter((row) => !row.stored).map(toCounter)
  return compareRows({ name: 'counters', key: ['tenant_id', 'kind', 'key'] }, stored, counted)
}

function toCounter({ tenant_id, kind, key, level, count }: CounterRow): DriftRow {
  return { tenant_id, kind, key: level === null ? key : JSON.stringify([key, level]), count }
}

interface Limited {
  readonly limit: number
}

type OwnersPage = UserColumns & Limited
type GroupsPage = LeaderboardColumns & Limited

/** Users after the given one who have a row in any table, in order. `union` leaves out users who are there twice. */
function ownersText(): string {
  const order = 'order by tenant_id, user_id limit :limit'
  const found = ['log', ...DERIVED_TABLES.map(({ name }) => name)].map(
    (table) => `select * from (
      select distinct tenant_id, user_id from laurels.${table} where (tenant_id, user_id) > (:tenant_id, :user_id) ${order}
    ) as in_${table}`,
  )
  return `select * from (${found.join(' union ')}) as o ${order}`
}

/** Groups after the given one that have blocks, in order. A group has few blocks, compared with its entries. */
function groupsText(): string {
  const names = GROUP.join(', ')
  const given = GROUP.map((column) => `:${column}`).join(', ')
  return `select distinct ${names} from laurels.leaderboard_blocks where (${names}) > (${given}) order by ${names} limit :limit`
}
