import type { UserState } from '../../src/rules/state.ts'
import type { Award, StreakPeriod, UserKey } from '../../src/storage/rows.ts'
import type { EventLookup, LoadedUser, ReadUserOptions, UserRequest, UserView } from '../../src/storage/storage.ts'
import { fromAwardRow } from '../sql/awards.ts'
import { fromIdHex } from '../sql/entry-rows.ts'
import { toNamedPeriod, toPeriod, toProgress } from '../sql/progress.ts'
import { toNoticeCursor, toUserColumns, toUserState } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { loadLeaderboards } from './leaderboards.ts'
import type { CachedUser } from './state-cache.ts'
import { queries } from './traits.ts'

/** More rows than any user has: SQLite and Postgres have no common word for "all". */
const ALL = Number.MAX_SAFE_INTEGER

export function loadEpoch(connection: Connection): number {
  return connection.get(queries.games.newest, {})?.epoch ?? 0
}

export function loadUser(connection: Connection, request: UserRequest, cached?: CachedUser): LoadedUser {
  const { tenant, user, lookups } = request
  const { state, version, notices } = cached ?? loadState(connection, request)
  return { tenant, user, state, version, found: findAll(connection, request, state, lookups), notices }
}

export function loadView(connection: Connection, key: UserKey, options: ReadUserOptions): UserView {
  const { awards, periods, leaderboards, lookups = [] } = options
  const { state, version, notices } = loadState(connection, key)
  return {
    state,
    version,
    epoch: loadEpoch(connection),
    awards: awards === undefined ? [] : loadAwards(connection, key, awards),
    periods: periods === undefined ? [] : loadPeriods(connection, key, periods),
    leaderboards: leaderboards === undefined ? [] : loadLeaderboards(connection, key, leaderboards),
    found: findAll(connection, key, state, lookups),
    notices,
  }
}

function loadState(connection: Connection, key: UserKey): Pick<LoadedUser, 'state' | 'version' | 'notices'> {
  const columns = toUserColumns(key)
  const row = connection.get(queries.users.load, columns)
  if (row === undefined) return { state: null, version: 0, notices: null }
  const state = toUserState(row, toProgress(connection.all(queries.progress.load, columns)))
  return { state, version: row.version, notices: toNoticeCursor(row) }
}

function findAll(
  connection: Connection,
  key: UserKey,
  state: UserState | null,
  lookups: readonly (EventLookup | null)[],
): readonly (string | null)[] {
  return lookups.map((lookup) => (state === null || lookup === null ? null : find(connection, key, lookup)))
}

function find(connection: Connection, key: UserKey, { metric, idempotencyKey }: EventLookup): string | null {
  const used = { ...toUserColumns(key), metric, idempotency_key: idempotencyKey }
  const row = connection.get(queries.log.findByKey, used)
  return row === undefined ? null : fromIdHex(row.entry_id)
}

function loadAwards(
  connection: Connection,
  key: UserKey,
  { system, limit = ALL }: NonNullable<ReadUserOptions['awards']>,
): Award[] {
  const newest = { ...toUserColumns(key), limit }
  const rows =
    system === undefined
      ? connection.all(queries.awards.ofUser, newest)
      : connection.all(queries.awards.ofSystem, { ...newest, system })
  return rows.map(fromAwardRow)
}

function loadPeriods(
  connection: Connection,
  key: UserKey,
  { limit = ALL, streak }: NonNullable<ReadUserOptions['periods']>,
): readonly StreakPeriod[] {
  const [{ ofUser, ofStreak, ofStreaks }, columns] = [queries.periods, toUserColumns(key)]
  if (typeof streak === 'string') return connection.all(ofStreak, { ...columns, streak, limit }).map(toNamedPeriod)
  const periods = connection.all(ofUser, { ...columns, limit }).map(toPeriod)
  return streak === null ? periods : [...periods, ...connection.all(ofStreaks, columns).map(toNamedPeriod)]
}
