import { GamificationError } from '../../src/errors.ts'
import type { Storage } from '../../src/storage.ts'
import { findEvent } from '../sql/find-event.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import {
  addAdminKey,
  addApplicationKeys,
  findKey,
  loadAdminKeys,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from './api-keys.ts'
import { audits } from './audit.ts'
import { addGame, commit, loadGames } from './commit.ts'
import { createHandle } from './handle.ts'
import { join } from './joined.ts'
import { loadPage } from './leaderboard-page.ts'
import { loadEntries } from './leaderboards.ts'
import { loadPointsTotals, loadView } from './load.ts'
import { loadLog, loadValues } from './log.ts'
import { migrate } from './migrate.ts'
import { type SqliteOptions, type SqliteSource, toFile } from './opener.ts'
import { queries } from './queries.ts'
import { countStandings } from './standings.ts'
import { createStateCache } from './state-cache.ts'
import { createTopCache } from './top-cache.ts'

export type { SqliteDatabase, SqliteDriver, SqliteStatement } from './driver.ts'
export type { SqliteOptions, SqliteSource } from './opener.ts'

const CHUNK = 1_000
// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }

/**
 * Keeps everything in a SQLite file, through better-sqlite3: given the file's path or URL, `:memory:`, or the host's own
 * `Database`. Beside the host's a second connection to the same file is opened; a database in memory has only one, which
 * is then used between the host's transactions.
 *
 * Nothing is opened before the first call.
 */
export function sqlite(source: SqliteSource, options: SqliteOptions = {}): Storage {
  const { read, write, prepare, isOpen, close } = createHandle(source, options)
  const caches = { users: createStateCache(), tops: createTopCache() }

  return {
    migrate: () => prepare(migrate),
    games: () => read(loadGames),
    addGame: (game) => write((connection) => addGame(connection, game)),
    commit: (requests, decide) => commit(write, caches, requests, decide),
    readUser: (key, asked = {}) => read((connection) => loadView(connection, key, asked)),
    readLog: (key, options) => read((connection) => loadLog(connection, key, options)),
    readValues: (key, metric, options) => read((connection) => loadValues(connection, key, metric, options)),
    findEvent: (tenant, entryId) =>
      findEvent(
        {
          listUsers: (after, limit) => read((connection) => connection.all(queries.users.list, { ...after, limit })),
          findAmong: (after, last) =>
            read((connection) =>
              connection.all(queries.log.findEvent, { tenant_id: tenant, after, last, entry_id: entryId }),
            ),
        },
        tenant,
      ),
    counters: (tenant) => read((connection) => connection.all(queries.counters.ofTenant, { tenant_id: tenant })),
    pointsTotals: (tenant, system, { after = FIRST_USER.user, limit = CHUNK } = {}) =>
      read((connection) => loadPointsTotals(connection, { tenant_id: tenant, system, after, limit })),
    leaderboardPage: (tenant, key, page) => read((connection) => loadPage(connection, tenant, key, page)),
    leaderboardEntries: (tenant, leaderboard, run, users) =>
      read((connection) => loadEntries(connection, tenant, leaderboard, run, users)),
    standings: (user, requests) => read((connection) => countStandings(connection, user, requests)),
    findPauses: (tenant, ids) =>
      read((connection) =>
        connection
          .all(queries.pauses.find, { tenant_id: tenant, ids: JSON.stringify(ids) })
          .map(({ pause_id, user_id }) => ({ id: pause_id, user: user_id })),
      ),
    findKey: (prefix) => read((connection) => findKey(connection, prefix)),
    adminKeys: () => read(loadAdminKeys),
    addAdminKey: (key, most) => write((connection) => addAdminKey(connection, key, most)),
    addApplicationKeys: (keys) => write((connection) => addApplicationKeys(connection, keys)),
    updateAdminKey: (id, change) => write((connection) => updateAdminKey(connection, id, change)),
    removeAdminKey: (id) => write((connection) => removeAdminKey(connection, id)),
    removeApplicationKeys: (tenant, ids) => write((connection) => removeApplicationKeys(connection, tenant, ids)),
    join: (host) => {
      if (!isOpen()) throw new GamificationError('closed', 'The storage was closed.')
      return join(toFile(source), source, host)
    },
    listUsers: ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      read((connection) => connection.all(queries.users.list, { ...toUserColumns(after), limit }).map(toUserKey)),
    ...audits(read, write, caches),
    close,
  }
}
