import { createHash } from 'node:crypto'
import { compareCodePoints } from '../rules/position.ts'
import type { LeaderboardEntry } from '../rules/state.ts'
import type { LeaderboardRow, UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { LeaderboardLine, RankedGroup, Storage } from '../storage/storage.ts'
import { same, statement } from './database.ts'
import type { LeaderboardBlocksTable, LeaderboardEntriesTable, UserColumns } from './tables.ts'

/** An entry with its user, who is named as in `LeaderboardLine`. */
export interface LeaderboardUser extends LeaderboardEntry, Pick<LeaderboardLine, 'user' | 'name' | 'choice'> {}

/** The longest text in a key: with the ids of tenant and user it has to fit in an index of Postgres. */
const MOST_BYTES = 200

/** The key form of a text: itself, or a hash if it is too long. */
export function toKeyText(text: string): string {
  // A character has at most three bytes for each unit of its text.
  if (text.length <= MOST_BYTES / 3) return text
  if (Buffer.byteLength(text) <= MOST_BYTES) return text
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`
}

export const GROUP = ['tenant_id', 'leaderboard', 'run', 'group_key'] as const
export type LeaderboardColumns = Pick<LeaderboardBlocksTable, (typeof GROUP)[number]>

export function toLeaderboardColumns(tenant: string, { leaderboard, run, group }: RankedGroup): LeaderboardColumns {
  return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, group_key: toKeyText(group) }
}

export type EntryKeyColumns = Pick<LeaderboardEntriesTable, 'tenant_id' | 'user_id' | 'leaderboard' | 'run'>

export function toEntryKeyColumns(
  { tenant, user }: UserKey,
  { leaderboard, run }: Pick<RankedGroup, 'leaderboard' | 'run'>,
): EntryKeyColumns {
  return { tenant_id: tenant, user_id: user, leaderboard: toKeyText(leaderboard), run }
}

export function toLeaderboardEntriesRow(key: UserKey, row: LeaderboardRow): LeaderboardEntriesTable {
  const { leaderboard, group } = row
  const columns = toLeaderboardColumns(key.tenant, row)
  const isWhole = columns.leaderboard === leaderboard && columns.group_key === group
  return {
    tenant_id: key.tenant,
    user_id: key.user,
    leaderboard: columns.leaderboard,
    run: row.run,
    group_key: columns.group_key,
    minus_value: minus(row.value),
    reached_at: row.reachedAt,
    until: row.until,
    names: isWhole ? null : JSON.stringify([leaderboard, group]),
  }
}

/** Returns whether the leaderboard of an entry is among these keys. */
export function isAmong(
  keys: readonly string[],
  { leaderboard }: Pick<LeaderboardEntriesTable, 'leaderboard'>,
): boolean {
  return keys.some((key) => toKeyText(key) === leaderboard)
}

/** True for two entries of a user that replace each other. */
export function isSameRun(left: LeaderboardEntriesTable, right: LeaderboardEntriesTable): boolean {
  return left.leaderboard === right.leaderboard && left.run === right.run
}

export function fromLeaderboardEntriesRow(row: Omit<LeaderboardEntriesTable, 'tenant_id' | 'user_id'>): LeaderboardRow {
  const [leaderboard, group]: readonly [string, string] =
    row.names === null ? [row.leaderboard, row.group_key] : JSON.parse(row.names)
  const { run, reached_at: reachedAt, until } = row
  return { leaderboard, run, group, value: minus(row.minus_value), reachedAt, until }
}

/** Never `-0`, which databases would keep apart from 0. */
export function minus(value: number): number {
  return 0 - value
}

export type EntryColumns = Omit<LeaderboardEntriesTable, keyof UserColumns>

type UsersRead = Omit<EntryKeyColumns, 'user_id'> & { readonly users: string }

const ENTRY = ['leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'until', 'names']
const ENTRIES_OF_USER = `select ${ENTRY.join(', ')} from laurels.leaderboard_entries
  where tenant_id = :tenant_id and user_id = :user_id`

export const FIND_ENTRY: Statement<EntryKeyColumns, EntryColumns> = statement(
  `${ENTRIES_OF_USER} and leaderboard = :leaderboard and run = :run`,
)
export const ALL_ENTRIES: Statement<UserColumns, EntryColumns> = statement(ENTRIES_OF_USER)
export const ENTRIES_OF_LEADERBOARD: Statement<Omit<EntryKeyColumns, 'run'>, EntryColumns> = statement(
  `${ENTRIES_OF_USER} and leaderboard = :leaderboard`,
)

/** The entries of the users in a JSON list, with their names. */
const ENTRIES_OF_USERS = statement<UsersRead, EntryColumns & Pick<LeaderboardUser, 'user' | 'name' | 'choice'>>(
  ({
    jsonList,
  }) => `select ${ENTRY.map((column) => `e.${column}`).join(', ')}, e.user_id as "user", u.name, u.leaderboard_choice as choice
    from laurels.leaderboard_entries e left join laurels.users u on u.tenant_id = e.tenant_id and u.user_id = e.user_id
    where e.tenant_id = :tenant_id and e.user_id in ${jsonList(':users')}
      and e.leaderboard = :leaderboard and e.run = :run`,
)

/** The entries of these users in a run, in any group and in no order, expired entries too. */
export async function loadLeaderboardEntries(
  storage: Storage,
  tenant: string,
  leaderboard: string,
  run: string,
  users: readonly string[],
): Promise<readonly LeaderboardUser[]> {
  const asked = { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, users: JSON.stringify(users) }
  return (await storage.all(ENTRIES_OF_USERS, asked)).map(({ user, name, choice, ...row }) => {
    const { leaderboard: _, ...entry } = fromLeaderboardEntriesRow(row)
    return { user, name, choice, ...entry }
  })
}

/** A position in the order of a group, which ascends: best first. */
export type PositionColumns = Pick<LeaderboardBlocksTable, 'minus_value' | 'reached_at' | 'user_id'>

/** An entry's position in a group, with the instant from which it does not count. */
export interface RankedColumns extends LeaderboardColumns, PositionColumns {
  readonly until: number | null
}

/** From a position, included, to another, excluded. */
export interface PositionRange extends LeaderboardColumns, PositionColumns {
  readonly end_minus_value: number
  readonly end_reached_at: number
  readonly end_user_id: string
}

/** An entry before and after a change; at least one of them is not null. */
export interface RankedChange {
  readonly from: RankedColumns | null
  readonly to: RankedColumns | null
}

export const POSITION = ['minus_value', 'reached_at', 'user_id'] as const

/** Before every entry. The first block of a group begins here. */
export const FIRST_POSITION: PositionColumns = {
  minus_value: -1e308,
  reached_at: Number.MIN_SAFE_INTEGER,
  user_id: '',
}

export const LAST_COLUMNS: PositionColumns = {
  minus_value: Number.POSITIVE_INFINITY,
  reached_at: Number.MAX_SAFE_INTEGER,
  user_id: '',
}

/** Below 0 when `left` comes first in the order of the index. */
export function comparePositionColumns(left: PositionColumns, right: PositionColumns): number {
  return (
    left.minus_value - right.minus_value ||
    left.reached_at - right.reached_at ||
    compareCodePoints(left.user_id, right.user_id)
  )
}

/** The index of the first item, in a list in order, that is not before a position. */
export function firstNotBefore<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Asks for the entries that count at `at`, in order, from a position on, without the first `offset` of them. */
export interface PositionsAsked extends LeaderboardColumns, PositionColumns {
  readonly at: number
  readonly offset: number
  readonly limit: number
}

const ENTRIES = 'laurels.leaderboard_entries'
export const ORDER: string = POSITION.join(', ')
export const OF_GROUP: string = same(GROUP)

/** The position in the parameters. */
export const POSITION_VALUES = '(:minus_value, :reached_at, :user_id)'

/** From the start of the range in the parameters, and before its end. */
export const WITHIN: string = `(${ORDER}) >= ${POSITION_VALUES} and (${ORDER}) < (:end_minus_value, :end_reached_at, :end_user_id)`

const POSITIONS_ASKED = `select ${ORDER}, until from ${ENTRIES} where ${OF_GROUP} and (${ORDER}) >= ${POSITION_VALUES}
  and (until is null or until > :at) order by ${ORDER} limit :limit offset :offset`
const ALWAYS_WITHIN = `from ${ENTRIES} where ${OF_GROUP} and until is null and ${WITHIN}`

/** How many entries that count at `at` come before a position; at most `limit`. */
export const COUNT_BEFORE: Statement<Omit<PositionsAsked, 'offset'>, { readonly count: number }> = statement(
  `select count(*) as count from (
    select 1 as one from ${ENTRIES} where ${OF_GROUP} and (${ORDER}) < ${POSITION_VALUES}
      and (until is null or until > :at) limit :limit
  ) better`,
)

/** How many entries that always count lie in a range. */
export const COUNT_BETWEEN: Statement<PositionRange, { readonly count: number }> = statement(
  `select count(*) as count ${ALWAYS_WITHIN}`,
)

export const READ_POSITIONS: Statement<PositionsAsked, PositionColumns & Pick<RankedColumns, 'until'>> =
  statement(POSITIONS_ASKED)

/** A place in order, and what the user's row says about it. */
export type LineColumns = PositionColumns & Pick<LeaderboardLine, 'name' | 'choice'>

export function toLine({ minus_value, reached_at, user_id, name, choice }: LineColumns, rank: number): LeaderboardLine {
  return { rank, user: user_id, name, choice, value: minus(minus_value), reachedAt: reached_at }
}

export const READ_LINES: Statement<PositionsAsked, LineColumns> = statement(
  `select p.minus_value, p.reached_at, p.user_id, u.name, u.leaderboard_choice as choice from (${POSITIONS_ASKED}) p
    left join laurels.users u on u.tenant_id = :tenant_id and u.user_id = p.user_id
    order by p.minus_value, p.reached_at, p.user_id`,
)

/** Every `step`th of the entries that always count in a range, from the first on. */
export const READ_BLOCK_STARTS: Statement<PositionRange & { readonly step: number }, PositionColumns> = statement(
  `select ${ORDER} from (
    select ${ORDER}, row_number() over (order by ${ORDER}) as number ${ALWAYS_WITHIN}
  ) n where (n.number - 1) % :step = 0 order by n.number`,
)
