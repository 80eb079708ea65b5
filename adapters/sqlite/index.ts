import { GamificationError } from '../../src/errors.ts'
import type { Storage } from '../../src/storage.ts'

import { toAwardedValues, toAwardsRead } from '../sql/awards.ts'
import { toBoostOwner } from '../sql/given-boosts.ts'
import {
  heldBy,
  toDatesRead,
  toEntryDates,
  toEventRead,
  toHeldEvents,
  toHeldRead,
  toWrittenEvent,
  toWrittenRead,
} from '../sql/log.ts'
import { streaksBy, toStreakHolder, toStreaksRead } from '../sql/longest-streaks.ts'
import { toAwardSums, toAwardSumsRead, toEventSums, toEventSumsRead } from '../sql/sums.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import {
  addAdminKey,
  addApplicationKeys,
  findKey,
  loadAdminKeys,
  loadApplicationKeys,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from './api-keys.ts'
import { audits } from './audit.ts'
import { checkSource, checkSqliteOptions } from './check-arguments.ts'
import { addGame, commit, loadGames } from './commit.ts'
import { openDatabase } from './database.ts'
import { clearTenant, findUsers, loadTenants } from './found-users.ts'
import { answerAtOnce, heldStorage, join } from './joined-storage.ts'
import { loadPage } from './leaderboard-page.ts'
import { rankCounter } from './leaderboard-ranks.ts'
import { loadEntries } from './leaderboards.ts'
import { loadPointsTotals, loadView } from './load.ts'
import { loadEvents, loadLog, loadNewest, loadSnapshot, loadValues } from './log.ts'
import { migrate } from './migrate.ts'
import { toFile } from './opener.ts'
import { outboxes } from './outbox.ts'
import { overviews } from './overview.ts'
import { queries } from './queries.ts'
import { removeUser } from './remove-user.ts'
import type { SqliteOptions, SqliteSource } from './source.ts'
import { createStateCache } from './state-cache.ts'

export type { SqliteDatabase, SqliteDriver, SqliteDriverOptions } from './driver.ts'
export type { SqliteOptions, SqliteSource } from './source.ts'

const CHUNK = 1_000
// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }

/**
 * Keeps everything in a SQLite file: given the file's path or URL, `:memory:`, or the host's own database, of
 * better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. On Node a path is opened with better-sqlite3 where it is
 * installed, else with `node:sqlite`; on Bun with `bun:sqlite`. Beside the host's database a second connection to the
 * same file is opened, by the same driver. A database in memory has only one connection, which is then used between the
 * host's transactions.
 *
 * Nothing is opened before the first call. Throws `storage_unusable` for a source that no driver can open, and
 * `invalid_request` for a wrong option.
 */
