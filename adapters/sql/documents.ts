import { sql } from 'kysely'
import { rawStatement, tableOf } from './row-queries.ts'
import type { Statement } from './statement.ts'
import type { DocumentsTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type DocumentRow = DocumentsTable & { readonly text: string }

/** The row of a removed document keeps its version, without a text, so that no version comes twice. */
export interface DocumentQueries {
  readonly ofKind: Statement<Pick<DocumentsTable, 'kind'>, DocumentRow>
  readonly one: Statement<Pick<DocumentsTable, 'kind' | 'name'>, DocumentRow>
  /** These three answer a row where they have written. */
  readonly create: Statement<Pick<DocumentRow, 'kind' | 'name' | 'text'>, unknown>
  readonly replace: Statement<DocumentRow, unknown>
  readonly remove: Statement<Omit<DocumentsTable, 'text'>, unknown>
}

export function documentQueries(traits: SqlTraits): DocumentQueries {
  const documents = tableOf('documents')
  const columns = sql`kind, name, text, version`
  return {
    ofKind: rawStatement(
      traits,
      (bind) =>
        sql`select ${columns} from ${documents} where kind = ${bind('kind')} and text is not null order by name`,
    ),
    one: rawStatement(
      traits,
      (bind) => sql`select ${columns} from ${documents}
        where kind = ${bind('kind')} and name = ${bind('name')} and text is not null`,
    ),
    create: rawStatement(
      traits,
      (bind) => sql`insert into ${documents} as d (kind, name, text, version)
        values (${bind('kind')}, ${bind('name')}, ${bind('text')}, 1)
        on conflict (kind, name) do update set text = excluded.text, version = d.version + 1 where d.text is null
        returning version`,
    ),
    replace: rawStatement(
      traits,
      (bind) => sql`update ${documents} set text = ${bind('text')}, version = version + 1
        where kind = ${bind('kind')} and name = ${bind('name')} and version = ${bind('version')} and text is not null
        returning version`,
    ),
    remove: rawStatement(
      traits,
      (bind) => sql`update ${documents} set text = null
        where kind = ${bind('kind')} and name = ${bind('name')} and version = ${bind('version')} and text is not null
        returning version`,
    ),
  }
}
