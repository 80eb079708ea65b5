import { sql } from 'kysely'
import type { DriftRow } from '../../src/storage-audit.ts'
import { DERIVED_TABLES, type DerivedTable, tableNamed } from './derived-tables.ts'
import { columnList, onConflict, putStatement, rawStatement, removeStatement, same, tableOf } from './row-queries.ts'
import { type Statement, statement } from './statement.ts'
import type { UserColumns } from './tables.ts'
import type { ToldRow } from './told.ts'
import type { SqlTraits } from './traits.ts'

/** How an audit reads one table, and how a repair writes it. */
export interface DerivedQueries {
  readonly table: DerivedTable
  /**
   * All rows of a user. The only parameters are tenant and user, in this order and once each: callers join several of
   * these texts with one list of values.
   */
  readonly read: Statement<UserColumns, DriftRow>
  /** Removes the row with a key. */
  readonly remove: Statement<DriftRow, unknown>
  readonly removeAll: Statement<UserColumns, unknown>
  /** Not for the table `users`, whose rows also need a version (see `putUser`). */
  readonly put: Statement<DriftRow, unknown>
}

export interface AuditQueries {
  readonly version: Statement<UserColumns, { readonly version: number }>
  readonly lines: Statement<UserColumns, { readonly lines: number }>
  readonly told: Statement<UserColumns, ToldRow>
  /**
   * Inserts a user's row with the given version. Where the user has a row, that is replaced and gets its own next
   * version.
   */
  readonly putUser: Statement<DriftRow, unknown>
  readonly derived: readonly DerivedQueries[]
}

export function auditQueries(traits: SqlTraits): AuditQueries {
  return {
    version: statement(traits, (bind) =>
      traits.kysely
        .selectFrom('users')
        .select('version')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    lines: statement(traits, (bind) =>
      traits.kysely
        .selectFrom('log')
        .select((eb) => eb.fn.countAll<number>().as('lines'))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    told: statement(traits, (bind) =>
      traits.kysely
        .selectFrom('users')
        .select(['told_until', 'due_at'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    putUser: putUser(traits),
    derived: DERIVED_TABLES.map((table) => derivedQueries(traits, table)),
  }
}

function derivedQueries(traits: SqlTraits, table: DerivedTable): DerivedQueries {
  const { name, shown, columns } = table
  const rows = sql`select ${columnList(columns)} from ${tableOf(shown)}`
  return {
    table,
    read: rawStatement(traits, (bind) => sql<DriftRow>`${rows} where ${same(bind, ['tenant_id', 'user_id'])}`),
    remove: removeStatement(traits, table),
    removeAll: rawStatement(traits, (bind) => {
      return sql`delete from ${tableOf(name)} where ${same(bind, ['tenant_id', 'user_id'])}`
    }),
    put: putStatement(traits, table),
  }
}

function putUser(traits: SqlTraits): AuditQueries['putUser'] {
  const { name, key, values, columns } = tableNamed('users')
  return rawStatement(traits, (bind) => {
    const bound = sql.join([...columns, 'version'].map((column) => bind(column)))
    return sql`insert into ${tableOf(name)} as u (${columnList([...columns, 'version'])}) values (${bound})
      ${onConflict(key, values)}, version = u.version + 1`
  })
}
