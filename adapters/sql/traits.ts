import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

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
