import type { UserState } from '../../src/rules/state.ts'
import { ROW_TABLES, type RowTable } from '../../src/sql/derived-tables.ts'
import { fromIdHex, linesOf, toEntryRow } from '../../src/sql/entry-rows.ts'
import { NEWEST_EPOCH } from '../../src/sql/games.ts'
import { APPEND_LINE, findPart, REDATE_LINE } from '../../src/sql/log.ts'
import { INSERT_MESSAGES, toMessageRows } from '../../src/sql/messages.ts'
import { fromMovementRow, OF_SPENDS } from '../../src/sql/movements.ts'
import { ADD_TO_COUNTER, REMOVE_EMPTY_COUNTER } from '../../src/sql/queries.ts'
import { PROGRESS, toLoadedState } from '../../src/sql/read-user.ts'
import {
  checkSave,
  fail,
  REMOVE_SNAPSHOTS_AFTER,
  ROW_STATEMENTS,
  type RowChanges,
  type RowStatements,
  savesOf,
  toRowChanges,
} from '../../src/sql/row-changes.ts'
import { ADD_TO_STOCK, findShortStock, type OutOfStock, TAKEN } from '../../src/sql/stock.ts'
import { changesFrequentOnly, newVersion, toFrequentRow, toNoticeRow, toStateRow } from '../../src/sql/user-rows.ts'
import {
  type CachedUser,
  INSERT_USER,
  LOAD_USER,
  UPDATE_FREQUENT,
  UPDATE_MOST,
  UPDATE_USER,
  WRITE_NOTICES,
} from '../../src/sql/users.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { CommitReport, Decide, LoadedUser, SavedUser, UserRequest, UserSave } from '../../src/storage/storage.ts'
import type { Connection } from './connection.ts'
import type { DatabaseHandle } from './database.ts'
import { rankCounter, saveLeaderboards } from './leaderboards.ts'
import { sqliteTraits } from './traits.ts'

export function loadEpoch(connection: Connection): number {
  return connection.epoch.of(() => connection.get(NEWEST_EPOCH, {})?.epoch ?? 0)
}

export function loadUser(connection: Connection, request: UserRequest): LoadedUser {
  const { tenant, user, lookups } = request
  const loaded = connection.users.get(request) ?? loadState(connection, request)
  const found = lookups.map((lookup) => {
    if (loaded.state === null || lookup === null) return null
    const find = findPart({ tenant, user }, lookup)
    const line = connection.get(find.statement, find.params)
    return line === undefined ? null : fromIdHex(line.entry_id)
  })
  if (request.spends === undefined) return { tenant, user, found, ...loaded }
  const spent = connection.all(OF_SPENDS, { tenant, user, spends: JSON.stringify(request.spends) })
  return { tenant, user, found, spent: spent.map(fromMovementRow), ...loaded }
}

function loadState(connection: Connection, key: UserKey): CachedUser {
  const row = connection.get(LOAD_USER, key)
  return toLoadedState(key.user, row, row === undefined ? [] : connection.all(PROGRESS, key))
}

/**
 * Writes what differs from `loaded`, which was read in the same transaction. Returns the user's new version. Throws if
 * a constraint is violated.
 */
export function saveUser(connection: Connection, loaded: LoadedUser, save: UserSave): number {
  checkSave(loaded, save)
  connection.users.remove(loaded)
  // A user who comes again after a removal gets no version that the removed one had.
  const version = loaded.state === null ? newVersion() : loaded.version + 1
  saveUserRow(connection, loaded, save.after, version)
  const { changed, added } = linesOf(save)
  for (const entry of changed) {
    const rows = connection.run(REDATE_LINE, toEntryRow(loaded, entry))
    if (rows !== 1) fail(loaded, `updates an unknown entry ${entry.seq}`)
  }
  for (const entry of added) connection.run(APPEND_LINE, toEntryRow(loaded, entry))
  saveDerived(connection, loaded, save)
  return version
}

