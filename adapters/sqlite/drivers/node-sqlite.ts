import type { Database, PreparedStatement, SqliteDatabase } from '../driver.ts'
import { canPrepare, fileOf, succeeds } from './ask.ts'

/** What is used of a `DatabaseSync` of `node:sqlite`. */
export interface NodeSqlite extends SqliteDatabase {
  /** Since Node 22.15. */
  readonly isOpen?: boolean
  /** Since Node 22.16. */
  readonly isTransaction?: boolean
  prepare(text: string): Statement
}

interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number | bigint }
  get(...values: readonly unknown[]): object | undefined
  all(...values: readonly unknown[]): object[]
  iterate(...values: readonly unknown[]): Iterable<object>
  setReadBigInts(on: boolean): void
  /** Since Node 22.16. */
  setReturnArrays?(on: boolean): void
}

/** Asked after the others: what tells it apart came with later Nodes. */
export function isNodeSqlite(database: object): database is NodeSqlite {
  return 'prepare' in database && 'exec' in database && 'enableLoadExtension' in database
}

export function fromNodeSqlite(database: NodeSqlite): Database {
  const isOpen = (): boolean => database.isOpen ?? canPrepare(database)
  return {
    file: () => fileOf((text) => prepare(database, text).all([])),
    isOpen,
    isInTransaction: () => database.isTransaction ?? (isOpen() && !canBegin(database)),
    prepare: (text) => prepare(database, text),
    exec: (text) => void database.exec(text),
    close: () => void database.close(),
  }
}

function prepare(database: NodeSqlite, text: string): PreparedStatement {
  const statement = database.prepare(text)
  statement.setReadBigInts(false)
  statement.setReturnArrays?.(false)
  return {
    run: (values) => Number(statement.run(...values).changes),
    get: (values) => {
      const row = statement.get(...values)
      return row && toPlain(row)
    },
    all: (values) => statement.all(...values).map(toPlain),
    iterate: (values) => mapped(statement.iterate(...values)),
  }
}

/** Rows have no prototype, unlike any other object of the library. */
function toPlain(row: object): object {
  return { ...row }
}

function* mapped(rows: Iterable<object>): Generator<object> {
  for (const row of rows) yield toPlain(row)
}

/** A transaction cannot begin within another. This one takes no lock. */
function canBegin(database: NodeSqlite): boolean {
  if (!succeeds(() => database.exec('begin'))) return false
  database.exec('rollback')
  return true
}
