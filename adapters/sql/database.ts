import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import type { Tables } from './tables.ts'

/**
 * What `sqlStorage` needs of a database. Each statement sees one moment. Methods reject with a
 * `GamificationError`, and end by the deadline to which the database is bound.
 */
export interface SqlDatabase {
  /** The rows of a statement that only reads, and may run twice. */
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /**
   * As `all`, for a page of a long list. The database reads it in the order of an index and sorts nothing, even without
   * statistics.
   */
  page<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /**
   * As `all`, for lines of the log in their order or against it. Ends with the line that brings these texts to about
   * `CHUNK_BYTES`.
   */
  chunk<Params, Row extends LogTexts>(
    statement: Statement<Params, Row>,
    params: Params,
    texts: readonly (keyof LogTexts)[],
    order?: 'asc' | 'desc',
  ): Promise<readonly Row[]>
  /** The rows that a statement returns which writes, and does the same again when it runs twice. */
  change<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** The rows that a statement returns which writes, and must not run twice. */
  once<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** As `once`, but waits until all others under this name have ended. */
  locked<Params, Row>(name: string, statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** One transaction, which may run again as a whole if nothing of it was stored. */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>
  /** One transaction, which runs once, begins with its first statement and stays open while `work` waits. */
  openTransaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>
}

export interface SqlTransaction {
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** A statement of the host's, with whatever rows it answers. */
  ask(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** The long texts of a line of the log. */
export interface LogTexts {
  readonly profile?: string | null
  readonly data: string | null
}

/** Where the databases differ, each difference by its name. Nothing else may ask which database it is. */
export interface SqlTraits {
  /** Compiles queries and runs none. Table names are in the schema `laurels`. */
  readonly kysely: Kysely<Tables>
  /** Puts the names of tables in a compiled text into this database's form. */
  readonly spell: (text: string) => string
  readonly toBoolean: (value: boolean) => boolean | number
  /** The texts of a JSON list, to be looked for with `in`. */
  readonly jsonList: (list: RawBuilder<string>) => RawBuilder<string>
  /** A JSON list of objects as rows `r` of these columns, each with its kind as `COLUMNS` names it. */
  readonly jsonRows: (list: RawBuilder<string>, columns: { readonly [name: string]: string }) => RawBuilder<unknown>
  /** How a query locks the rows that it reads; empty where the writer has the whole database. */
  readonly locking: (clause: string) => RawBuilder<unknown>
  /**
   * What stands after the name of a table to have it read by this index; empty where the database chooses by itself.
   */
  readonly byIndex: (name: string) => RawBuilder<unknown>
  /** Bytes from their hexadecimal digits; null of null. */
  readonly toBytes: <Hex extends string | null>(hex: RawBuilder<Hex>) => RawBuilder<Hex>
  /** The hexadecimal digits of a column of bytes, in any case; null of null. */
  readonly toHex: <Hex extends string | null = string>(column: string) => RawBuilder<Hex>
  /** Makes the table of applied migrations; the migrations make all other tables. */
  readonly migrationsTable: string
  /** In the order in which they are applied. */
  readonly migrations: readonly Migration[]
}

/**
 * A step from one schema to the next. Its texts are written out, the functions that it creates included, and stay as they
 * are once they are released: databases have run them.
 */
export interface Migration {
  readonly name: string
  readonly texts: readonly string[]
}

/** A query compiled once, to be run with ever new parameters. */
export interface Statement<Params, Row> {
  readonly text: string
  /** The parameters in the order of their places in the text. */
  readonly toValues: (params: Params) => unknown[]
  /** Never there: carries the type of the rows. */
  readonly row?: Row
}

/** `convert` makes what is bound of the parameter. */
export type Bind<Params> = <Name extends keyof Params>(
  name: Name,
  convert?: (value: Params[Name]) => unknown,
) => RawBuilder<Params[Name]>

/** `execute` is never called. It is asked for because `Compilable` alone would fit any type of row. */
interface Query<Row> extends Compilable {
  execute(): Promise<readonly Row[]>
}

/**
 * Compiles a query in which `bind('name')` stands where a parameter goes. `bind` puts an empty object into the query,
 * which kysely treats as a value; its place among the compiled parameters says where the real value belongs.
 */
export function statement<Params, Row>(
  traits: SqlTraits,
  build: (bind: Bind<Params>) => Query<Row>,
): Statement<Params, Row> {
  const readers = new Map<unknown, (params: Params) => unknown>()
  const compiled = build((name, convert) => {
    const mark = {}
    readers.set(mark, convert === undefined ? (params) => params[name] : (params) => convert(params[name]))
    return sql`${mark}`
  }).compile()

  const places = compiled.parameters.map((value) => readers.get(value) ?? (() => value))
  return { text: traits.spell(compiled.sql), toValues: (params) => places.map((read) => read(params)) }
}

/** `bind` for several columns at once. */
export function bindAll<Params, Name extends keyof Params & string>(
  bind: Bind<Params>,
  names: readonly Name[],
): { [Column in Name]: RawBuilder<Params[Column]> } {
  const bound = names.map((name) => [name, bind(name)])
  // `fromEntries` cannot say that each name has the type of its own column.
  return Object.fromEntries(bound) as { [Column in Name]: RawBuilder<Params[Column]> }
}

export function tableOf(name: string): RawBuilder<unknown> {
  return sql.table(`laurels.${name}`)
}

export function columnList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

/** Compiles a statement of plain SQL, in which `bind('name')` is a parameter. */
export function rawStatement<Params, Row>(
  traits: SqlTraits,
  build: (bind: Bind<Params>) => RawBuilder<Row>,
): Statement<Params, Row> {
  return statement<Params, Row>(traits, (bind) => {
    const query = build(bind)
    return { compile: () => query.compile(traits.kysely), execute: () => Promise.resolve([]) }
  })
}

/** The condition that each column has the value of the parameter of its name. */
export function same<Params>(bind: Bind<Params>, columns: readonly (keyof Params & string)[]): RawBuilder<unknown> {
  const equal = columns.map((column) => sql`${sql.ref(column)} = ${bind(column)}`)
  return sql.join(equal, sql` and `)
}

const ENDS =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:transaction\s+|work\s+)?to\b))\b/i

