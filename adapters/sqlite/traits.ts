import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type Compile, compiler, OF_USER, type SqlTraits } from '../../src/sql/database.ts'
import type { Tables } from '../../src/sql/tables.ts'
import { inOneSchema, SQLITE_MIGRATIONS, SQLITE_MIGRATIONS_TABLE } from './schema.ts'

const kysely = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export const sqliteTraits: SqlTraits = {
  kysely: kysely.withSchema('laurels'),
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
