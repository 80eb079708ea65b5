import type { Entry } from '../../src/rules/entry.ts'
import type { UserState } from '../../src/rules/state.ts'
import type { LoadedUser, UserSave } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { checkSave, fail } from '../sql/check-save.ts'
import { ROW_TABLES, type RowTable } from '../sql/derived-tables.ts'
import { toEntryRow } from '../sql/entry-rows.ts'
import { linesOf } from '../sql/log-lines.ts'
import { toMessageRows } from '../sql/messages.ts'
import { type RowChanges, toRowChanges } from '../sql/row-changes.ts'
import type { RowStatements } from '../sql/row-queries.ts'
import { toToldRow } from '../sql/told.ts'
import {
  isStep,
  toProfileColumns,
  toStateRow,
  toStepRow,
  toUserColumns,
  toVersion,
  type Versions,
} from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { saveLeaderboards } from './leaderboards.ts'
import { queries } from './queries.ts'
import { sqliteTraits } from './traits.ts'

/**
 * Writes what differs from `loaded`, which was read in the same transaction. Returns the user's new version. Throws where a
 * constraint is violated.
 */
export function saveUser(connection: Connection, loaded: LoadedUser, save: UserSave): number {
  const version = beginUser(connection, loaded, save)
  const { changed, added } = linesOf(save)
  for (const entry of changed) redate(connection, loaded, entry)
  for (const entry of added) append(connection, loaded, entry)
  saveDerived(connection, loaded, save)
  return version
}

/** Returns the user's new version. */
function beginUser(connection: Connection, loaded: LoadedUser, save: UserSave): number {
  checkSave(loaded, save)
  // A user who comes again after a removal gets no version that the removed one had.
  const version = loaded.state === null ? toVersion() : loaded.version + 1
  saveUserRow(connection, loaded, save.after, version)
  return version
}

/** Writes all but the user's row and the log. */
function saveDerived(connection: Connection, loaded: LoadedUser, save: UserSave): void {
  const changes = toRowChanges(loaded, loaded.state, save)
  const outdated = save.snapshots?.after ?? null
  if (outdated !== null) connection.run(queries.snapshots.removeAfter, { ...toUserColumns(loaded), lines: outdated })
  for (const { name } of ROW_TABLES) if (name !== 'leaderboard_entries') saveRows(connection, name, changes[name])
  for (const { kind, key, by } of save.counted) {
    const counter = { tenant_id: loaded.tenant, kind, key }
    connection.run(queries.counters.add, { ...counter, count: by })
    if (by < 0) connection.run(queries.counters.removeEmpty, counter)
  }
  const { messages, told } = save
  if (told !== undefined) connection.run(queries.users.tell, { ...toUserColumns(loaded), ...toToldRow(told) })
  if (messages !== undefined && messages.length > 0) {
    const { tenant, user } = loaded
    const written = toMessageRows(messages.map((message) => ({ ...message, tenant, user })))
    connection.all(queries.messages.insert, { rows: JSON.stringify(written) })
  }
  saveLeaderboards(connection, changes.leaderboard_entries, save.unlimited)
}

function saveUserRow(connection: Connection, loaded: LoadedUser, after: UserState, version: number): void {
  const before = loaded.state
  const versions = { read: loaded.version, next: version }
  if (before === null) {
    const row = { ...toStateRow(loaded, versions, after), ...toProfileColumns(sqliteTraits, after) }
    connection.run(queries.users.insert, row)
    return
  }
  if (updateUserRow(connection, loaded, versions, before, after) !== 1) fail(loaded, 'came twice in one commit')
}

function updateUserRow(
  connection: Connection,
  user: UserKey,
  versions: Versions,
  before: UserState,
  after: UserState,
): number {
  if (after.profile !== before.profile || after.preferences !== before.preferences) {
    const row = { ...toStateRow(user, versions, after), ...toProfileColumns(sqliteTraits, after) }
    return connection.run(queries.users.update, row)
  }
  return isStep(before, after)
    ? connection.run(queries.users.step, toStepRow(user, versions, after))
    : connection.run(queries.users.advance, toStateRow(user, versions, after))
}

function redate(connection: Connection, loaded: LoadedUser, entry: Entry): void {
  const changes = connection.run(queries.log.redate, toEntryRow(loaded, entry))
  if (changes !== 1) fail(loaded, `dates an unknown entry ${entry.seq} anew`)
}

function append(connection: Connection, loaded: LoadedUser, entry: Entry): void {
  connection.run(queries.log.append, toEntryRow(loaded, entry))
}

function saveRows<Name extends RowTable>(connection: Connection, name: Name, { remove, put }: RowChanges[Name]): void {
  const statements: RowStatements<Name> = queries.rows[name]
  for (const row of remove) connection.run(statements.remove, row)
  for (const row of put) connection.run(statements.put, row)
}
