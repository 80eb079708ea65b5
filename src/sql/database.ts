import { type QueryCompiler, RawNode, TableNode, ValueNode } from 'kysely'
import { GamificationError } from '../errors.ts'
import type { Statement } from '../storage/statements.ts'

/** The differences between the databases. Nothing else may ask which database it is. */
export interface SqlTraits {
  /** Quotes names and writes the places of parameters, as this database takes them. */
  readonly queryCompiler: QueryCompiler
  /** Writes the names of tables, `"laurels"."users"`, in the form of this database. */
  readonly qualifyNames: (text: string) => string
  readonly toBoolean: (value: boolean) => boolean | number
  /** The texts in a JSON list, for `in`. */
  readonly jsonList: (list: string) => string
  /** The objects in a JSON list as rows `r` of these columns, each with its kind as `COLUMNS` names it. */
  readonly jsonRows: (list: string, columns: { readonly [name: string]: string }) => string
  /** How a query locks the rows that it reads; empty if a writer has the whole database. */
  readonly locking: (clause: string) => string
  /** Follows a table's name to read it by this index; empty if the database needs no hint. */
  readonly byIndex: (name: string) => string
  /** The condition for the user `:tenant` and `:user`, as the indexes of idempotency keys and new values need it. */
  readonly ofIndexedUser: string
  /** Bytes from their hexadecimal digits, or `null` for null. */
  readonly toBytes: (hex: string) => string
  /** The hexadecimal digits of bytes, in either case, or `null` for null. */
  readonly toHex: (column: string) => string
  /** The time that all processes share, of the parameters `now` and `host_now` (`null` if the host gave no clock). */
  readonly sharedNow: string
  /** Makes the table of applied migrations; the migrations make all other tables. */
  readonly migrationsTable: string
  /** In the order in which they are applied. */
  readonly migrations: readonly Migration[]
}

/**
 * A step from one schema to the next. Its texts are complete, functions included. They never change after their release,
 * because databases have run them.
 */
export interface Migration {
  /** Begins with its number, in four digits. */
  readonly name: string
  /** The number of the oldest migration whose laurels may write the tables after this one. */
  readonly compatibleFrom: number
  readonly texts: readonly string[]
}

/** The form of every statement. A database compiles it once, and runs it with many parameters. */
interface MadeStatement<Params, Row> extends Statement<Params, Row> {
  readonly toText: (traits: SqlTraits) => string
}

/** The parameters of a statement that has none. */
export type None = Readonly<Record<string, never>>

/** Every statement, for tests of all texts. */
export const STATEMENTS: Statement<never, unknown>[] = []

/** SQL in which `laurels.users` is a table and `:tenant_id` a parameter. */
export function statement<Params, Row>(
  text: string | ((traits: SqlTraits) => string),
  toParams: (params: Params) => object = (params) => params as object,
): Statement<Params, Row> {
  const made: MadeStatement<Params, Row> = { toText: typeof text === 'string' ? () => text : text, toParams }
  STATEMENTS.push(made)
  return made
}

export interface Compiled {
  readonly text: string
  /** The parameters in the order of their places in the text. */
  readonly toValues: (params: unknown) => unknown[]
}

type Values = { readonly [name: string]: unknown }

export type Compile = (statement: Statement<never, unknown>) => Compiled

export function compiler(traits: SqlTraits): Compile {
  const known = new WeakMap<Statement<never, unknown>, Compiled>()
  return (statement) => {
    const made = known.get(statement)
    if (made !== undefined) return made
    const compiled = compile(traits, statement)
    known.set(statement, compiled)
    return compiled
  }
}

function compile(traits: SqlTraits, statement: Statement<never, unknown>): Compiled {
  // `statement` made every statement.
  const { toText, toParams } = statement as MadeStatement<never, unknown>
  const { sql, parameters } = traits.queryCompiler.compileQuery(toNode(toText(traits)), { queryId: '' })
  const names = parameters as readonly string[]
  return {
    text: traits.qualifyNames(sql),
    toValues: (params) => {
      const values = (toParams as (params: unknown) => object)(params) as Values
      return names.map((name) => values[name])
    },
  }
}

/** The tables and the parameters of a text. */
const NAMES = /\blaurels\.\w+|(?<![\w:]):[a-zA-Z_]+/g

/** The value of a parameter's node is its name. */
function toNode(text: string): RawNode {
  const nodes = [...text.matchAll(NAMES)].map(([name]) =>
    name.startsWith(':')
      ? ValueNode.create(name.slice(1))
      : TableNode.createWithSchema('laurels', name.slice('laurels.'.length)),
  )
  return RawNode.create(text.split(NAMES), nodes)
}

/** The condition that each column has the value of the parameter with its name. */
export function same(columns: readonly string[]): string {
  return columns.map((column) => `${column} = :${column}`).join(' and ')
}

export const OF_USER = 'tenant_id = :tenant and user_id = :user'

export function assign(columns: readonly string[]): string {
  return columns.map((column) => `${column} = :${column}`).join(', ')
}

export function insertText(table: string, columns: readonly string[]): string {
  return `insert into laurels.${table} (${columns.join(', ')}) values (${columns.map((name) => `:${name}`).join(', ')})`
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
