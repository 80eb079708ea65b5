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
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import { toAwardValues, toAwardValuesRead, toEventValues, toEventValuesRead } from '../sql/user-values.ts'
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
import { type DatabaseHandle, openDatabase } from './database.ts'
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
  const { watch } = database
  const cache = createStateCache()
  watch.onFault(() => cache.begin(null))

  const auditing = audits(database.read, database.write, cache)
  return storageOn(database)

  function storageOn(database: DatabaseHandle): Storage {
    const { deadlineMs, read, readOne, write, prepare, transact, isOpen, admits, close } = database
    return {
      deadlineMs,
      until: (deadline) => storageOn(database.until(deadline)),
      migrate: () => prepare(migrate),
      checkWritable: async () => {
        await database.checkWritable()
        return { now: null }
      },
      games: () => read(loadGames),
      addGame: (game) => write((connection) => addGame(connection, game)),
      commit: (requests, decide) => commit(database, cache, requests, decide),
      readUser: (key, asked = {}) => read((connection) => loadView(connection, key, asked)),
      readLog: (key, options) => read((connection) => loadLog(connection, key, options)),
      readSnapshot: (key, until) => read((connection) => loadSnapshot(connection, key, until)),
      readValues: (key, metric, options) => read((connection) => loadValues(connection, key, metric, options)),
      readEvents: (key, options) => read((connection) => loadEvents(connection, key, options)),
      eventValues: (tenant, options) =>
        read((connection) =>
          toEventValues(connection.all(queries.values.ofEvents, toEventValuesRead(tenant, options))),
        ),
      awardValues: (tenant, options) =>
        read((connection) =>
          toAwardValues(connection.all(queries.values.ofAwards, toAwardValuesRead(tenant, options))),
        ),
      entryDates: (tenant, ids) =>
        read((connection) => toEntryDates(connection.all(queries.log.dates, toDatesRead(tenant, ids)))),
      readAwarded: (key, system, options) =>
        read((connection) =>
          toAwardedValues(connection.all(queries.awards.readAwarded, toAwardsRead(key, system, options))),
        ),
      findEvent: (tenant, entryId) =>
        read((connection) => connection.get(queries.log.findEvent, toEventRead(tenant, entryId)) ?? null),
      eventsBy: (tenant, by, options) =>
        read((connection) =>
          connection.all(queries.log.writtenBy, toWrittenRead(tenant, by, options)).map(toWrittenEvent),
        ),
      heldEvents: (tenant, options = {}) =>
        read((connection) => toHeldEvents(connection.all(heldBy(options, queries.log), toHeldRead(tenant, options)))),
      counters: (tenant) => read((connection) => connection.all(queries.counters.ofTenant, { tenant_id: tenant })),
      pointsTotals: (tenant, system, { after = FIRST_USER.user, limit = CHUNK } = {}) =>
        read((connection) => loadPointsTotals(connection, { tenant_id: tenant, system, after, limit })),
      longestStreaks: (tenant, by, options) =>
        read((connection) =>
          connection.all(streaksBy(by, queries.users), toStreaksRead(tenant, options)).map(toStreakHolder),
        ),
      leaderboardPage: (tenant, key, page) => read((connection) => loadPage(connection, tenant, key, page)),
      leaderboardEntries: (tenant, leaderboard, run, users) =>
        read((connection) => loadEntries(connection, tenant, leaderboard, run, users)),
      ranks: (user, requests) => read((connection) => rankCounter(connection)(user, requests)),
      findPauses: (tenant, ids) =>
        read((connection) =>
          connection
            .all(queries.pauses.find, { tenant_id: tenant, ids: JSON.stringify(ids) })
            .map(({ pause_id, user_id }) => ({ id: pause_id, user: user_id })),
        ),
      findBoosts: (tenant, ids) =>
        read((connection) => {
          return connection.all(queries.boosts.find, { tenant_id: tenant, ids: JSON.stringify(ids) }).map(toBoostOwner)
        }),
      listBoosts: (tenant, page) =>
        read((connection) => connection.all(queries.boosts.list, { tenant_id: tenant, ...page }).map(toBoostOwner)),
      findKey: (prefix) => readOne((connection) => findKey(connection, prefix)),
      adminKeys: () => read(loadAdminKeys),
      applicationKeys: (tenant, options = {}) => read((connection) => loadApplicationKeys(connection, tenant, options)),
      addAdminKey: (key, most) => write((connection) => addAdminKey(connection, key, most)),
      addApplicationKeys: (keys) => write((connection) => addApplicationKeys(connection, keys)),
      updateAdminKey: (id, change) => write((connection) => updateAdminKey(connection, id, change)),
      removeAdminKey: (id) => write((connection) => removeAdminKey(connection, id)),
      removeApplicationKeys: (tenant, ids) => write((connection) => removeApplicationKeys(connection, tenant, ids)),
      findUsers: (tenant, asked) => read((connection) => findUsers(connection, tenant, asked)),
      readNewest: (key, asked) => read((connection) => loadNewest(connection, key, asked)),
      tenants: (asked) => read((connection) => loadTenants(connection, asked)),
      clearTenant: (tenant) => write((connection) => clearTenant(connection, tenant)),
      removeUser: async (key, options) => {
        const { outcome } = await write(
          (connection) => removeUser(connection, key, options),
          ({ forgotten }) => {
            for (const each of forgotten) cache.remove(each)
          },
        )
        return outcome
      },
      hold: (work) =>
        write(
          (connection) => answerAtOnce((check) => work(heldStorage(connection, check))),
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
      ...auditing,
      close,
    }
  }
}
