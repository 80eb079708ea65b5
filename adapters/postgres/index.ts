import { GamificationError } from '../../src/errors.ts'
import type { JoinedStorage, Storage } from '../../src/storage.ts'

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
import { allQueries } from '../sql/queries.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import { toAwardValues, toAwardValuesRead, toEventValues, toEventValuesRead } from '../sql/user-values.ts'
import { addressOf } from './address.ts'
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
import { checkPostgresOptions, checkSource } from './check-arguments.ts'
import { checkWritable } from './check-writable.ts'
import { createCommitter } from './commit.ts'
import { openPool, type PostgresDriver, type PostgresKysely, type PostgresPGlite, type PostgresPool } from './driver.ts'
import { createEntrance } from './entrance.ts'
import { passingReasonOf } from './errors.ts'
import { clearTenant, findUsers, loadTenants } from './found-users.ts'
import { transactionOf } from './host-transaction.ts'
import { join } from './joined-storage.ts'
import { readRanks } from './leaderboard-ranks.ts'
import { readEntries, readPage } from './leaderboards.ts'
import { loadEvents, loadLog, loadNewest, loadSnapshot, loadValues } from './log.ts'
import { checkSchema, migrate } from './migrate.ts'
import { outboxes } from './outbox.ts'
import { overviews } from './overview.ts'
import { pgliteSessions } from './pglite.ts'
import { readInOrder } from './read-in-order.ts'
import { addGame, loadGames, loadPointsTotals, readUser } from './reads.ts'
import { removeUser } from './remove-user.ts'
import { createRunner, type Runner } from './runner.ts'
import { kyselySessions, poolSessions, type Sessions } from './session.ts'
import { withSettings } from './settled-sessions.ts'
import { postgresTraits } from './traits.ts'

export type {
  PGliteTransaction,
  PostgresClient,
  PostgresDriver,
  PostgresKysely,
  PostgresPGlite,
  PostgresPool,
} from './driver.ts'
export { fromKysely, fromPg, type TransactionClient } from './host-transaction.ts'
export {
  type DrizzleTransaction,
  fromDrizzle,
  fromKnex,
  fromPostgresJs,
  fromPrisma,
  fromTypeORM,
  type KnexTransaction,
  type PostgresJsTransaction,
  type PrismaTransaction,
  type TypeORMQueryRunner,
  type TypeORMTransaction,
} from './transactions/index.ts'

/** A connection string, or the host's own pool of pg, instance of kysely, or PGlite. */
export type PostgresSource = string | { readonly href: string } | PostgresPool | PostgresKysely | PostgresPGlite

export interface PostgresOptions {
  /** The schema of every table and function. Default: `laurels`. */
  readonly schema?: string
  /**
   * For how many milliseconds a call tries to reach the database, before it rejects with `unavailable`. Default:
   * 10,000.
   */
  readonly deadlineMs?: number
  /** Loads pg and opens a pool, where a bundler has to do it in its own way. */
  readonly driver?: PostgresDriver
}

const CHUNK = 1_000
/** The longest time that a timer of Node can wait. */
const LONGEST_DEADLINE_MS = 2 ** 31 - 1
// Before all others: no user has an empty id.
const FIRST_USER = { tenant: '', user: '' }

/**
 * Keeps everything in Postgres, in a schema of its own. Given the host's own pool, kysely instance or PGlite, that one
 * is used and never closed. The time in which a PGlite starts does not count for a call's deadline. The storage keeps
 * no state in a connection, so it runs behind a PgBouncer in transaction mode.
 *
 * Nothing is opened before the first call. Throws `storage_unusable` for a source that no connection can come from, and
 * `invalid_request` for a wrong option.
 */
