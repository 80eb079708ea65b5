import { GamificationError } from '../errors.ts'
import type { Redemption } from '../rules/redemption.ts'
import type { ChallengeMark, UserState } from '../rules/state.ts'
import type { BlockGroup, Drift, DriftRow, UserAuditOptions } from '../storage/audit.ts'
import type { NoticeCursor } from '../storage/outbox.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { Award, LeaderboardRow, Movement, Snapshot, StreakPeriod, UserKey } from '../storage/rows.ts'
import { type Part, part, type Statement } from '../storage/statements.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import type { UserTransaction } from '../storage/transactions.ts'
import { type None, OF_USER, statement } from './database.ts'
import { compareRows, DERIVED_TABLES, type DerivedName, type DerivedTable } from './derived-tables.ts'
import { GROUP } from './leaderboards.ts'
import { ADD_TO_COUNTER } from './queries.ts'
import { insertAllStatement, insertStatement, toRowChanges } from './row-changes.ts'
import { ADD_TO_STOCK, IS_TAKEN } from './stock.ts'
import type { CountersTable, NoticeColumn, RewardStockTable, UsersTable } from './tables.ts'
import { FIRST_USER } from './user-lists.ts'
import { newVersion, toNoticeCursor, toNoticeRow, toStateRow } from './user-rows.ts'

/** The rows that a user should have, according to the log. */
export interface UserFacts {
  readonly state: UserState
  readonly awards: readonly Award[]
  readonly movements: readonly Movement[]
  readonly periods: readonly StreakPeriod[]
  readonly challenges: readonly ChallengeMark[]
  /** Absent if there are none. */
  readonly redemptions?: readonly Redemption[]
  readonly leaderboards: readonly LeaderboardRow[]
  /**
   * All snapshots that may be stored. An audit compares the stored ones, and a repair stores all. If absent, there
   * should be none.
   */
  readonly snapshots?: readonly Snapshot[]
  /**
   * The notice cursor. It is not compared, because the log does not say it. A repair stores it; if absent, the stored
   * cursor stays.
   */
  readonly notices?: NoticeCursor | null
}

export interface UserAudit {
  readonly version: number
  /** How many lines the user's log has, as of the same moment. */
  readonly lines: number
  readonly drift: readonly Drift[]
  /** How many snapshots are stored, as of the same moment. */
  readonly snapshots: number
  /** The stored cursor, from the same snapshot. */
  readonly notices: NoticeCursor | null
}

export type UserRows = { readonly [Name in DerivedName]: readonly DriftRow[] }

export interface AuditedUser {
  readonly lines: number
  readonly rows: UserRows
}

export interface AuditedTable {
  readonly table: DerivedTable
  readonly read: Statement<UserKey, DriftRow>
  readonly clear: Statement<UserKey, unknown>
  readonly insert: Statement<DriftRow, unknown>
  /** Inserts all rows at once. SQLite does not read every number of a JSON text exactly. */
  readonly insertAll: Statement<{ readonly rows: readonly DriftRow[] }, unknown>
}

/** The columns of a user's row that the log does not determine. */
type Status = Pick<UsersTable, 'version' | NoticeColumn>
const STATUS: readonly (keyof Status)[] = ['version', 'notices_sent_until', 'next_notice_at']

const LINES = statement<UserKey, { readonly lines: number }>(
  `select count(*) as lines from laurels.log where ${OF_USER}`,
)

export const AUDITED_TABLES: readonly AuditedTable[] = DERIVED_TABLES.map((derived) => {
  const columns = derived.name === 'users' ? [...derived.columns, ...STATUS] : derived.columns
  const table = { ...derived, columns }
  return {
    table,
    read: statement(`select ${columns.join(', ')} from laurels.${table.shown} where ${OF_USER}`),
    clear: statement(`delete from laurels.${table.name} where ${OF_USER}`),
    insert: insertStatement(table),
    insertAll: insertAllStatement(table),
  }
})

