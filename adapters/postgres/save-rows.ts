import type { SqlTraits } from '../../src/sql/database.ts'
import { pick, ROW_TABLES, type RowTable } from '../../src/sql/derived-tables.ts'
import { linesOf, toEntryRow, withIdsAsHex } from '../../src/sql/entry-rows.ts'
import { isAmong, isSameRun } from '../../src/sql/leaderboards.ts'
import { toMessageRows } from '../../src/sql/messages.ts'
import { checkSave, toRowChanges } from '../../src/sql/row-changes.ts'
import { COLUMNS, type TableName } from '../../src/sql/tables.ts'
import {
  changesFrequentOnly,
  FREQUENT_COLUMNS,
  toFrequentRow,
  toNoticeRow,
  toStateRow,
  toUserColumns,
} from '../../src/sql/user-rows.ts'
import type { LoadedUser, UserRequest, UserSave } from '../../src/storage/storage.ts'
import { type ColumnType, quoteIdentifier, toColumnType } from './sql-text.ts'

export interface SavedType {
  readonly name: string
  readonly columns: Columns
}

type Columns = { readonly [name: string]: ColumnType }

/** A row has bytes as their hexadecimal digits. */
function typeOf(name: TableName, columns: { readonly [column: string]: string } = COLUMNS[name]): SavedType {
  const typed = Object.entries(columns).map(([column, kind]) => {
    return [column, toColumnType(kind.startsWith('bytes') ? 'text' : kind)]
  })
  return { name: `saved_${name}`, columns: Object.fromEntries(typed) }
}

const { notices_sent_until: _, next_notice_at: __, ...STATE } = COLUMNS.users
const users = typeOf('users', { ...STATE, read_version: 'integer' })

/** The row of a user that changes in `FREQUENT_COLUMNS` only, as most do. */
const FREQUENT: readonly string[] = ['tenant_id', 'user_id', ...FREQUENT_COLUMNS, 'read_version']
const frequent: SavedType = {
  name: 'saved_frequent',
  columns: Object.fromEntries(Object.entries(users.columns).filter(([column]) => FREQUENT.includes(column))),
}

/**
 * The types of the lists that most saves contain. Such a list is in the document as the text of an array of its type,
 * which Postgres reads in a fraction of the time for JSON. Lists without a type are JSON.
 */
export const SAVED_TYPES: { readonly [list: string]: SavedType } = {
  created: users,
  changed: users,
  frequent,
  log: typeOf('log'),
  ...Object.fromEntries(ROW_TABLES.map(({ name }) => [name, typeOf(name)])),
  leaderboard_entries: typeOf('leaderboard_entries', { ...COLUMNS.leaderboard_entries, unlimited: 'boolean' }),
  counters: {
    name: 'saved_counters',
    columns: { tenant_id: 'text', kind: 'text', key: 'text', amount: 'bigint' },
  },
}

export function savedTypes(schema: string): readonly string[] {
  const types = new Map(Object.values(SAVED_TYPES).map((type) => [type.name, type]))
  return [...types.values()].map(({ name, columns }) => {
    const typed = Object.entries(columns).map(([column, type]) => `  ${column} ${type}`)
    return `create type ${quoteIdentifier(schema)}.${name} as (\n  n int,\n${typed.join(',\n')}\n)`
  })
}

export type Rows = readonly { readonly [column: string]: unknown }[]

/** Rows as the text of an array of their type: `{"(0,…)","(1,…)"}`. */
export function toSavedText({ columns }: SavedType, rows: Rows): string {
  const names = Object.keys(columns)
  const elements = rows
    .map((row) => {
      let text = `"(${row.n}`
      for (const name of names) text += `,${toField(row[name])}`
      return `${text})"`
    })
    .join(',')
  return `{${elements}}`
}

/** Texts that need no quotes within a row, which most texts are. */
const PLAIN = /^[\w:.-]+$/

/** A field of a row that is itself within quotes: so a quote around it has a backslash, and one within it three. */
function toField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  if (PLAIN.test(value)) return value
  const text = value.includes('\\') ? value.replaceAll('\\', '\\\\\\\\') : value
  return `\\"${text.includes('"') ? text.replaceAll('"', '\\\\\\"') : text}\\"`
}

/** The lists of rows that `save` takes, by name; each row with the number of its user. */
export class SaveRows {
  readonly #lists = new Map<string, object[]>()
  readonly #removed = new Map<RowTable, object[]>()

