import { closed } from '../../src/sql/call-tracker.ts'
import { toGroupColumns } from '../../src/sql/leaderboard-blocks.ts'
import type { JoinedTransaction, OpenTransaction, Storage } from '../../src/storage/storage.ts'
import { commit } from './commit.ts'
import { type Connection, chunk, readParts } from './connection.ts'
import type { DatabaseHandle } from './database.ts'
import { IN_MEMORY } from './drivers/to-database.ts'
import { compareGroup, repairBlocks } from './leaderboard-blocks.ts'
import { loadPage, rankCounter } from './leaderboards.ts'
import { sqliteTraits } from './traits.ts'
import { runAtOnce } from './transaction.ts'

/** The storage on any database of SQLite. `join` is the storage's `joinTransaction`. */
export function storageOn(
  database: DatabaseHandle,
  join: (database: DatabaseHandle, host: unknown) => JoinedTransaction,
): Storage {
  const { deadlineMs, read, readOne, write, openTransaction, toError, isOpen, checkWritable, migrate, close } = database
  const { changes, noteChange } = database
  const all: Storage['all'] = (statement, params) => readOne((connection) => connection.all(statement, params))
  return {
    name: database.file === IN_MEMORY ? 'memory' : 'sqlite',
    deadlineMs,
    auditsAtOnce: 1,
    toBoolean: sqliteTraits.toBoolean,
    until: (deadline) => storageOn(database.until(deadline), join),
    changes,
    all,
    read: (parts) => read((connection) => readParts(connection, parts)),
    // SQLite reads in the order of an index, and has one writer at a time.
    page: all,
    chunk: (statement, params, texts) => readOne((connection) => chunk(connection, statement, params, texts)),
    change: (statement, params) => {
      const run = (connection: Connection) => {
        // The statement may add a game. It never changes users or leaderboards.
        connection.epoch.clear()
        return connection.all(statement, params)
      }
      return write(run, noteChange)
    },
    transaction: (work) => write((connection) => runAtOnce(connection, work), noteChange),
    openTransaction: (work) => openTransaction((begin) => work(toOpenTransaction(begin, toError))).finally(noteChange),
    joinTransaction: (host) => {
      if (!isOpen()) throw closed()
      return join(database, host)
    },
    commit: (requests, decide) => commit(database, requests, decide),
    ranks: (user, requests) => read((connection) => rankCounter(connection)(user, requests)),
    leaderboardPage: (tenant, key, page) => read((connection) => loadPage(connection, tenant, key, page)),
    auditBlocks: (group, { repair = false } = {}) => {
      const columns = toGroupColumns(group)
      return repair
        ? write((connection) => repairBlocks(connection, columns))
        : read((connection) => compareGroup(connection, columns))
    },
    migrate,
    // Each call looks at the migrations before its first statement.
    checkTables: async () => ({ now: null }),
    checkWritable: async () => {
      await checkWritable()
      return { now: null }
    },
    close,
  }
}

function toOpenTransaction(begin: () => Promise<Connection>, toError: DatabaseHandle['toError']): OpenTransaction {
  const on = async <T>(work: (connection: Connection) => T): Promise<T> => {
    const connection = await begin()
    try {
      return work(connection)
    } catch (error) {
      throw toError(error)
    }
  }
  return {
    all: (statement, params) => on((connection) => connection.all(statement, params)),
    run: (statement, params) => on((connection) => void connection.run(statement, params)),
    read: (parts) => on((connection) => readParts(connection, parts)),
    // The host gets the driver's own error.
    ask: async (text, values) => (await begin()).ask(text, values),
  }
}
