import type { SqlDatabase, SqlTransaction } from '../sql/database.ts'
import { type Connection, chunk, together } from './connection.ts'
import type { DatabaseHandle } from './database.ts'

export function toSqlDatabase({ read, write, openTransaction, toError }: DatabaseHandle): SqlDatabase {
  const all: SqlDatabase['all'] = (statement, params) => read((connection) => connection.all(statement, params))
  const transaction: SqlDatabase['transaction'] = (work) =>
    openTransaction((begin) => work(toTransaction(begin, toError)))
  return {
    all,
    together: (parts) => read((connection) => together(connection, parts)),
    // SQLite reads in the order of an index, and has one writer at a time.
    page: all,
    chunk: (statement, params) => read((connection) => chunk(connection, statement, params)),
    change: (statement, params) => write((connection) => connection.all(statement, params)),
    transaction,
    openTransaction: transaction,
  }
}

/** A transaction holds the whole database, so it needs no further locks. */
function toTransaction(begin: () => Promise<Connection>, toError: (error: unknown) => unknown): SqlTransaction {
  const on = async <T>(work: (connection: Connection) => T): Promise<T> => {
    const connection = await begin()
    try {
      return work(connection)
    } catch (error) {
      throw toError(error)
    }
  }
  const lock = (): Promise<void> => on(() => undefined)
  return {
    all: (statement, params) => on((connection) => connection.all(statement, params)),
    run: (statement, params) => on((connection) => void connection.run(statement, params)),
    together: (parts) => on((connection) => together(connection, parts)),
    // The host gets the driver's own error.
    ask: async (text, values) => (await begin()).ask(text, values),
    lock,
    lockUser: lock,
  }
}
