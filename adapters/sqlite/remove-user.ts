import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { auditQueries } from '../sql/audit-queries.ts'
import type { RankedChange } from '../sql/leaderboard-positions.ts'
import { toProgress } from '../sql/progress-rows.ts'
import { countsOf } from '../sql/user-counts.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import { forgetStarts } from './blocks/index.ts'
import type { Connection } from './connection.ts'
import { saveLeaderboards } from './leaderboards.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { saveUser } from './save.ts'
import { sqliteTraits } from './traits.ts'

const { version: versionOf, derived } = auditQueries(sqliteTraits)
const { removal, counters, entries, progress } = queries

export interface Removal {
  readonly outcome: RemovedUser
  /** What became of places in leaderboards. */
  readonly changes: readonly RankedChange[]
}

/** Within a transaction. */
export function removeUser(
  connection: Connection,
  key: UserKey,
  { version, replacement }: RemoveUserOptions = {},
): Removal {
  const columns = toUserColumns(key)
  const isOther = version !== undefined && version !== (connection.get(versionOf, columns)?.version ?? 0)
  const isOutdated = replacement !== undefined && replacement.epoch !== loadEpoch(connection)
  if (isOther || isOutdated) return { outcome: 'changed', changes: [] }

  // Read by its rows: whatever is wrong with them, this is what is counted of them.
  const { completions, points } = toProgress(connection.all(progress.load, columns))
  const places = connection.all(entries.ofUser, columns).map((place) => ({ ...columns, ...place }))
  const left = saveLeaderboards(connection, { remove: places, put: [] }, [])
  forgetStarts(connection, key)
  const removed = derived.map(({ table, removeAll }) => [table.name, connection.run(removeAll, columns)] as const)
  const others = [removal.log, removal.keys].map((statement) => connection.run(statement, columns))
  const isThere = removed.some(([name, rows]) => name === 'users' && rows > 0)
  for (const { kind, key: name, by } of countsOf({ completions, points }, -1)) {
    if (kind === 'users' && !isThere) continue
    const counter = { tenant_id: key.tenant, kind, key: name }
    connection.run(counters.add, { ...counter, count: by })
    connection.run(counters.removeEmpty, counter)
  }
  const entered = replacement === undefined ? [] : replace(connection, key, replacement)
  const isAny = places.length > 0 || removed.some(([, rows]) => rows > 0) || others.some((rows) => rows > 0)
  return { outcome: isAny ? 'removed' : 'unknown', changes: [...left, ...entered] }
}

function replace(
  connection: Connection,
  { tenant }: UserKey,
  { user, save }: NonNullable<RemoveUserOptions['replacement']>,
): readonly RankedChange[] {
  return saveUser(connection, loadUser(connection, { tenant, user, lookups: [] }), save).changes
}