/** Throws `storage_unusable` for a statement that would end the transaction of a handler, or begin another one. */
export function checkStatement(text: string): void {
  if (!ENDS.test(text)) return
  const message =
    'The transaction of a handler is begun and ended for it: leave out BEGIN, COMMIT and ROLLBACK, and throw to undo it.'
  throw new GamificationError('storage_unusable', message)
}

/** Counts the calls under way, so that `close` can let them finish and refuse later ones. */
export interface CallGate {
  enter<T>(call: () => Promise<T>): Promise<T>
  isOpen(): boolean
  /** Runs `release` once, after the last call. */
  close(release: () => Promise<void>): Promise<void>
}

export function createCallGate(): CallGate {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | null = null

  return {
    enter: async (call) => {
      if (closing !== null) throw new GamificationError('closed', 'The storage was closed.')
      const running = call()
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    isOpen: () => closing === null,
    close: (release) => {
      closing ??= Promise.allSettled(underWay).then(release)
      return closing
    },
  }
}

/**
 * The result of `work`; rejects with `unavailable` where there is none by `end` (by `performance.now()`), and then
 * waits for `work` no longer.
 */
export async function withinTime<T>(work: () => Promise<T>, end: number): Promise<T> {
  const left = end - performance.now()
  if (left <= 0) throw tookTooLong()
  if (left === Number.POSITIVE_INFINITY) return await work()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tookTooLong()), left)
  })
  try {
    return await Promise.race([work(), over])
  } finally {
    clearTimeout(timer)
  }
}

function tookTooLong(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The transaction took longer than the time that it had, and was undone: do less in one, or give it more time.',
  )
}
