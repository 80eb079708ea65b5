import { COLUMNS } from '../sql/columns.ts'
import type { Tables } from '../sql/tables.ts'

/** The columns of a table that a save writes, with their types, as `jsonb_to_recordset` wants to know them. */
export interface SavedTable {
  readonly name: string
  readonly key: Columns
  readonly values: Columns
}

export type Columns = { readonly [name: string]: ColumnType }
export type ColumnType = 'text' | 'bytea' | 'bigint' | 'int' | 'float8' | 'boolean'

const TYPES: readonly (readonly [kept: string, type: ColumnType])[] = [
  ['text', 'text'],
  ['bytes', 'bytea'],
  ['integer', 'bigint'],
  ['small', 'int'],
  ['double', 'float8'],
  ['boolean', 'boolean'],
]

export function toColumnType(kept: string): ColumnType {
  const found = TYPES.find(([name]) => kept.startsWith(name))
  if (found === undefined) throw new Error(`Postgres has no type for ${kept}.`)
  return found[1]
}

/** The type in which a save gives a column: bytes as their hexadecimal digits. */
export function givenAs(type: ColumnType): ColumnType {
  return type === 'bytea' ? 'text' : type
}

/** Gives every column of a table its type: in the key, or as a value. */
function saved<Name extends keyof Tables>(
  name: Name,
  key: readonly (keyof Tables[Name] & string)[],
  kept: { readonly [column: string]: string } = COLUMNS[name],
): SavedTable {
  const typed = (columns: readonly string[]): Columns =>
    Object.fromEntries(columns.map((column) => [column, toColumnType(kept[column] ?? '')]))
  const keyed: readonly string[] = key
  return { name, key: typed(key), values: typed(Object.keys(kept).filter((column) => !keyed.includes(column))) }
}

const { notices_sent_until: _, next_notice_at: __, ...STATE } = COLUMNS.users
export const USERS: SavedTable = saved('users', ['tenant_id', 'user_id'], STATE)

export const LOG: SavedTable = saved('log', ['tenant_id', 'user_id', 'at', 'seq'])

export const AWARDS: SavedTable = saved('awards', ['tenant_id', 'user_id', 'system', 'at', 'seq', 'ordinal'])

export const LEADERBOARD_ENTRIES: SavedTable = saved('leaderboard_entries', [
  'tenant_id',
  'user_id',
  'leaderboard',
  'run',
])

/** Tables whose rows a save puts, in place of those with the same key, or removes. */
export const PROGRESS: readonly SavedTable[] = [
  saved('totals', ['tenant_id', 'user_id', 'metric']),
  saved('tallies', ['tenant_id', 'user_id', 'rule_id']),
  saved('completions', ['tenant_id', 'user_id', 'achievement']),
  saved('points', ['tenant_id', 'user_id', 'system']),
  saved('streak_periods', ['tenant_id', 'user_id', 'start_date']),
  saved('streak_pauses', ['tenant_id', 'user_id', 'pause_id']),
  saved('named_streak_periods', ['tenant_id', 'user_id', 'streak', 'start_date']),
  saved('given_boosts', ['tenant_id', 'user_id', 'boost_id']),
  saved('snapshots', ['tenant_id', 'user_id', 'lines']),
  LEADERBOARD_ENTRIES,
]
