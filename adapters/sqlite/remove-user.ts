import type { UserKey } from '../../src/storage/rows.ts'
import type { RemovedUser, RemoveUserOptions } from '../../src/storage/storage.ts'
import { auditQueries } from '../sql/audit.ts'
import { toProgress } from '../sql/read-user.ts'
import { countsOf, toUserColumns } from '../sql/user-rows.ts'
import { loadEpoch, loadUser, saveUser } from './commit.ts'
import type { Connection } from './connection.ts'
import { forgetStarts } from './leaderboard-blocks.ts'
import { saveLeaderboards } from './leaderboards.ts'
import { queries, sqliteTraits } from './traits.ts'

const { tables } = auditQueries(sqliteTraits)
const { removal, counters, entries, views, users } = queries

export function removeUser(connection: Connection, key: UserKey, options: RemoveUserOptions = {}): RemovedUser {
  const { keepsNames = false, replacement } = options
  const { tenant } = key
  if (isChanged(connection, key, options)) return 'changed'
  const others = replacement?.users ?? []
  const gone = goneWith(connection, key, options)
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
  const versionNow = (user: string): number => connection.get(users.load, toUserColumns({ tenant, user }))?.version ?? 0
  const others = replacement?.users ?? []
  const isOther = version !== undefined && version !== versionNow(named)
  const isOneOther = others.some((each) => each.user !== named && each.version !== versionNow(each.user))
  const isOutdated = replacement !== undefined && replacement.epoch !== loadEpoch(connection)
  return isOther || isOneOther || isOutdated
}

/** The user and its other names, as far as they go with it. */
function goneWith(connection: Connection, key: UserKey, { keepsNames = false }: RemoveUserOptions): readonly UserKey[] {
  return keepsNames ? [key] : [key, ...otherNamesOf(connection, key)]
}

/** Users who are other names of a user, directly or by way of another name. */
function otherNamesOf(connection: Connection, { tenant, user }: UserKey): readonly UserKey[] {
  return connection.all(users.names, { tenant_id: tenant, merged_into: user }).flatMap(({ user_id }) => {
    const name = { tenant, user: user_id }
    return [name, ...otherNamesOf(connection, name)]
  })
}

function remove(connection: Connection, key: UserKey, keepsNames: boolean): boolean {
  const columns = toUserColumns(key)
  // Read from the user's rows: whatever is wrong with these, the counters have counted them.
  const { completions, points } = toProgress(connection.all(views.progress, columns))
  const mergedInto = connection.get(users.load, columns)?.merged_into ?? null
  const places = connection.all(entries.ofUser, columns).map((place) => ({ ...columns, ...place }))
  saveLeaderboards(connection, { remove: places, put: [] }, [])
  forgetStarts(connection, key)
  const removed = tables.map(({ table, clear }) => [table.name, connection.run(clear, columns)] as const)
  const others = (keepsNames ? [removal.log] : [removal.log, removal.keys, removal.messages, removal.deliveries]).map(
    (each) => connection.run(each, columns),
  )
  const isUser = removed.some(([name, rows]) => name === 'users' && rows > 0)
  for (const { kind, key: name, by } of countsOf({ completions, points, mergedInto }, -1)) {
    if (kind === 'users' && !isUser) continue
    const counter = { tenant_id: key.tenant, kind, key: name, slot: 0 }
    connection.run(counters.add, { ...counter, count: by })
    connection.run(counters.removeEmpty, counter)
  }
  return places.length > 0 || removed.some(([, rows]) => rows > 0) || others.some((rows) => rows > 0)
}
