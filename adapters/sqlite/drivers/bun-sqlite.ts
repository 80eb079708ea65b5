import type { Database, PreparedStatement, SqliteDatabase } from '../driver.ts'
import { canPrepare, fileOf } from './ask.ts'

/** What is used of a `Database` of `bun:sqlite`. */
export interface BunSqlite extends SqliteDatabase {
  readonly filename: string
  readonly inTransaction: boolean
  prepare(text: string): Statement
}

interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number }
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  iterate(...values: readonly unknown[]): Iterable<unknown>
  safeIntegers(on: boolean): unknown
}

export function isBunSqlite(database: object): database is BunSqlite {
  return 'filename' in database && 'inTransaction' in database
}

export function fromBunSqlite(database: BunSqlite): Database {
  return {
    file: () => fileOf((text) => database.prepare(text).all()),
    isOpen: () => canPrepare(database),
    isInTransaction: () => database.inTransaction,
    prepare: (text) => toPrepared(database.prepare(text)),
    exec: (text) => void database.exec(text),
    ask: (text, values) => database.prepare(text).all(...values),
    close: () => void database.close(),
  }
}

function toPrepared(statement: Statement): PreparedStatement {
  statement.safeIntegers(false)
  return {
    run: (values) => statement.run(...values).changes,
    get: (values) => statement.get(...values) ?? undefined,
    all: (values) => statement.all(...values),
    iterate: (values) => statement.iterate(...values),
  }
}