  add(list: string, row: object): void {
    push(this.#lists, list, row)
  }

  remove(table: RowTable, key: object): void {
    push(this.#removed, table, key)
  }

  toObject(): SavedLists {
    const lists = [...this.#lists].map(([list, rows]) => {
      const type = SAVED_TYPES[list]
      return [list, type === undefined ? rows : toSavedText(type, rows as Rows)]
    })
    const removed = this.#removed.size === 0 ? {} : { removed: Object.fromEntries(this.#removed) }
    return { ...Object.fromEntries(lists), ...removed }
  }
}

function push<Name>(lists: Map<Name, object[]>, name: Name, row: object): void {
  const rows = lists.get(name)
  if (rows === undefined) lists.set(name, [row])
  else rows.push(row)
}

/** The lists by name: one with a type (`SAVED_TYPES`) as its text, any other as objects. */
type SavedLists = { readonly [list: string]: string | object }

/** A save with the number of its user and the user's new version. */
export interface NumberedSave {
  readonly n: number
  readonly loaded: LoadedUser
  readonly save: UserSave
  readonly version: number
}

/** The differences from the loaded state, as lists. Throws `internal` if a save could never be stored. */
export function toSavedLists(rows: SaveRows, traits: SqlTraits, saves: readonly NumberedSave[]): SavedLists {
  for (const numbered of saves) addSave(rows, traits, numbered)
  return rows.toObject()
}

function addSave(rows: SaveRows, traits: SqlTraits, { n, loaded, save, version }: NumberedSave): void {
  checkSave(loaded, save)
  const versions = { read: loaded.version, next: version }
  if (loaded.state !== null && changesFrequentOnly(loaded.state, save.after)) {
    rows.add('frequent', { n, ...toFrequentRow(loaded, versions, save.after) })
  } else {
    const list = loaded.version === 0 ? 'created' : 'changed'
    rows.add(list, { n, ...toStateRow(traits, loaded, versions, save.after) })
  }
  const { changed, added } = linesOf(save)
  for (const entry of changed) rows.add('updatedEntries', { n, ...toEntryRow(loaded, entry) })
  for (const entry of added) rows.add('log', { n, ...toEntryRow(loaded, entry) })
  const outdated = save.snapshots?.after ?? null
  if (outdated !== null) rows.add('outdated_snapshots', { n, ...toUserColumns(loaded), lines: outdated })
  addChanges(rows, n, loaded, save)
  for (const { kind, key, by } of save.counted) {
    rows.add('counters', { n, tenant_id: loaded.tenant, kind, key, amount: by })
  }
  for (const { reward, by, most } of save.stock ?? []) {
    rows.add('stock', { n, tenant_id: loaded.tenant, reward, amount: by, most })
  }
  addNotices(rows, n, loaded, save)
}

function addNotices(rows: SaveRows, n: number, loaded: LoadedUser, { notices, messages = [] }: UserSave): void {
  if (notices !== undefined) rows.add('notices', { n, ...toUserColumns(loaded), ...toNoticeRow(notices) })
  const { tenant, user } = loaded
  const written = toMessageRows(messages.map((message) => ({ ...message, tenant, user })))
  for (const message of written) rows.add('messages', { n, ...message })
}

function addChanges(rows: SaveRows, n: number, loaded: LoadedUser, save: UserSave): void {
  const changes = toRowChanges(loaded, loaded.state, save)
  for (const { name, bytes, key } of ROW_TABLES) {
    if (name === 'leaderboard_entries') continue
    for (const row of changes[name].remove) rows.remove(name, { n, ...pick(row, key) })
    for (const row of changes[name].put) {
      rows.add(name, bytes.length === 0 ? { n, ...row } : withIdsAsHex({ n, ...row }, bytes))
    }
  }
  const { remove, put } = changes.leaderboard_entries
  for (const old of remove) {
    if (put.some((row) => isSameRun(row, old))) continue
    const { tenant_id, user_id, leaderboard, run } = old
    rows.remove('leaderboard_entries', { n, tenant_id, user_id, leaderboard, run })
  }
  for (const row of put) {
    const asked = { n, unlimited: isAmong(save.unlimited, row) }
    rows.add('leaderboard_entries', { ...asked, ...row })
  }
}

/** Adds the idempotency keys of a request whose user was cached. No read has looked them up, so the save does. */
export function addLookups(rows: SaveRows, n: number, { tenant, user, lookups }: UserRequest): void {
  for (const lookup of lookups) {
    if (lookup === null || 'newValue' in lookup) continue
    const { metric, idempotencyKey } = lookup
    rows.add('unread', { n, tenant_id: tenant, user_id: user, metric, idempotency_key: idempotencyKey })
  }
}
