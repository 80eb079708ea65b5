import type { OwnDatabase } from './races-database.ts'

/** Everything that is in a schema, as text: its tables with their rows, indexes, constraints and functions. */
export async function dumpSchema({ query }: Pick<OwnDatabase, 'query'>, schema: string): Promise<readonly string[]> {
  const lines = await query<{ line: string }>(
    `select concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, collation_name, is_nullable,
          column_default) as line from information_schema.columns where table_schema = $1
      union all select 'index ' || indexdef from pg_indexes where schemaname = $1
      union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where connamespace = $1::regnamespace and contype <> 'n'
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = $1::regnamespace
      order by line`,
    [schema],
  )
  const tables = await query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1 order by name',
    [schema],
  )
  const rows: string[] = []
  for (const { name } of tables) {
    const found = await query<{ row: string }>(`select to_jsonb(t)::text as row from ${schema}.${name} t order by 1`)
    rows.push(...found.map(({ row }) => `row ${name} ${row}`))
  }
  return [...lines.map(({ line }) => line), ...rows].map((line) => line.replaceAll(schema, 'laurels'))
}
