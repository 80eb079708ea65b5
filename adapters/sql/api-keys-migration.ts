import { type Compilable, sql } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0002-api-keys`. Released: not to be changed. */
export function apiKeysMigration(traits: SqlTraits): readonly Compilable[] {
  return [apiKeys(traits), adminKeys(traits), ...streakExtended(traits)]
}

function apiKeys({ kysely, columns, clustered }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('api_keys')
    .addColumn('id', columns.text, (column) => column.notNull().primaryKey())
    .addColumn('prefix', columns.text, (column) => column.notNull().unique())
    .addColumn('hash', columns.text, (column) => column.notNull())
    .addColumn('tenant_id', columns.text)
    .addColumn('user_id', columns.text)
    .addColumn('kind', columns.text, (column) => column.notNull())
    .addColumn('status', columns.text, (column) => column.notNull())
    .addColumn('created_at', columns.instant, (column) => column.notNull())
    .addColumn('last_used_at', columns.instant)
    .modifyEnd(clustered)
}

/** Of the few admin keys alone: there may be an application key for every user. */
function adminKeys({ kysely }: SqlTraits): Compilable {
  return kysely.schema
    .createIndex('laurels_admin_keys')
    .on('api_keys')
    .columns(['created_at', 'id'])
    .where(sql.ref('kind'), '=', 'admin')
}

function streakExtended({ kysely, columns }: SqlTraits): readonly Compilable[] {
  return [
    kysely.schema.alterTable('users').addColumn('streak_extended_at', columns.instant),
    // A streak of one period was last made longer when it began. When a longer one was, only a fold can tell.
    kysely
      .updateTable('users')
      .set({ streak_extended_at: sql.ref('streak_first_at') })
      .where('streak_length', '=', sql.lit(1)),
  ]
}
