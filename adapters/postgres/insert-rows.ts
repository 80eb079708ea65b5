import { AUDITED_TABLES, type AuditedTable } from '../../src/sql/audit.ts'
import { statement } from '../../src/sql/database.ts'
import type { Statement } from '../../src/storage/statements.ts'

type Insert = Statement<{ readonly rows: string }, unknown>

/** Inserts rows as the table or its view shows them, given as JSON. */
function insertOf({ name, shown, bytes, columns }: AuditedTable['table']): Insert {
  const values = columns.map((column) => (bytes.includes(column) ? `"laurels".id_bytes(e.${column})` : `e.${column}`))
  return statement(`insert into laurels.${name} (${columns.join(', ')}) select ${values.join(', ')}
    from json_populate_recordset(null::laurels.${shown}, :rows::text::json) e`)
}

/** By table. */
export const INSERTS: ReadonlyMap<string, Insert> = new Map(
  AUDITED_TABLES.map(({ table }) => [table.name, insertOf(table)]),
)
