import type Database from 'better-sqlite3'

/** Tables and the columns of them that say when something arrived, not what followed. */
const ARRIVAL: { readonly [table: string]: readonly string[] } = {
  laurels_users: ['version', 'seq'],
  laurels_awards: ['seq'],
  laurels_messages: ['number'],
}
const NOT_DERIVED = ['laurels_log', 'laurels_games', 'laurels_migrations', 'laurels_api_keys', 'laurels_snapshots']
/** Rows that authenticating alone changes (decisions, section 1), the process's own row, and values of its clock. */
const OF_CLOCK: { readonly [table: string]: readonly string[] } = {
  laurels_games: ['seen_at'],
  laurels_api_keys: ['last_used_at'],
  laurels_messages: ['number'],
}

/** Tables that a view shows as text. */
const SHOWN: { readonly [table: string]: string } = {
  laurels_log: 'laurels_view_log',
  laurels_awards: 'laurels_view_awards',
}

interface DumpOptions {
  /** True to include the log, its snapshots, the games and the order of arrival. */
  readonly everything?: boolean
}

/** The rows of every table of the library as text, in an order that depends on what is in them alone. */
export function dump(database: Database.Database, { everything = false }: DumpOptions = {}): Map<string, string[]> {
  const tables = database
    .prepare<[], { name: string }>(
      `select name from sqlite_schema where type = 'table' and name like 'laurels!_%' escape '!'`,
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => everything || !NOT_DERIVED.includes(name))
  return new Map(
    tables.sort().map((name) => [name, rowsOf(database, name, (everything ? OF_CLOCK : ARRIVAL)[name] ?? [])]),
  )
}

function rowsOf(database: Database.Database, table: string, leftOut: readonly string[]): string[] {
  const rows = database.prepare<[], Record<string, unknown>>(`select * from ${SHOWN[table] ?? table}`).all()
  return rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !leftOut.includes(column)))).sort()
}
