import { type RawBuilder, sql } from 'kysely'
import type { DriftRow } from '../../src/storage-audit.ts'
import { DERIVED_TABLES, type DerivedName, type DerivedTable } from './derived-tables.ts'
import { type Bind, type Statement, statement } from './statement.ts'
import type { UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** What an audit asks of one table, and a repair does to it. */
export interface DerivedQueries {
  readonly table: DerivedTable
  /** The rows of a user as they stand. Its parameters are the two that name the user, each once. */
  readonly read: Statement<UserColumns, DriftRow>
  /** By the key. */
  readonly remove: Statement<DriftRow, unknown>
  readonly removeAll: Statement<UserColumns, unknown>
  /** Not of users, whose rows have a version. */
  readonly put: Statement<DriftRow, unknown>
}

export interface AuditQueries {
  readonly version: Statement<UserColumns, { readonly version: number }>
  readonly lines: Statement<UserColumns, { readonly lines: number }>
  /** With the version for a user who is new; whoever is there gets the next one. */
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
    putUser: putUser(traits),
    derived: DERIVED_TABLES.map((table) => derivedQueries(traits, table)),
  }
}

/** A table by a name that is known at run time only. */
export function tableOf(name: string): RawBuilder<unknown> {
  return sql.table(`laurels.${name}`)
}

export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

/** What kysely's builders cannot say, because its tables and columns are known at run time only. */
export function rawStatement<Params, Row>(
  traits: SqlTraits,
  build: (bind: Bind<Params>) => RawBuilder<Row>,
): Statement<Params, Row> {
  return statement<Params, Row>(traits, (bind) => {
    const query = build(bind)
    return { compile: () => query.compile(traits.kysely), execute: () => Promise.resolve([]) }
  })
}

function derivedQueries(traits: SqlTraits, table: DerivedTable): DerivedQueries {
  const { name, key, columns } = table
  return {
    table,
    read: rawStatement(traits, (bind) => {
      return sql<DriftRow>`select ${namesOf(columns)} from ${tableOf(name)} where ${same(bind, ['tenant_id', 'user_id'])}`
    }),
    remove: rawStatement(traits, (bind) => sql`delete from ${tableOf(name)} where ${same(bind, key)}`),
    removeAll: rawStatement(traits, (bind) => {
      return sql`delete from ${tableOf(name)} where ${same(bind, ['tenant_id', 'user_id'])}`
    }),
    put: rawStatement(traits, (bind) => put(bind, table)),
  }
}

function same<Params>(bind: Bind<Params>, columns: readonly (keyof Params & string)[]): RawBuilder<unknown> {
  const equal = columns.map((column) => sql`${sql.ref(column)} = ${bind(column)}`)
  return sql.join(equal, sql` and `)
}

function put(bind: Bind<DriftRow>, { name, key, values, columns }: DerivedTable): RawBuilder<unknown> {
  const bound = sql.join(columns.map((column) => bind(column)))
  return sql`insert into ${tableOf(name)} (${namesOf(columns)}) values (${bound}) ${onConflict(key, values)}`
}

/** The row is replaced by the one that was to be inserted. */
function onConflict(key: readonly string[], values: readonly string[]): RawBuilder<unknown> {
  if (values.length === 0) return sql`on conflict do nothing`
  const changes = values.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  return sql`on conflict (${namesOf(key)}) do update set ${sql.join(changes)}`
}

function putUser(traits: SqlTraits): AuditQueries['putUser'] {
  const { name, key, values, columns } = find('users')
  return rawStatement(traits, (bind) => {
    const bound = sql.join([...columns, 'version'].map((column) => bind(column)))
    return sql`insert into ${tableOf(name)} as u (${namesOf([...columns, 'version'])}) values (${bound})
      ${onConflict(key, values)}, version = u.version + 1`
  })
}

function find(name: DerivedName): DerivedTable {
  const table = DERIVED_TABLES.find((known) => known.name === name)
  if (table === undefined) throw new RangeError(`There is no table ${name}`)
  return table
}
