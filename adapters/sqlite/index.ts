import { sqlAudit } from '../../src/sql/audit.ts'
import { binder, closed, type MembersOf, withMembers } from '../../src/sql/calls.ts'
import { toGroupColumns } from '../../src/sql/leaderboard-blocks.ts'
import { sqlMembers } from '../../src/sql/storage.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { commit } from './commit.ts'
import { type DatabaseHandle, openDatabase, toSqlDatabase } from './database.ts'
import type { SqliteOptions, SqliteSource } from './driver.ts'
import { checkSqliteOptions, checkSqliteSource, toFile } from './file-connections.ts'
import { compareGroup, repairBlocks } from './leaderboard-blocks.ts'
import { loadPage, rankCounter } from './leaderboards.ts'
import { sqliteTraits } from './traits.ts'
import { joinSqlite, runAtOnce } from './transaction.ts'

export type { SqliteDatabase, SqliteDriver, SqliteDriverOptions, SqliteOptions, SqliteSource } from './driver.ts'

/**
 * Keeps everything in a SQLite file: given the file's path or URL, `:memory:`, or the host's own database, of
 * better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. On Node a path is opened with better-sqlite3 if it is
 * installed, else with `node:sqlite`; on Bun with `bun:sqlite`. Beside the host's database a second connection to the
 * same file is opened, by the same driver. A database in memory has only one connection, which is then used between the
 * host's transactions.
 *
 * Nothing is opened before the first call. Throws `storage_unusable` for a source that no driver can open, and
 * `invalid_request` for a wrong option.
 */
export function sqlite(source: SqliteSource, options: SqliteOptions = {}): Storage {
  checkSqliteSource(source)
  checkSqliteOptions(options)
  const database = openDatabase(source, options)
  const shared = toSqlDatabase(database)
  const auditing = sqlAudit({
    traits: sqliteTraits,
    database: shared,
    counting: shared,
    auditsAtOnce: 1,
    auditBlocks: (group, { repair = false } = {}) => {
      const columns = toGroupColumns(group)
      return repair
        ? database.write((connection) => repairBlocks(connection, columns))
        : database.read((connection) => compareGroup(connection, columns))
    },
    insertRows: async (tx, { insert }, rows) => {
      for (const row of rows) await tx.run(insert, row)
    },
  })
  const members: MembersOf<DatabaseHandle, Storage> = {
    ...sqlMembers(toSqlDatabase),
    ...SQLITE,
    until: () => (deadline) => bind(database.until(deadline)),
    joinTransaction:
      ({ isOpen, watch, admits }) =>
      (host) => {
        if (!isOpen()) throw closed()
        return joinSqlite({ file: toFile(source), source, watch, admits }, host)
      },
    auditsAtOnce: () => auditing.auditsAtOnce,
    audit: () => auditing.audit,
    repair: () => auditing.repair,
    listOwners: () => auditing.listOwners,
    auditCounters: () => auditing.auditCounters,
    listBlockGroups: () => auditing.listBlockGroups,
    auditBlocks: () => auditing.auditBlocks,
  }
  const bind = binder(members)
  return withMembers(members, database)
}

type Own =
  | ('name' | 'deadlineMs' | 'migrate' | 'checkTables' | 'checkWritable' | 'commit')
  | ('leaderboardPage' | 'ranks' | 'transaction' | 'close')

const SQLITE: MembersOf<DatabaseHandle, Pick<Storage, Own>> = {
  name: () => 'sqlite',
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  migrate: ({ migrate }) => migrate,
  // Each call looks at the migrations before its first statement.
  checkTables: () => async () => ({ now: null }),
  checkWritable:
    ({ checkWritable }) =>
    async () => {
      await checkWritable()
      return { now: null }
    },
  commit: (database) => (requests, decide) => commit(database, requests, decide),
  leaderboardPage:
    ({ read }) =>
    (tenant, key, page) =>
      read((connection) => loadPage(connection, tenant, key, page)),
  ranks:
    ({ read }) =>
    (user, requests) =>
      read((connection) => rankCounter(connection)(user, requests)),
  transaction:
    ({ write }) =>
    (work) =>
      write((connection) => runAtOnce(connection, work)),
  close: ({ close }) => close,
}