export function auditedTable(name: string): AuditedTable {
  const found = AUDITED_TABLES.find(({ table }) => table.name === name)
  if (found === undefined) throw new GamificationError('internal', `There is no derived table ${name}.`)
  return found
}

const COUNTERS = statement<None, CounterRow>(
  `select tenant_id, true as stored, kind, key, null as level, sum(count) as count
      from laurels.counters group by tenant_id, kind, key having sum(count) <> 0
    union all select tenant_id, false, 'users', '', null, count(*)
      from laurels.users where merged_into is null group by tenant_id
    union all select tenant_id, false, 'completions', achievement, null, count(*)
      from laurels.completions group by tenant_id, achievement
    union all select tenant_id, false, 'level', system, level, count(*)
      from laurels.points where level is not null group by tenant_id, system, level`,
)

/** `removed` is null for a count of redemptions. */
interface StockRow extends Pick<RewardStockTable, 'tenant_id' | 'reward' | 'taken'> {
  readonly removed: number | null
}

const STOCK = statement<None, StockRow>(
  `select tenant_id, reward, taken, removed from laurels.reward_stock
    union all select tenant_id, reward, count(*), null from laurels.redemptions where ${IS_TAKEN}
      group by tenant_id, reward`,
)

const REMOVE_ZEROS = statement<None, unknown>('delete from laurels.counters where count = 0')

const OWNERS_ORDER = 'order by tenant_id, user_id limit :limit'
const OWNERS_IN = ['log', ...DERIVED_TABLES.map(({ name }) => name)].map(
  (table) => `select * from (
    select distinct tenant_id, user_id from laurels.${table} where (tenant_id, user_id) > (:tenant, :user) ${OWNERS_ORDER}
  ) as in_${table}`,
)

/** Durable Objects allow no more terms in one compound SELECT. */
const MOST_TERMS = 5

function unionOf(terms: readonly string[]): string {
  if (terms.length <= MOST_TERMS) return terms.join(' union ')
  const groups = Array.from({ length: Math.ceil(terms.length / MOST_TERMS) }, (_, group) => {
    const within = terms.slice(group * MOST_TERMS, (group + 1) * MOST_TERMS)
    return `select * from (${unionOf(within)}) as group_${group}`
  })
  return unionOf(groups)
}

/** Users after the given one who have a row in any table, in order. `union` leaves out users who are there twice. */
export const OWNERS: Statement<UserKey & { readonly limit: number }, UserKey> = statement(
  `select tenant_id as tenant, user_id as "user" from (${unionOf(OWNERS_IN)}) as o ${OWNERS_ORDER}`,
)

const GROUP_NAMES = GROUP.join(', ')

/** Groups after the given one that have blocks, in order. A group has few blocks, compared with its entries. */
export const BLOCK_GROUPS: Statement<BlockGroup & { readonly limit: number }, BlockGroup> = statement(
  `select distinct tenant_id as tenant, leaderboard, run, group_key as "group" from laurels.leaderboard_blocks
    where (${GROUP_NAMES}) > (:tenant, :leaderboard, :run, :group) order by ${GROUP_NAMES} limit :limit`,
)

/** Counting reads rows of all users, which may take longer than a call may. */
const COUNTING_MS = 600_000

/**
 * The rows of a user that differ from the facts, as of one moment, in order of table, then key; holds up no write.
 * With `null`, an empty log, there should be no row. `version` is the user's, 0 if there is no such user.
 */
export async function auditRows(storage: Storage, key: UserKey, facts: UserFacts | null): Promise<UserAudit> {
  return compareParts(storage, key, await storage.read(partsOf(key)), facts)
}

/**
 * Writes a user's rows from the facts and gives the user a new version, in one step. Returns false, and writes
 * nothing, if the user's version is no longer `version`. Counters and blocks stay unchanged. They have audits of
 * their own.
 */
