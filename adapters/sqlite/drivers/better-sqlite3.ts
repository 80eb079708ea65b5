import type { Database, PreparedStatement, SqliteDatabase } from '../driver.ts'
import { fileOf } from './ask.ts'

/** What is used of better-sqlite3, and of libsql, which is shaped like it. */
export interface BetterSqlite3 extends SqliteDatabase {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(text: string): Statement
  pragma(text: string): unknown
}

interface Statement {
  /** Whether it answers rows. */
  readonly reader: boolean
  run(values: readonly unknown[]): { readonly changes: number | bigint }
  get(values: readonly unknown[]): unknown
  all(values: readonly unknown[]): unknown[]
  iterate(values: readonly unknown[]): Iterable<unknown>
  safeIntegers(on: boolean): unknown
}

export function isBetterSqlite3(database: object): database is BetterSqlite3 {
  return 'pragma' in database && 'inTransaction' in database
}

export function fromBetterSqlite3(database: BetterSqlite3): Database {
  let isPlain: boolean | null = null
  return {
    file: () => fileOf((text) => database.prepare(text).all([])),
    isOpen: () => database.open,
    isInTransaction: () => database.inTransaction,
    prepare: (text) => {
      // libsql adds the member `_metadata` to a row that `get` answers; the rows of its `all` are plain.
      isPlain ??= !('_metadata' in (database.prepare('select 1').get([]) as object))
      return toPrepared(database.prepare(text), isPlain)
    },
    exec: (text) => void database.exec(text),
    ask: (text, values) => {
      const statement = database.prepare(text)
      if (statement.reader) return statement.all(values)
      statement.run(values)
      return []
    },
    close: () => void database.close(),
  }
}

function toPrepared(statement: Statement, isPlain: boolean): PreparedStatement {
  statement.safeIntegers(false)
  return {
    run: (values) => Number(statement.run(values).changes),
    get: isPlain ? (values) => statement.get(values) : (values) => statement.all(values)[0],
    all: (values) => statement.all(values),
    iterate: (values) => statement.iterate(values),
  }
}
