import type { LoadedUser, UserRequest, UserSave } from '../../src/storage.ts'
import { checkSave } from '../sql/check-save.ts'
import { pick } from '../sql/compare-rows.ts'
import { ROW_TABLES, type RowTable } from '../sql/derived-tables.ts'
import { toEntryRow } from '../sql/entry-rows.ts'
import { isAmong } from '../sql/leaderboard-rows.ts'
import { linesOf } from '../sql/log-lines.ts'
import { toMessageRows } from '../sql/messages.ts'
import { idsToHex } from '../sql/packed.ts'
import { toRowChanges } from '../sql/row-changes.ts'
import type { LogTable, StateTable, Tables } from '../sql/tables.ts'
import { toToldRow } from '../sql/told.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toProfileColumns, toStateRow, toUserColumns } from '../sql/user-rows.ts'
import { type Rows, SAVED_TYPES, toSavedText } from './saved-types.ts'

/** A row of a list: with every column of its table where the list is stored as it is, else any object. */
type RowOf<List extends string> = List extends keyof StoredRows ? StoredRows[List] & { readonly n: number } : object

interface StoredRows extends Pick<Tables, RowTable> {
  created: StateTable
  changed: StateTable
  log: LogTable
}

/** The lists of rows that `save` takes, by name; each row with the number of its user. */
export class SaveRows {
  readonly #lists = new Map<string, object[]>()
  readonly #removed = new Map<RowTable, object[]>()

  add<List extends string>(list: List, row: RowOf<List>): void {
    const rows = this.#lists.get(list)
    if (rows === undefined) this.#lists.set(list, [row])
    else rows.push(row)
  }

  remove(table: RowTable, key: object): void {
    const keys = this.#removed.get(table)
    if (keys === undefined) this.#removed.set(table, [key])
    else keys.push(key)
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

/** The lists by name: one with a type (`SAVED_TYPES`) as its text, any other as objects. */
type SavedLists = { readonly [list: string]: string | object }

/** A save with the number of its user and the user's new version. */
export interface NumberedSave {
  readonly n: number
  readonly loaded: LoadedUser
  readonly save: UserSave
  readonly version: number
}

/** What differs from what was loaded, as lists. Throws `internal` where a save could never be stored. */
export function toSavedLists(rows: SaveRows, traits: SqlTraits, saves: readonly NumberedSave[]): SavedLists {
  for (const numbered of saves) addSave(rows, traits, numbered)
  return rows.toObject()
}

function addSave(rows: SaveRows, traits: SqlTraits, { n, loaded, save, version }: NumberedSave): void {
  checkSave(loaded, save)
  const stateRow = toStateRow(loaded, { read: loaded.version, next: version }, save.after)
  const list = loaded.version === 0 ? 'created' : 'changed'
  rows.add(list, { n, ...stateRow, ...toProfileColumns(traits, save.after) })
  const { changed, added } = linesOf(save)
  for (const entry of changed) rows.add('redated', { n, ...toEntryRow(loaded, entry) })
  for (const entry of added) rows.add('log', { n, ...toEntryRow(loaded, entry) })
  const outdated = save.snapshots?.after ?? null
  if (outdated !== null) rows.add('outdated_snapshots', { n, ...toUserColumns(loaded), lines: outdated })
  addChanges(rows, n, loaded, save)
  for (const { kind, key, by } of save.counted) {
    rows.add('counters', { n, tenant_id: loaded.tenant, kind, key, amount: by })
  }
  addTold(rows, n, loaded, save)
}

function addTold(rows: SaveRows, n: number, loaded: LoadedUser, { told, messages = [] }: UserSave): void {
  if (told !== undefined) rows.add('told', { n, ...toUserColumns(loaded), ...toToldRow(told) })
  const { tenant, user } = loaded
  const written = toMessageRows(messages.map((message) => ({ ...message, tenant, user })))
  for (const message of written) rows.add('messages', { n, ...message })
}

function addChanges(rows: SaveRows, n: number, loaded: LoadedUser, save: UserSave): void {
  const changes = toRowChanges(loaded, loaded.state, save)
  for (const { name, bytes, key } of ROW_TABLES) {
    for (const row of changes[name].remove) rows.remove(name, { n, ...pick(row, key) })
    if (name === 'leaderboard_entries') continue
    for (const row of changes[name].put) {
      rows.add(name, bytes.length === 0 ? { n, ...row } : { n, ...row, ...idsToHex(row, bytes) })
    }
  }
  for (const row of changes.leaderboard_entries.put) {
    const asked = { n, unlimited: isAmong(save.unlimited, row) }
    rows.add('leaderboard_entries', { ...asked, ...row })
  }
}

/** Adds the idempotency keys of a request whose user was remembered: nobody has looked them up, so the save has to. */
export function addUnread(rows: SaveRows, n: number, { tenant, user, lookups }: UserRequest): void {
  for (const lookup of lookups) {
    if (lookup === null) continue
    const { metric, idempotencyKey } = lookup
    rows.add('unread', { n, tenant_id: tenant, user_id: user, metric, idempotency_key: idempotencyKey })
  }
}
