import { ROW_TABLES } from '../sql/derived-tables.ts'
import { COLUMNS, TABLES, type TableDeclaration, type TableName } from '../sql/tables.ts'

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

function saved(name: TableName, { columns, key }: TableDeclaration = TABLES[name]): SavedTable {
  const typed = (names: readonly string[]): Columns =>
    Object.fromEntries(names.map((column) => [column, toColumnType(columns[column] ?? '')]))
  return { name, key: typed(key), values: typed(Object.keys(columns).filter((column) => !key.includes(column))) }
}

const { told_until: _, due_at: __, ...STATE } = COLUMNS.users
export const USERS: SavedTable = saved('users', { ...TABLES.users, columns: STATE })
export const LOG: SavedTable = saved('log')
export const AWARDS: SavedTable = saved('awards')
export const LEADERBOARD_ENTRIES: SavedTable = saved('leaderboard_entries')

/** Tables whose rows a save puts, in place of those with the same key, or removes. */
export const PROGRESS: readonly SavedTable[] = ROW_TABLES.filter(({ name }) => name !== 'awards').map(({ name }) =>
  saved(name),
)
