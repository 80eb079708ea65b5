import type { ColumnDataType, Expression, Kysely, RawBuilder } from 'kysely'
import type { Migration } from './migrations.ts'
import type { Tables } from './tables.ts'

type ColumnType = ColumnDataType | Expression<unknown>

/** Where the databases differ, each difference by its name. Nothing else may ask which database it is. */
export interface SqlTraits {
  /** Compiles queries and runs none. Table names are in the schema `laurels`. */
  readonly kysely: Kysely<Tables>
  /** Puts the compiled text into this database's way of naming tables. */
  readonly spell: (text: string) => string
  readonly toBoolean: (value: boolean) => boolean | number
  /** The texts of a JSON list, to be looked for with `in`. */
  readonly jsonList: (list: RawBuilder<string>) => RawBuilder<string>
  readonly columns: {
    /** Compared byte by byte. */
    readonly text: ColumnType
    readonly json: ColumnType
    readonly integer: ColumnType
    readonly instant: ColumnType
    readonly double: ColumnType
    readonly boolean: ColumnType
  }
  /** What this database needs beside the tables that all share; applied after those. */
  readonly ownMigrations: readonly Migration[]
  /** Stands at the end of each `create table` whose rows are kept in the order of the primary key. */
  readonly clustered: Expression<unknown>
}
