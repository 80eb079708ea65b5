import { type RawBuilder, sql } from 'kysely'
import type { DriftRow } from '../../src/storage-audit.ts'
import { type DerivedTable, ROW_TABLES, type RowTable } from './derived-tables.ts'
import { toIdHex } from './packed.ts'
import { type Bind, type Statement, statement } from './statement.ts'
import type { Tables } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** How a save writes a row; a row to be removed is found by its key. */
export interface RowStatements<Name extends RowTable> {
  readonly put: Statement<Tables[Name], unknown>
  readonly remove: Statement<Tables[Name], unknown>
}

export type RowQueries = { readonly [Name in RowTable]: RowStatements<Name> }

export function rowQueries(traits: SqlTraits): RowQueries {
  const statements = ROW_TABLES.map((table) => {
    // A save must fail where it puts an award that is there already.
    const put = table.name === 'awards' ? insertStatement(traits, table) : putStatement(traits, table)
    return [table.name, { put, remove: removeStatement(traits, table) }]
  })
  // Interfaces have no index signature, though all their columns are values of a row.
  return Object.fromEntries(statements) as RowQueries
}

/** A table by a name that is known at run time only. */
export function tableOf(name: string): RawBuilder<unknown> {
  return sql.table(`laurels.${name}`)
}

export function columnList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

/** A statement of plain SQL, for what kysely's builders cannot say, such as tables that are known at run time only. */
export function rawStatement<Params, Row>(
  traits: SqlTraits,
  build: (bind: Bind<Params>) => RawBuilder<Row>,
): Statement<Params, Row> {
  return statement<Params, Row>(traits, (bind) => {
    const query = build(bind)
    return { compile: () => query.compile(traits.kysely), execute: () => Promise.resolve([]) }
  })
}

/** The condition that each column has the value of the parameter of its name. */
export function same<Params>(bind: Bind<Params>, columns: readonly (keyof Params & string)[]): RawBuilder<unknown> {
  const equal = columns.map((column) => sql`${sql.ref(column)} = ${bind(column)}`)
  return sql.join(equal, sql` and `)
}

function removeStatement(traits: SqlTraits, { name, key }: DerivedTable): Statement<DriftRow, unknown> {
  return rawStatement(traits, (bind) => sql`delete from ${tableOf(name)} where ${same(bind, key)}`)
}

export function insertStatement(traits: SqlTraits, table: DerivedTable): Statement<DriftRow, unknown> {
  return rawStatement(traits, (bind) => insert(traits, bind, table))
}

/** Inserts a row, or replaces the one that has its key. */
function putStatement(traits: SqlTraits, table: DerivedTable): Statement<DriftRow, unknown> {
  const { key, values } = table
  return rawStatement(traits, (bind) => sql`${insert(traits, bind, table)} ${onConflict(key, values)}`)
}

function insert(
  { toBytes }: SqlTraits,
  bind: Bind<DriftRow>,
  { name, bytes, columns }: DerivedTable,
): RawBuilder<unknown> {
  const toStored = (column: string): RawBuilder<unknown> =>
    bytes.includes(column) ? toBytes(bind(column, (id) => toIdHex(String(id))) as RawBuilder<string>) : bind(column)
  const bound = sql.join(columns.map(toStored))
  return sql`insert into ${tableOf(name)} (${columnList(columns)}) values (${bound})`
}

/** Replaces the row that has the same key with the new one. */
function onConflict(key: readonly string[], values: readonly string[]): RawBuilder<unknown> {
  if (values.length === 0) return sql`on conflict do nothing`
  const changes = values.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  return sql`on conflict (${columnList(key)}) do update set ${sql.join(changes)}`
}
