import type { Database, PreparedStatement, SqliteDatabase } from '../driver.ts'
import { codeOf } from '../errors.ts'
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

/** To be asked after the other drivers: the members that only `node:sqlite` has came with later versions of Node. */
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
    ask: (text, values) => prepare(database, text).all(values),
    close: () => void database.close(),
  }
}

function prepare(database: NodeSqlite, text: string): PreparedStatement {
  const statement = database.prepare(text)
  statement.setReadBigInts(false)
  statement.setReturnArrays?.(false)
  /**
   * A whole number beyond the safe integers, which only somebody else can have written, is read as the nearest number.
   */
  const read = <T>(rows: (toRow: (row: object) => object) => T): T => {
    try {
      return rows(toPlain)
    } catch (error) {
      if (!isTooLarge(error)) throw error
      statement.setReadBigInts(true)
      try {
        return rows(toNumbers)
      } finally {
        statement.setReadBigInts(false)
      }
    }
  }
  const all = (values: readonly unknown[]): object[] => read((toRow) => statement.all(...values).map(toRow))
  return {
    run: (values) => Number(statement.run(...values).changes),
    get: (values) =>
      read((toRow) => {
        const row = statement.get(...values)
        return row && toRow(row)
      }),
    all,
    iterate: function* (values) {
      let given = 0
      try {
        for (const row of statement.iterate(...values)) {
          yield toPlain(row)
          given += 1
        }
      } catch (error) {
        if (!isTooLarge(error)) throw error
        yield* all(values).slice(given)
      }
    },
  }
}

/** The rows of `node:sqlite` have no prototype, unlike all other objects of the library. */
function toPlain(row: object): object {
  return { ...row }
}

function toNumbers(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value])
  return Object.fromEntries(entries)
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_OUT_OF_RANGE'
}

/** Whether `begin` succeeds, which it does not within a transaction. This `begin` takes no lock. */
function canBegin(database: NodeSqlite): boolean {
  if (!succeeds(() => database.exec('begin'))) return false
  database.exec('rollback')
  return true
}
