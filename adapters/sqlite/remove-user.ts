import { AUDITED_TABLES } from '../../src/sql/audit.ts'
import { ALL_ENTRIES } from '../../src/sql/leaderboards.ts'
import { ADD_TO_COUNTER, REMOVE_EMPTY_COUNTER, REMOVE_KEYS, REMOVE_LOG, REMOVE_NAMES } from '../../src/sql/queries.ts'
import { PROGRESS, toProgress } from '../../src/sql/read-user.ts'
import { ADD_TO_STOCK, TAKEN_BY_USER } from '../../src/sql/stock.ts'
import { countsOf, toUserColumns } from '../../src/sql/user-rows.ts'
import { LOAD_USER, OTHER_NAMES } from '../../src/sql/users.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { RemovedUser, RemoveUserOptions } from '../../src/storage/storage.ts'
import { loadEpoch, loadUser, saveUser } from './commit.ts'
import type { Connection } from './connection.ts'
import { forgetStarts } from './leaderboard-blocks.ts'
import { saveLeaderboards } from './leaderboards.ts'

export function removeFromFile(connection: Connection, key: UserKey, options: RemoveUserOptions = {}): RemovedUser {
  const { keepsNames = false, endsKeys = false, replacement } = options
  const { tenant } = key
  if (isChanged(connection, key, options)) return 'changed'
  const others = replacement?.users ?? []
  const names = keepsNames && !endsKeys ? [] : otherNamesOf(connection, key)
  if (endsKeys) for (const each of [key, ...names]) connection.run(REMOVE_KEYS, each)
  const gone = keepsNames ? [key] : [key, ...names]
  if (replacement === undefined) for (const each of gone) keepTaken(connection, each)
  const left = gone.map((each) => remove(connection, each, keepsNames))
  for (const { user, save } of others) {
    saveUser(connection, loadUser(connection, { tenant, user, lookups: [] }), save)
  }
  return left.includes(true) ? 'removed' : 'unknown'
}

/** Returns whether a version or the game is another than the removal names. */
function isChanged(
  connection: Connection,
  { tenant, user: named }: UserKey,
  { version, replacement }: RemoveUserOptions,
): boolean {
  const versionNow = (user: string): number => connection.get(LOAD_USER, { tenant, user })?.version ?? 0
  const others = replacement?.users ?? []
  const isOther = version !== undefined && version !== versionNow(named)
  const isOneOther = others.some((each) => each.user !== named && each.version !== versionNow(each.user))
  const isOutdated = replacement !== undefined && replacement.epoch !== loadEpoch(connection)
  return isOther || isOneOther || isOutdated
}

/** Users who are other names of a user, directly or by way of another name. */
function otherNamesOf(connection: Connection, { tenant, user }: UserKey): readonly UserKey[] {
  return connection.all(OTHER_NAMES, { tenant, user }).flatMap((other) => {
    const name = { tenant, user: other.user }
    return [name, ...otherNamesOf(connection, name)]
  })
}

/** A reward that the user has taken does not come back. */
function keepTaken(connection: Connection, key: UserKey): void {
  for (const { reward, count } of connection.all(TAKEN_BY_USER, key)) {
    connection.run(ADD_TO_STOCK, { tenant_id: key.tenant, reward, taken: 0, removed: count })
  }
}

function remove(connection: Connection, key: UserKey, keepsNames: boolean): boolean {
  const columns = toUserColumns(key)
  connection.users.remove(key)
  // Read from the user's rows: whatever is wrong with these, the counters have counted them.
  const { completions, points } = toProgress(connection.all(PROGRESS, key))
  const mergedInto = connection.get(LOAD_USER, key)?.merged_into ?? null
  const places = connection.all(ALL_ENTRIES, columns).map((place) => ({ ...columns, ...place }))
  saveLeaderboards(connection, { remove: places, put: [] }, [])
  forgetStarts(connection, key)
  const removed = AUDITED_TABLES.map(({ table, clear }) => [table.name, connection.run(clear, key)] as const)
  const others = [REMOVE_LOG, ...(keepsNames ? [] : REMOVE_NAMES)].map((each) => connection.run(each, key))
  const isUser = removed.some(([name, rows]) => name === 'users' && rows > 0)
  for (const { kind, key: name, by } of countsOf({ completions, points, mergedInto }, -1)) {
    if (kind === 'users' && !isUser) continue
    const counter = { tenant_id: key.tenant, kind, key: name, slot: 0 }
    connection.run(ADD_TO_COUNTER, { ...counter, count: by })
    connection.run(REMOVE_EMPTY_COUNTER, counter)
  }
  return places.length > 0 || removed.some(([, rows]) => rows > 0) || others.some((rows) => rows > 0)
}