export function postgres(source: PostgresSource, options: PostgresOptions = {}): Storage {
  checkSource(source)
  checkPostgresOptions(options)
  const { driver = openPool } = options
  const deadlineMs = Math.min(options.deadlineMs ?? 10_000, LONGEST_DEADLINE_MS)
  const schema = checkSchema(options.schema ?? 'laurels')
  const traits = postgresTraits(schema)
  const queries = allQueries(traits)
  const sessions = withSettings(toSessions(source, (url) => driver(url, deadlineMs)))
  const unhurried = createRunner(sessions, deadlineMs)
  const { enter, isOpen, until, close } = createEntrance(sessions)
  const committer = createCommitter(unhurried, traits, schema, deadlineMs)
  const auditing = audits(enter, unhurried, traits, schema, committer.forget)
  return storageBy(unhurried, () => undefined)

  /** `end`: the deadline of the storage's calls; without it each has its own time. */
  function storageBy(runner: Runner, end: () => number | undefined): Storage {
    return {
      deadlineMs,
      until: (deadline) => {
        const end = until(deadline)
        return storageBy(unhurried.until(end), end)
      },
      migrate: () => enter(() => migrate(runner, traits, schema)),
      checkWritable: () => enter(() => checkWritable(runner, schema)),
      games: () => enter(() => loadGames(runner, queries)),
      addGame: (game) => enter(() => addGame(runner, schema, game)),
      commit: (requests, decide) => enter(() => committer.commit(requests, decide, end())),
      readUser: (key, asked = {}) => enter(() => readUser(runner, queries, schema, key, asked)),
      readLog: (key, options) => enter(() => loadLog(runner, queries, key, options)),
      readSnapshot: (key, until) => enter(() => loadSnapshot(runner, queries, key, until)),
      readValues: (key, metric, options) => enter(() => loadValues(runner, queries, key, metric, options)),
      readEvents: (key, options) => enter(() => loadEvents(runner, queries, key, options)),
      eventValues: (tenant, options) =>
        enter(async () =>
          toEventValues(await readInOrder(runner, queries.values.ofEvents, toEventValuesRead(tenant, options))),
        ),
      awardValues: (tenant, options) =>
        enter(async () =>
          toAwardValues(await readInOrder(runner, queries.values.ofAwards, toAwardValuesRead(tenant, options))),
        ),
      entryDates: (tenant, ids) =>
        enter(async () => {
          return toEntryDates(await runner.all(queries.log.dates, toDatesRead(tenant, ids)))
        }),
      readAwarded: (key, system, options) =>
        enter(async () =>
          toAwardedValues(await runner.all(queries.awards.readAwarded, toAwardsRead(key, system, options))),
        ),
      findEvent: (tenant, entryId) =>
        enter(async () => {
          const [found] = await runner.all(queries.log.findEvent, toEventRead(tenant, entryId))
          return found ?? null
        }),
      eventsBy: (tenant, by, options) =>
        enter(async () => {
          const rows = await runner.all(queries.log.writtenBy, toWrittenRead(tenant, by, options))
          return rows.map(toWrittenEvent)
        }),
      heldEvents: (tenant, options = {}) =>
        enter(async () => toHeldEvents(await runner.all(heldBy(options, queries.log), toHeldRead(tenant, options)))),
      counters: (tenant) => enter(() => runner.all(queries.counters.ofTenant, { tenant_id: tenant })),
      pointsTotals: (tenant, system, { after = '', limit = CHUNK } = {}) =>
        enter(() => loadPointsTotals(runner, queries, { tenant_id: tenant, system, after, limit })),
      longestStreaks: (tenant, by, options) =>
        enter(async () => {
          const rows = await runner.all(streaksBy(by, queries.users), toStreaksRead(tenant, options))
          return rows.map(toStreakHolder)
        }),
      leaderboardPage: (tenant, key, page) => enter(() => readPage(runner, schema, tenant, key, page)),
      leaderboardEntries: (tenant, leaderboard, run, users) =>
        enter(() => readEntries(runner, schema, tenant, leaderboard, run, users)),
      ranks: (user, requests) => enter(() => readRanks(runner, schema, user, requests)),
      findPauses: (tenant, ids) =>
        enter(async () => {
          const found = await runner.all(queries.pauses.find, { tenant_id: tenant, ids: JSON.stringify(ids) })
          return found.map(({ pause_id, user_id }) => ({ id: pause_id, user: user_id }))
        }),
      findBoosts: (tenant, ids) =>
        enter(async () => {
          const found = await runner.all(queries.boosts.find, { tenant_id: tenant, ids: JSON.stringify(ids) })
          return found.map(toBoostOwner)
        }),
      listBoosts: (tenant, page) =>
        enter(async () => {
          const found = await runner.all(queries.boosts.list, { tenant_id: tenant, ...page })
          return found.map(toBoostOwner)
        }),
      findKey: (prefix) => enter(() => findKey(runner, queries, prefix)),
      adminKeys: () => enter(() => loadAdminKeys(runner, queries)),
      applicationKeys: (tenant, options = {}) => enter(() => loadApplicationKeys(runner, queries, tenant, options)),
      addAdminKey: (key, most) => enter(() => addAdminKey(runner, schema, key, most)),
      addApplicationKeys: (keys) => enter(() => addApplicationKeys(runner, schema, keys)),
      updateAdminKey: (id, change) => enter(() => updateAdminKey(runner, queries, id, change)),
      removeAdminKey: (id) => enter(() => removeAdminKey(runner, queries, id)),
      removeApplicationKeys: (tenant, ids) => enter(() => removeApplicationKeys(runner, schema, tenant, ids)),
      findUsers: (tenant, asked) => enter(() => findUsers(runner, queries, tenant, asked)),
      readNewest: (key, asked) => enter(() => loadNewest(runner, queries, key, asked)),
      tenants: (asked) => enter(() => loadTenants(runner, queries, asked)),
      clearTenant: (tenant) => enter(() => clearTenant(runner, queries, schema, tenant)),
      removeUser: (key, options = {}) =>
        enter(async () => {
          return runner
            .transaction(async (session) => {
              await session.query(`set local lock_timeout = '5s'`, [])
              return removeUser({ session, traits, schema, host: null }, key, options)
            })
            .finally(() => committer.forget(key))
        }),
      hold: (work) =>
        enter(() =>
          runner.transaction(async (session) => {
            await session.query(`set local lock_timeout = '5s'`, [])
            const removeHeld: JoinedStorage['removeUser'] = (key, options = {}) =>
              removeUser({ session, traits, schema, host: null }, key, options).finally(() => committer.forget(key))
            try {
              const joined = join(traits, queries, schema, transactionOf(session, session), committer.forget)
              return await work({ ...joined, removeUser: removeHeld })
            } catch (error) {
              throw passingReasonOf(error)
            }
          }),
        ),
      join: (host) => {
        if (!isOpen()) throw new GamificationError('closed', 'The storage was closed.')
        return join(traits, queries, schema, host, committer.forget)
      },
      listUsers: ({ after = FIRST_USER, limit = CHUNK } = {}) =>
        enter(async () => {
          const users = await runner.all(queries.users.list, { ...toUserColumns(after), limit })
          return users.map(toUserKey)
        }),
      ...overviews(enter, runner, queries),
      ...outboxes({ runner, sessions, enter, queries }),
      ...auditing,
      close: () =>
        close(async () => {
          await committer.close()
          await sessions.close()
        }),
    }
  }
}

function toSessions(source: PostgresSource, driver: (url: string) => Promise<PostgresPool>): Sessions {
  const address = addressOf(source)
  if (typeof source === 'string') return poolSessions(() => driver(source), true, address)
  if ('href' in source) return poolSessions(() => driver(source.href), true, address)
  if (isKysely(source)) return kyselySessions(source)
  if ('waitReady' in source) return pgliteSessions(source)
  return poolSessions(() => Promise.resolve(source), false, address)
}

/** A pool may have a member `connection` too, which is no function. */
function isKysely(source: PostgresPool | PostgresKysely | PostgresPGlite): source is PostgresKysely {
  return 'connection' in source && typeof source.connection === 'function'
}