export function sqlite(source: SqliteSource, options: SqliteOptions = {}): Storage {
  checkSource(source)
  checkSqliteOptions(options)
  const database = openDatabase(source, options)
  const { deadlineMs, watch, read, readOne, write, prepare, transact, isOpen, admits, close } = database
  const cache = createStateCache()
  watch.onFault(() => cache.begin(null))

  return {
    deadlineMs,
    migrate: (deadline) => prepare(migrate, deadline),
    checkWritable: async (deadline) => {
      await database.checkWritable(deadline)
      return { now: null }
    },
    games: (deadline) => read(loadGames, deadline),
    addGame: (game, deadline) => write((connection) => addGame(connection, game), deadline),
    commit: (requests, decide, deadline) => commit(database, cache, requests, decide, deadline),
    readUser: (key, asked = {}, deadline) => read((connection) => loadView(connection, key, asked), deadline),
    readLog: (key, options) => read((connection) => loadLog(connection, key, options)),
    readSnapshot: (key, until, deadline) => read((connection) => loadSnapshot(connection, key, until), deadline),
    readValues: (key, metric, options) => read((connection) => loadValues(connection, key, metric, options)),
    readEvents: (key, options) => read((connection) => loadEvents(connection, key, options)),
    eventSums: (tenant, ranges, options) =>
      read((connection) => {
        const rows = connection.all(queries.sums.ofEvents(ranges.length), toEventSumsRead(tenant, ranges, options))
        return toEventSums(rows, ranges.length)
      }),
    awardSums: (tenant, ranges, options) =>
      read((connection) => {
        const rows = connection.all(queries.sums.ofAwards(ranges.length), toAwardSumsRead(tenant, ranges, options))
        return toAwardSums(rows, ranges.length)
      }),
    entryDates: (tenant, ids, deadline) =>
      read((connection) => toEntryDates(connection.all(queries.log.dates, toDatesRead(tenant, ids))), deadline),
    readAwarded: (key, system, options) =>
      read((connection) =>
        toAwardedValues(connection.all(queries.awards.readAwarded, toAwardsRead(key, system, options))),
      ),
    findEvent: (tenant, entryId, deadline) =>
      read((connection) => connection.get(queries.log.findEvent, toEventRead(tenant, entryId)) ?? null, deadline),
    eventsBy: (tenant, by, options) =>
      read((connection) =>
        connection.all(queries.log.writtenBy, toWrittenRead(tenant, by, options)).map(toWrittenEvent),
      ),
    heldEvents: (tenant, options = {}, deadline) =>
      read(
        (connection) => toHeldEvents(connection.all(heldBy(options, queries.log), toHeldRead(tenant, options))),
        deadline,
      ),
    counters: (tenant, deadline) =>
      read((connection) => connection.all(queries.counters.ofTenant, { tenant_id: tenant }), deadline),
    pointsTotals: (tenant, system, { after = FIRST_USER.user, limit = CHUNK } = {}) =>
      read((connection) => loadPointsTotals(connection, { tenant_id: tenant, system, after, limit })),
    longestStreaks: (tenant, by, options) =>
      read((connection) =>
        connection.all(streaksBy(by, queries.users), toStreaksRead(tenant, options)).map(toStreakHolder),
      ),
    leaderboardPage: (tenant, key, page, deadline) =>
      read((connection) => loadPage(connection, tenant, key, page), deadline),
    leaderboardEntries: (tenant, leaderboard, run, users, deadline) =>
      read((connection) => loadEntries(connection, tenant, leaderboard, run, users), deadline),
    ranks: (user, requests, deadline) => read((connection) => rankCounter(connection)(user, requests), deadline),
    findPauses: (tenant, ids, deadline) =>
      read(
        (connection) =>
          connection
            .all(queries.pauses.find, { tenant_id: tenant, ids: JSON.stringify(ids) })
            .map(({ pause_id, user_id }) => ({ id: pause_id, user: user_id })),
        deadline,
      ),
    findBoosts: (tenant, ids, deadline) =>
      read((connection) => {
        return connection.all(queries.boosts.find, { tenant_id: tenant, ids: JSON.stringify(ids) }).map(toBoostOwner)
      }, deadline),
    listBoosts: (tenant, page, deadline) =>
      read(
        (connection) => connection.all(queries.boosts.list, { tenant_id: tenant, ...page }).map(toBoostOwner),
        deadline,
      ),
    findKey: (prefix, deadline) => readOne((connection) => findKey(connection, prefix), deadline),
    adminKeys: (deadline) => read(loadAdminKeys, deadline),
    applicationKeys: (tenant, options = {}, deadline) =>
      read((connection) => loadApplicationKeys(connection, tenant, options), deadline),
    addAdminKey: (key, most, deadline) => write((connection) => addAdminKey(connection, key, most), deadline),
    addApplicationKeys: (keys, deadline) => write((connection) => addApplicationKeys(connection, keys), deadline),
    updateAdminKey: (id, change, deadline) => write((connection) => updateAdminKey(connection, id, change), deadline),
    removeAdminKey: (id, deadline) => write((connection) => removeAdminKey(connection, id), deadline),
    removeApplicationKeys: (tenant, ids, deadline) =>
      write((connection) => removeApplicationKeys(connection, tenant, ids), deadline),
    findUsers: (tenant, asked, deadline) => read((connection) => findUsers(connection, tenant, asked), deadline),
    readNewest: (key, asked, deadline) => read((connection) => loadNewest(connection, key, asked), deadline),
    tenants: (asked, deadline) => read((connection) => loadTenants(connection, asked), deadline),
    clearTenant: (tenant, deadline) => write((connection) => clearTenant(connection, tenant), deadline),
    removeUser: async (key, options, deadline) => {
      const { outcome } = await write(
        (connection) => removeUser(connection, key, options),
        deadline,
        ({ forgotten }) => {
          for (const each of forgotten) cache.remove(each)
        },
      )
      return outcome
    },
    hold: (work, deadline) =>
      write(
        (connection) => answerAtOnce((check) => work(heldStorage(connection, check))),
        deadline,
        () => cache.begin(null),
      ),
    join: (host) => {
      if (!isOpen()) throw new GamificationError('closed', 'The storage was closed.')
      return join({ file: toFile(source), source, watch, admits }, host)
    },
    listUsers: ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      read((connection) => connection.all(queries.users.list, { ...toUserColumns(after), limit }).map(toUserKey)),
    ...outboxes(read, write, transact),
    ...overviews(read),
    ...audits(read, write, cache),
    close,
  }
}
