import { DatabaseSync, type StatementSync } from 'node:sqlite'

/*
 * The part of better-sqlite3 that the tests use, over node:sqlite. It serves the Node on which better-sqlite3 does not
 * run, and a run of all tests on node:sqlite.
 */

interface Options {
  readonly readonly?: boolean
  readonly timeout?: number
  readonly fileMustExist?: boolean
}

type Row = Record<string, unknown>

class SqliteError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'SqliteError'
    this.code = code
  }
}

const CODES: { readonly [code: number]: string } = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
}

function translated<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (error instanceof TypeError && /not open|been closed/.test(error.message)) throw closed()
    if (!(error instanceof Error && 'errcode' in error)) {
      throw error instanceof Error && /not open/.test(error.message) ? closed() : error
    }
    throw new SqliteError(error.message, CODES[Number(error.errcode) & 255] ?? 'SQLITE_OTHER')
  }
}

const closed = (): TypeError => new TypeError('The database connection is not open')

class Statement {
  readonly #statement: StatementSync
  #isPlucked = false
  #isRaw = false
  #isBigInt = false

  constructor(statement: StatementSync) {
    this.#statement = statement
    statement.setReadBigInts(true)
  }

  pluck(on = true): this {
    this.#isPlucked = on
    return this
  }

  raw(on = true): this {
    this.#isRaw = on
    return this
  }

  safeIntegers(on = true): this {
    this.#isBigInt = on
    return this
  }

  /** Returns whether it gives rows. The property for that came with Node 22.16. */
  get reader(): boolean {
    const text = this.#statement.sourceSQL
    return (
      /^\s*(?:select|values|explain|pragma)\b|\breturning\b/i.test(text) ||
      (/^\s*with\b/i.test(text) && !/\binsert\b/i.test(text))
    )
  }

  columns(): readonly { readonly name: string }[] {
    return this.#statement.columns() as readonly { readonly name: string }[]
  }

  run(...values: unknown[]): { changes: number; lastInsertRowid: number | bigint } {
    const { changes, lastInsertRowid } = translated(() => this.#statement.run(...toValues(values)))
    return { changes: Number(changes), lastInsertRowid }
  }

  get(...values: unknown[]): unknown {
    const row = translated(() => this.#statement.get(...toValues(values))) as Row | undefined
    return row && this.#toRow(row)
  }

  all(...values: unknown[]): unknown[] {
    return translated(() => this.#statement.all(...toValues(values))).map((row) => this.#toRow(row as Row))
  }

  *iterate(...values: unknown[]): Generator<unknown> {
    for (const row of this.#statement.iterate(...toValues(values))) yield this.#toRow(row as Row)
  }

  /** A number that no number of JavaScript equals is read as the nearest, which node:sqlite refuses. */
  #toRow(row: Row): unknown {
    const plain = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' && !this.#isBigInt ? Number(value) : value,
    ])
    if (this.#isPlucked) return plain[0]?.[1]
    return this.#isRaw ? plain.map(([, value]) => value) : Object.fromEntries(plain)
  }
}

function toValues(values: readonly unknown[]): never[] {
  return values.flat() as never[]
}

class Database extends DatabaseSync {
  static readonly SqliteError = SqliteError
  readonly name: string
  readonly memory: boolean
  #isBigInt = false

  constructor(file = '', { readonly: readOnly = false, timeout = 5_000 }: Options = {}) {
    super(file === '' ? ':memory:' : file, { readOnly })
    this.name = file
    this.memory = file === '' || file === ':memory:'
    super.exec(`pragma busy_timeout = ${timeout}`)
  }

  get #isOpen(): boolean {
    try {
      super.prepare('select 1')
      return true
    } catch {
      return false
    }
  }

  get inTransaction(): boolean {
    if (!this.#isOpen) return false
    try {
      super.exec('begin')
    } catch {
      return true
    }
    super.exec('rollback')
    return false
  }

  override prepare(text: string): never {
    return new Statement(translated(() => super.prepare(text))).safeIntegers(this.#isBigInt) as never
  }

  override exec(text: string): never {
    translated(() => super.exec(text))
    return this as never
  }

  override close(): never {
    if (this.#isOpen) super.close()
    return this as never
  }

  pragma(text: string, { simple = false } = {}): unknown {
    const rows = translated(() => super.prepare(`pragma ${text}`).all()) as Row[]
    return simple ? Object.values(rows[0] ?? {})[0] : rows
  }

  defaultSafeIntegers(on = true): this {
    this.#isBigInt = on
    return this
  }

  transaction<Arguments extends unknown[], Result>(work: (...given: Arguments) => Result) {
    const runWith =
      (begin: string) =>
      (...given: Arguments): Result => {
        const [first, last, undo] = this.inTransaction
          ? ['savepoint nested', 'release nested', 'rollback to nested; release nested']
          : [begin, 'commit', 'rollback']
        this.exec(first)
        try {
          const result = work(...given)
          this.exec(last)
          return result
        } catch (error) {
          if (this.inTransaction) this.exec(undo)
          throw error
        }
      }
    return Object.assign(runWith('begin'), {
      deferred: runWith('begin deferred'),
      immediate: runWith('begin immediate'),
      exclusive: runWith('begin exclusive'),
    })
  }
}

// On instances, as better-sqlite3 has it.
Object.defineProperty(Database.prototype, 'open', {
  get(this: Database) {
    try {
      DatabaseSync.prototype.prepare.call(this, 'select 1')
      return true
    } catch {
      return false
    }
  },
})

// As better-sqlite3 is imported.
// biome-ignore lint/style/noDefaultExport: the package it stands for has one
export default Database
