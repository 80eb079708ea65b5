import { sqlAudit } from '../../src/sql/audit.ts'
import { binder, closed, type MembersOf, withMembers } from '../../src/sql/calls.ts'
import { toGroupColumns } from '../../src/sql/leaderboard-blocks.ts'
import { sqlMembers } from '../../src/sql/storage.ts'
import { wait } from '../../src/storage/steps.ts'
import type { JoinedTransaction, Storage } from '../../src/storage/storage.ts'
import { commit } from './commit.ts'
import type { DatabaseHandle } from './database.ts'
import { IN_MEMORY } from './drivers/to-database.ts'
import { compareGroup, repairBlocks } from './leaderboard-blocks.ts'
import { loadPage, rankCounter } from './leaderboards.ts'
import { toSqlDatabase } from './sql-database.ts'
import { sqliteTraits } from './traits.ts'

/** The storage on any database of SQLite. `join` is the storage's `joinTransaction`. */
export function storageOn(
  database: DatabaseHandle,
  join: (database: DatabaseHandle, host: unknown) => JoinedTransaction,
): Storage {
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
    insertRows: function* (tx, { insert }, rows) {
      for (const row of rows) yield* wait(tx.run(insert, row))
    },
  })
  const members: MembersOf<DatabaseHandle, Storage> = {
    ...sqlMembers(toSqlDatabase),
    ...SQLITE,
    until: () => (deadline) => bind(database.until(deadline)),
    joinTransaction: (joined) => (host) => {
      if (!joined.isOpen()) throw closed()
      return join(joined, host)
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
  | ('leaderboardPage' | 'ranks' | 'transaction' | 'openTransaction' | 'close')

const SQLITE: MembersOf<DatabaseHandle, Pick<Storage, Own>> = {
  name: ({ file }) => (file === IN_MEMORY ? 'memory' : 'sqlite'),
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
  transaction: (database) => toSqlDatabase(database).transaction,
  openTransaction: (database) => toSqlDatabase(database).openTransaction,
  close: ({ close }) => close,
}
