import type { StorageOutbox } from '../../src/storage/outbox.ts'
import type { StorageOverview } from '../../src/storage/overview.ts'
import type { LongestStreaksOptions, Storage, StreakHolder, StreakLength } from '../../src/storage/storage.ts'
import { type KeyStorage, sqlKeys } from './api-keys.ts'
import { toAwardedValues, toAwardsRead } from './awards.ts'
import type { SqlDatabase, Statement } from './database.ts'
import { fromEntryRow } from './entry-rows.ts'
import { findUsers, listTenants } from './found-users.ts'
import { addGame, toGames } from './games.ts'
import { findEntries } from './leaderboards.ts'
import {
  heldBy,
  LINE_TEXTS,
  toDatesRead,
  toEntryDates,
  toEventRead,
  toHeldEvents,
  toHeldRead,
  toLinesRead,
  toLoggedEvents,
  toLoggedValues,
  toNewestRead,
  toWrittenEvent,
  toWrittenRead,
} from './log.ts'
import { sqlOutbox } from './outbox.ts'
import { sqlOverview } from './overview.ts'
import type { Queries } from './queries.ts'
import { type Progress, toUserColumns, toUserKey, toUserState, type UserRow } from './user-rows.ts'
import { toAwardValues, toAwardValuesRead, toEventValues, toEventValuesRead, toPointsTotal } from './user-values.ts'
import type { StreaksRead, UserQueries } from './users.ts'

const CHUNK = 1_000
/** Longer than any streak. */
const LONGEST = Number.MAX_SAFE_INTEGER

type HolderRow = UserRow & { readonly user_id: string }

function streaksBy(by: StreakLength, { byStreak, byLongest }: UserQueries): Statement<StreaksRead, HolderRow> {
  return by === 'length' ? byStreak : byLongest
}

export function toStreaksRead(
  tenant: string,
  { after = { length: LONGEST, user: '' }, limit = CHUNK }: LongestStreaksOptions = {},
): StreaksRead {
  return { tenant_id: tenant, length: after.length, user_id: after.user, limit }
}

const NO_PROGRESS: Progress = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

function toStreakHolder(row: HolderRow): StreakHolder {
  const { totals, tallies, completions, points, ...state } = toUserState(row, NO_PROGRESS)
  return { user: row.user_id, state }
}

/** What every SQL database does in the same way: all reads that are no part of a commit, the keys, and the outbox. */
export type SqlStorage = KeyStorage &
  Omit<StorageOverview, 'name'> &
  StorageOutbox &
  Pick<
    Storage,
    | 'games'
    | 'addGame'
    | 'readLog'
    | 'readNewest'
    | 'readSnapshot'
    | 'readValues'
    | 'readEvents'
    | 'findEvent'
    | 'heldEvents'
    | 'eventsBy'
    | 'entryDates'
    | 'readAwarded'
    | 'eventValues'
    | 'awardValues'
    | 'counters'
    | 'pointsTotals'
    | 'longestStreaks'
    | 'leaderboardEntries'
    | 'findPauses'
    | 'findBoosts'
    | 'listBoosts'
    | 'findUsers'
    | 'listUsers'
    | 'tenants'
  >
// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }

export function sqlStorage(queries: Queries, database: SqlDatabase): SqlStorage {
  const { all, page, chunk } = database
  const { awards, counters, games, log, owners, pointsTotals, snapshots, users, values } = queries
  return {
    ...sqlKeys(queries, database),
    ...sqlOverview(queries.overview, database),
    ...sqlOutbox(queries, database),
    games: async () => toGames(await all(games.all, {})),
    addGame: (game) => addGame(games, database, game),
    counters: (tenant) => all(counters.ofTenant, { tenant_id: tenant }),
    pointsTotals: async (tenant, system, { after = '', limit = CHUNK } = {}) =>
      (await all(pointsTotals.ofTenant, { tenant_id: tenant, system, after, limit })).map(toPointsTotal),
    longestStreaks: async (tenant, by, options) =>
      (await all(streaksBy(by, users), toStreaksRead(tenant, options))).map(toStreakHolder),
    leaderboardEntries: (...asked) => findEntries(queries.entries, database, ...asked),
    findPauses: (tenant, ids) => all(owners.ofPauses, { tenant_id: tenant, ids: JSON.stringify(ids) }),
    findBoosts: (tenant, ids) => all(owners.ofBoosts, { tenant_id: tenant, ids: JSON.stringify(ids) }),
    listBoosts: (tenant, page) => all(owners.boosts, { tenant_id: tenant, ...page }),
    findUsers: (tenant, options) => findUsers(queries.found, database, tenant, options),
    listUsers: async ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      (await all(users.list, { ...toUserColumns(after), limit })).map(toUserKey),
    tenants: (options) => listTenants(queries.tenants, database, options),
    readLog: async (key, options) => (await chunk(log.read, toLinesRead(key, options), LINE_TEXTS)).map(fromEntryRow),
    readNewest: async (key, options) =>
      (await chunk(log.readNewest, toNewestRead(key, options), LINE_TEXTS, 'desc')).map(fromEntryRow),
    readSnapshot: async (key, until) => (await all(snapshots.newest, { ...toUserColumns(key), until }))[0] ?? null,
    readValues: async (key, metric, options) =>
      toLoggedValues(await all(log.readValues, { ...toLinesRead(key, options), metric })),
    readEvents: async (key, options) =>
      toLoggedEvents(await chunk(log.readEvents, toLinesRead(key, options), ['data'])),
    findEvent: async (tenant, entryId) => (await all(log.findEvent, toEventRead(tenant, entryId)))[0] ?? null,
    heldEvents: async (tenant, options = {}) =>
      toHeldEvents(await all(heldBy(options, log), toHeldRead(tenant, options))),
    eventsBy: async (tenant, by, options) =>
      (await all(log.writtenBy, toWrittenRead(tenant, by, options))).map(toWrittenEvent),
    entryDates: async (tenant, ids) => toEntryDates(await all(log.dates, toDatesRead(tenant, ids))),
    readAwarded: async (key, system, options) =>
      toAwardedValues(await all(awards.readAwarded, toAwardsRead(key, system, options))),
    eventValues: async (tenant, options) =>
      toEventValues(await page(values.ofEvents, toEventValuesRead(tenant, options))),
    awardValues: async (tenant, options) =>
      toAwardValues(await page(values.ofAwards, toAwardValuesRead(tenant, options))),
  }
}
