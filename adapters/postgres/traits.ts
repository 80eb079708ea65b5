import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { SqlTraits } from '../sql/database.ts'
import type { Tables } from '../sql/tables.ts'
import { migrationsTable, POSTGRES_MIGRATIONS } from './schema.ts'
import { inSchema, toColumnType } from './sql-text.ts'

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Everything lives in one schema, whose name the host chooses. */
export function postgresTraits(schema: string): SqlTraits {
  return {
    kysely: compiler.withSchema('laurels'),
    spell: (text) => inSchema(text, schema),
    toBoolean: (value) => value,
    jsonList: (list) => sql`(select value from json_array_elements_text(${list}::text::json))`,
    jsonRows: (list, columns) => {
      const typed = Object.entries(columns).map(([name, kept]) => `"${name}" ${toColumnType(kept)}`)
      return sql`jsonb_to_recordset(${list}::text::jsonb) as r(${sql.raw(typed.join(', '))})`
    },
    locking: (clause) => sql.raw(clause),
    byIndex: () => sql``,
    toBytes: (hex) => sql`decode(${hex}, 'hex')`,
    toHex: (column) => sql`encode(${sql.ref(column)}, 'hex')`,
    migrationsTable: migrationsTable(schema),
    migrations: POSTGRES_MIGRATIONS.map(({ name, toTexts }) => ({ name, texts: toTexts(schema) })),
  }
}