/** Writes all but the user's row and the log. */
function saveDerived(connection: Connection, loaded: LoadedUser, save: UserSave): void {
  const changes = toRowChanges(loaded, loaded.state, save)
  const outdated = save.snapshots?.after ?? null
  if (outdated !== null) connection.run(REMOVE_SNAPSHOTS_AFTER, { ...loaded, lines: outdated })
  for (const { name } of ROW_TABLES) if (name !== 'leaderboard_entries') saveRows(connection, name, changes[name])
  for (const { kind, key, by } of save.counted) {
    const counter = { tenant_id: loaded.tenant, kind, key, slot: 0 }
    connection.run(ADD_TO_COUNTER, { ...counter, count: by })
    if (by < 0) connection.run(REMOVE_EMPTY_COUNTER, counter)
  }
  for (const { reward, by } of save.stock ?? []) {
    connection.run(ADD_TO_STOCK, { tenant_id: loaded.tenant, reward, taken: by, removed: 0 })
  }
  const { messages, notices } = save
  if (notices !== undefined) connection.run(WRITE_NOTICES, { ...loaded, ...toNoticeRow(notices) })
  if (messages !== undefined && messages.length > 0) {
    const { tenant, user } = loaded
    const written = toMessageRows(messages.map((message) => ({ ...message, tenant, user })))
    connection.all(INSERT_MESSAGES, { rows: JSON.stringify(written) })
  }
  saveLeaderboards(connection, changes.leaderboard_entries, save.unlimited)
}

function saveUserRow(connection: Connection, loaded: LoadedUser, after: UserState, version: number): void {
  const before = loaded.state
  const versions = { read: loaded.version, next: version }
  if (before === null) {
    connection.run(INSERT_USER, toStateRow(sqliteTraits, loaded, versions, after))
    return
  }
  const changed = changesFrequentOnly(before, after)
    ? connection.run(UPDATE_FREQUENT, toFrequentRow(loaded, versions, after))
    : connection.run(updateOf(before, after), toStateRow(sqliteTraits, loaded, versions, after))
  if (changed !== 1) fail(loaded, 'came twice in one commit')
}

/** Most saves change no column of the index of users by creation. */
function updateOf(before: UserState, after: UserState): typeof UPDATE_USER {
  return before.created === after.created && before.mergedInto === after.mergedInto ? UPDATE_MOST : UPDATE_USER
}

function saveRows<Name extends RowTable>(connection: Connection, name: Name, { remove, put }: RowChanges[Name]): void {
  const statements: RowStatements<Name> = ROW_STATEMENTS[name]
  for (const row of remove) connection.run(statements.remove, row)
  for (const row of put) connection.run(statements.put, row)
}

export async function commit(
  { write }: Pick<DatabaseHandle, 'write'>,
  requests: readonly UserRequest[],
  decide: Decide,
): Promise<CommitReport> {
  const { users, refusal } = await write(
    (connection) => saveAll(connection, requests, decide),
    ({ committed }) => committed(),
  )
  if (refusal !== null) throw refusal.error
  return { failures: [], saveGroups: [{ users, asOf: 'before' }] }
}

/** The error of saves that take more of a stock than there is, or `null`. No other connection writes meanwhile. */
export function shortStock(
  connection: Connection,
  saves: readonly { readonly user: Pick<UserKey, 'tenant'>; readonly save: UserSave }[],
): OutOfStock | null {
  if (saves.every(({ save }) => save.stock === undefined)) return null
  const asked = saves.map(({ user: { tenant }, save: { stock } }) => ({ tenant, stock }))
  return findShortStock(asked, (row) => connection.get(TAKEN, row)?.taken ?? 0)
}

interface SavedAll {
  readonly users: readonly SavedUser[]
  /** Called after the commit, before anything else can happen on the connection. */
  readonly committed: () => void
  /** The error that `decide` threw, or that a stock is too small, kept apart from errors of the database, or `null` if there is none. */
  readonly refusal: { readonly error: unknown } | null
}

function saveAll(connection: Connection, requests: readonly UserRequest[], decide: Decide): SavedAll {
  const loaded = requests.map((request) => loadUser(connection, request))
  const epoch = loadEpoch(connection)
  let answers: ReturnType<Decide>
  try {
    answers = decide(loaded, epoch)
  } catch (error) {
    return { users: [], committed: () => undefined, refusal: { error } }
  }
  const saves = savesOf(loaded, answers)
  const error = shortStock(connection, saves)
  if (error !== null) return { users: [], committed: () => undefined, refusal: { error } }
  // The ranks of all users are counted before the first user is written.
  const countRanks = rankCounter(connection)
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks({ tenant, user }, save.ranks) }
  })
  const written = saves.map(({ user, save }) => {
    return { user, state: save.after, notices: save.notices ?? user.notices, version: saveUser(connection, user, save) }
  })
  return {
    users,
    refusal: null,
    committed: () => {
      for (const { user, ...cached } of written) connection.users.put(user, cached)
    },
  }
}
