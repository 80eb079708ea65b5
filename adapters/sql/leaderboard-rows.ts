import { createHash } from 'node:crypto'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { LeaderboardEntry, UserState } from '../../src/rules/state.ts'
import type { LeaderboardKey } from '../../src/storage.ts'
import type { LeaderboardRow, UserKey } from '../../src/storage-rows.ts'
import { toMap, toObject } from './stored-text.ts'
import type { LeaderboardBlocksTable, LeaderboardEntriesTable } from './tables.ts'

/** The longest text in a key: with the ids of tenant and user it has to fit in an index of Postgres. */
const MOST_BYTES = 200

/** A text as it stands in keys: itself, or a hash where it is too long. */
export function toKeyText(text: string): string {
  if (Buffer.byteLength(text) <= MOST_BYTES) return text
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`
}

export const GROUP = ['tenant_id', 'leaderboard', 'run', 'group_key'] as const
export type LeaderboardColumns = Pick<LeaderboardBlocksTable, (typeof GROUP)[number]>

export function toLeaderboardColumns(tenant: string, { leaderboard, run, group }: LeaderboardKey): LeaderboardColumns {
  return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, group_key: toKeyText(group) }
}

export type EntryKeyColumns = Pick<LeaderboardEntriesTable, 'tenant_id' | 'user_id' | 'leaderboard' | 'run'>

export function toEntryKeyColumns(
  { tenant, user }: UserKey,
  { leaderboard, run }: Pick<LeaderboardKey, 'leaderboard' | 'run'>,
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

/** Whether the leaderboard of an entry is among these keys. */
export function isAmong(
  keys: readonly string[],
  { leaderboard }: Pick<LeaderboardEntriesTable, 'leaderboard'>,
): boolean {
  return keys.some((key) => toKeyText(key) === leaderboard)
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

/** The column `leaderboards` of a user's row. Its members have one order, because rows are compared by their text. */
export function toLeaderboardsJson(leaderboards: UserState['leaderboards']): string {
  if (leaderboards.size === 0) return '{}'
  const json = new Map<string, readonly LeaderboardEntry[]>()
  for (const [leaderboard, entries] of leaderboards) json.set(leaderboard, entries.map(inOrder))
  return JSON.stringify(toObject(json))
}

function inOrder({ run, group, value, reachedAt, until }: LeaderboardEntry): LeaderboardEntry {
  return { run, group, value, reachedAt, until }
}

export function fromLeaderboardsJson(text: string): UserState['leaderboards'] {
  return toMap<string, readonly LeaderboardEntry[]>(JSON.parse(text))
}

/** In order of leaderboard, then of run: long keys are stored as hashes, so the database cannot order them. */
export function sortRows(rows: readonly LeaderboardRow[]): readonly LeaderboardRow[] {
  return [...rows].sort(
    (left, right) => compareCodePoints(left.leaderboard, right.leaderboard) || (left.run < right.run ? -1 : 1),
  )
}
