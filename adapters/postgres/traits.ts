import { PostgresQueryCompiler } from 'kysely'
import type { SqlTraits } from '../../src/sql/database.ts'
import { migrationsTable, POSTGRES_MIGRATIONS } from './schema.ts'
import { inSchema, ofIndexedUser, toColumnType } from './sql-text.ts'

/** Everything lives in one schema, whose name the host chooses. `partitions`: for each table of a user, or 0. */
export function postgresTraits(schema: string, partitions = 0): SqlTraits {
  return {
    queryCompiler: new PostgresQueryCompiler(),
    qualifyNames: (text) => inSchema(text, schema),
    toBoolean: (value) => value,
    jsonList: (list) => `(select value from json_array_elements_text(${list}::text::json))`,
    jsonRows: (list, columns) => {
      const typed = Object.entries(columns).map(([name, kind]) => `"${name}" ${toColumnType(kind)}`)
      return `jsonb_to_recordset(${list}::text::jsonb) as r(${typed.join(', ')})`
    },
    locking: (clause) => clause,
    byIndex: () => '',
    ofIndexedUser: ofIndexedUser(partitions, [':tenant', ':user']),
    toBytes: (hex) => `decode(${hex}, 'hex')`,
    toHex: (column) => `encode(${column}, 'hex')`,
    sharedNow:
      'coalesce(cast(:host_now as bigint), cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint))',
    migrationsTable: migrationsTable(schema),
    migrations: POSTGRES_MIGRATIONS.map(({ toTexts, ...migration }) => {
      return { ...migration, texts: toTexts(schema, partitions) }
    }),
  }
}