export function repairRows(storage: Storage, key: UserKey, facts: UserFacts | null, version: number): Promise<boolean> {
  return storage.transaction((tx) => repair(storage, tx, key, facts, version))
}

/**
 * Users of all tenants who have a row in the log or in a table of derived rows, in order of (tenant, user). These are
 * the users of `loadUserKeys`, and owners of rows that are left although the user is gone.
 */
export function loadRowOwners(
  storage: Storage,
  { after = FIRST_USER, limit = CHUNK }: Page<UserKey> = {},
): Promise<readonly UserKey[]> {
  return storage.all(OWNERS, { ...after, limit })
}

/**
 * Compares the counters of all tenants, and what is taken of rewards, with the rows they count, in one snapshot. Returns
 * those that differ. With `repair` it corrects them, and includes concurrent counts.
 */
export async function auditCounters(
  storage: Storage,
  { repair = false }: UserAuditOptions = {},
): Promise<readonly Drift[]> {
  const counting = storage.until(performance.now() + COUNTING_MS)
  if (repair) return counting.transaction(repairCounters)
  const { counters, stock } = await counting.read(COUNTED)
  return [...compareCounters(counters), ...compareStock(stock)]
}

/**
 * Groups of leaderboards that are counted in blocks, in order of tenant, leaderboard, run and group, at most `limit`
 * (default 1,000) after the given one. None if a storage has no blocks.
 */
export function loadBlockGroups(
  storage: Storage,
  { after = FIRST_GROUP, limit = CHUNK }: Page<BlockGroup> = {},
): Promise<readonly BlockGroup[]> {
  return storage.all(BLOCK_GROUPS, { ...after, limit })
}

function partsOf({ tenant, user }: UserKey): { readonly [name: string]: Part<DriftRow> } {
  const key = { tenant, user }
  const tables = AUDITED_TABLES.map(({ table, read }) => [table.name, part(read, key)] as const)
  return { lines: part(LINES, key), ...Object.fromEntries(tables) }
}

function compareParts(
  traits: Traits,
  key: UserKey,
  rows: { readonly [name: string]: readonly DriftRow[] },
  facts: UserFacts | null,
): UserAudit {
  const lines = Number(rows.lines?.[0]?.lines ?? 0)
  return compareWithFacts(traits, key, { lines, rows: toRows((name) => rows[name] ?? []) }, facts)
}

function* repair(
  traits: Traits,
  tx: UserTransaction,
  key: UserKey,
  facts: UserFacts | null,
  version: number,
): Steps<boolean> {
  yield* wait(tx.lockUser(key))
  const found = compareParts(traits, key, yield* wait(tx.read(partsOf(key))), facts)
  if (found.version !== version) return false
  const rows = toRepairedRows(traits, key, facts, found.notices)
  for (const table of AUDITED_TABLES) {
    yield* wait(tx.run(table.clear, key))
    yield* wait(tx.insertRows(table.table.name, rows[table.table.name]))
  }
  return true
}

/** Other writers change a counter and its rows by the same amount, so the difference stays the same. */
function* repairCounters(tx: UserTransaction): Steps<readonly Drift[]> {
  // No two repairs may add the same difference. Events do not take this lock.
  yield* wait(tx.lock('counter repair'))
  const { counters, stock } = yield* wait(tx.read(COUNTED))
  // In the order in which saves lock them.
  const wrong = compareStock(stock)
  for (const { key, stored, expected } of wrong) {
    const taken = Number(expected?.taken ?? 0) - Number(stored?.taken ?? 0)
    yield* wait(tx.run(ADD_TO_STOCK, { ...(key as Pick<RewardStockTable, 'tenant_id' | 'reward'>), taken, removed: 0 }))
  }
  const drift = compareCounters(counters)
  for (const { key, stored, expected } of drift) {
    const count = Number(expected?.count ?? 0) - Number(stored?.count ?? 0)
    const counter = key as Pick<CountersTable, 'tenant_id' | 'kind' | 'key'>
    yield* wait(tx.run(ADD_TO_COUNTER, { ...counter, slot: 0, count }))
  }
  yield* wait(tx.run(REMOVE_ZEROS, {}))
  return [...drift, ...wrong]
}

