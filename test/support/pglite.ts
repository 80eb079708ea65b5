import type { PGlite } from '@electric-sql/pglite'

/** Deletes all rows of a schema of ours, but not its tables: making them takes longer than most tests. */
export async function emptyPglite(pglite: PGlite, schema: string): Promise<void> {
  const { rows } = await pglite.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = '${schema}' and tablename <> 'migrations'`,
  )
  await pglite.exec(rows.map(({ name }) => `delete from ${schema}.${name}`).join(';'))
}
