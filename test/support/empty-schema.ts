/** Deletes all rows of a schema of ours, but not its tables: making them takes longer than most tests. */
export async function emptySchema(
  query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>,
  schema: string,
): Promise<void> {
  const { rows } = await query(
    `select string_agg(format('%I_gone as (delete from %I.%I)', relname, '${schema}', relname), ',') as deletions
      from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migrations'`,
  )
  const [{ deletions }] = rows as readonly [{ readonly deletions: string }]
  await query(`with ${deletions} select`)
}