const COUNTED = { counters: part(COUNTERS, {}), stock: part(STOCK, {}) }

const FIRST_GROUP: BlockGroup = { tenant: '', leaderboard: '', run: '', group: '' }

type Traits = Pick<Storage, 'toBoolean'>

/** The rows that differ from the facts, in order of table, then key. */
function compareWithFacts(
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
  const { state, awards, movements, periods, challenges, redemptions = [], leaderboards, snapshots = [] } = facts
  const { version: _, read_version: __, ...user } = toStateRow(traits, key, { read: 0, next: 0 }, state)
  const changes = toRowChanges(key, null, {
    after: state,
    awards: { remove: [], put: awards },
    movements: { remove: [], put: movements },
    periods: { remove: [], put: periods },
    challenges: { remove: [], put: challenges },
    redemptions: { remove: [], put: redemptions },
    leaderboards: { remove: [], put: leaderboards },
    snapshots: { after: null, put: snapshots },
  })
  return toRows((name) => (name === 'users' ? [user] : changes[name].put))
}

function toRows(rowsOf: (name: DerivedName) => readonly object[]): UserRows {
  // Interfaces have no index signature, though all their columns are values of a row.
  return Object.fromEntries(DERIVED_TABLES.map(({ name }) => [name, rowsOf(name)])) as UserRows
}

/**
 * The rows that a repair writes in place of all of a user's rows, with a version that the user never had. `notices` is
 * the notice cursor. Blocks do not change: they count the leaderboard entries from before the damage, which equal those
 * after the repair.
 */
function toRepairedRows(traits: Traits, key: UserKey, facts: UserFacts | null, notices: NoticeCursor | null): UserRows {
  const rows = toUserRows(traits, key, facts)
  const status = { version: newVersion(), ...toNoticeRow(facts?.notices === undefined ? notices : facts.notices) }
  return { ...rows, users: rows.users.map((row) => ({ ...row, ...status })) }
}

/** A counter: the stored one, or the one counted from the rows. The key of a level's counter includes the system. */
interface CounterRow extends Omit<CountersTable, 'slot'> {
  readonly stored: boolean | number
  readonly level: string | null
}

/** The counters that differ from the rows they count, in order of tenant, kind and key. */
function compareCounters(rows: readonly CounterRow[]): readonly Drift[] {
  const stored = rows.filter((row) => Boolean(row.stored)).map(toCounter)
  const counted = rows.filter((row) => !row.stored).map(toCounter)
  return compareRows({ name: 'counters', key: ['tenant_id', 'kind', 'key'] }, stored, counted)
}

/** The stocks whose `taken` is not what users have taken, deleted ones included, in order of tenant and reward. */
function compareStock(rows: readonly StockRow[]): readonly Drift[] {
  const counted = new Map<string, number>()
  for (const { tenant_id, reward, taken, removed } of rows)
    if (removed === null) counted.set(JSON.stringify([tenant_id, reward]), taken)
  const stored = rows.filter(({ removed }) => removed !== null)
  const expected = new Map<string, DriftRow>()
  for (const { tenant_id, reward, removed } of rows) {
    const id = JSON.stringify([tenant_id, reward])
    if (removed === null && expected.has(id)) continue
    expected.set(id, { tenant_id, reward, taken: (counted.get(id) ?? 0) + (removed ?? 0) })
  }
  const shown = stored.map(({ removed: _, ...row }): DriftRow => row)
  return compareRows({ name: 'reward_stock', key: ['tenant_id', 'reward'] }, shown, [...expected.values()])
}

function toCounter({ tenant_id, kind, key, level, count }: CounterRow): DriftRow {
  return { tenant_id, kind, key: level === null ? key : JSON.stringify([key, level]), count }
}
