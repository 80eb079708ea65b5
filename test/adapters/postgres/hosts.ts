import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { PostgresPool, PostgresSource } from '../../../adapters/postgres/index.ts'

/** The hosts' own objects, made from a pool. */
export const HOSTS: readonly { readonly name: string; readonly toSource: (pool: pg.Pool) => PostgresSource }[] = [
  { name: 'a pool', toSource: (pool) => pool as PostgresPool },
  { name: 'a kysely instance', toSource: (pool) => toKysely(pool) },
  { name: 'a kysely instance with CamelCasePlugin', toSource: (pool) => toKysely(pool, true) },
]

function toKysely(pool: pg.Pool, isCamelCase = false): Kysely<unknown> {
  return new Kysely({ dialect: new PostgresDialect({ pool }), plugins: isCamelCase ? [new CamelCasePlugin()] : [] })
}
