import type { SqlDatabase } from '../../src/sql/database.ts'
import type { OpenTransaction } from '../../src/storage/storage.ts'
import { type Connection, chunk, together } from './connection.ts'
import type { DatabaseHandle } from './database.ts'
import { runAtOnce } from './transaction.ts'

export function toSqlDatabase({ read, readOne, write, openTransaction, toError }: DatabaseHandle): SqlDatabase {
  const all: SqlDatabase['all'] = (statement, params) => readOne((connection) => connection.all(statement, params))
  return {
    all,
    together: (parts) => read((connection) => together(connection, parts)),
    // SQLite reads in the order of an index, and has one writer at a time.
    page: all,
    chunk: (statement, params) => readOne((connection) => chunk(connection, statement, params)),
    change: (statement, params) => write((connection) => connection.all(statement, params)),
    transaction: (work) => write((connection) => runAtOnce(connection, work)),
    openTransaction: (work) => openTransaction((begin) => work(toOpenTransaction(begin, toError))),
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
    together: (parts) => on((connection) => together(connection, parts)),
    // The host gets the driver's own error.
    ask: async (text, values) => (await begin()).ask(text, values),
  }
}
