import { SqliteQueryCompiler } from 'kysely'
import { type Compile, compiler, OF_USER, type SqlTraits } from '../../src/sql/database.ts'
import { inOneSchema, SQLITE_MIGRATIONS, SQLITE_MIGRATIONS_TABLE } from './schema.ts'

export const sqliteTraits: SqlTraits = {
  queryCompiler: new SqliteQueryCompiler(),
  qualifyNames: inOneSchema,
  toBoolean: Number,
  jsonList: (list) => `(select value from json_each(${list}))`,
  jsonRows: (list, columns) => {
    const read = Object.keys(columns).map((name) => `value ->> '$.${name}' as "${name}"`)
    return `(select ${read.join(', ')} from json_each(${list})) as r`
  },
  locking: () => '',
  byIndex: (name) => ` indexed by ${name}`,
  ofIndexedUser: OF_USER,
  toBytes: (hex) => `unhex(${hex})`,
  // `hex` makes an empty text of null.
  toHex: (column) => `nullif(hex(${column}), '')`,
  sharedNow: 'cast(:now as integer)',
  migrationsTable: SQLITE_MIGRATIONS_TABLE,
  migrations: SQLITE_MIGRATIONS,
}

export const compile: Compile = compiler(sqliteTraits)
