type Query = (text: string, values?: unknown[]) => Promise<readonly unknown[]>

/**
 * Copies every table of a schema. The returned function restores them, as when a database is restored to that moment.
 */
export async function copyAside(query: Query, schema: string, aside: string): Promise<() => Promise<void>> {
  const rows = await query('select tablename as name from pg_tables where schemaname = $1', [schema])
  const names = (rows as readonly { readonly name: string }[]).map(({ name }) => name)
  await query(`create schema "${aside}"`)
  for (const name of names) await query(`create table "${aside}".${name} as table "${schema}".${name}`)
  const back = names.map(
    (name) =>
      `delete from "${schema}".${name};
      insert into "${schema}".${name} overriding system value select * from "${aside}".${name}`,
  )
  // One transaction, so that no reader sees half of it.
  return () => query(back.join(';')).then(() => undefined)
}
