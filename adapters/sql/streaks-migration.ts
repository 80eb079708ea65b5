import type { Compilable } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0006-streaks`. Released: not to be changed. */
export function streaksMigration(traits: SqlTraits): readonly Compilable[] {
  return [...userColumns(traits), pauses(traits), pausesById(traits)]
}

function userColumns({ kysely, columns }: SqlTraits): readonly Compilable[] {
  const users = () => kysely.schema.alterTable('users')
  return [
    users().addColumn('streak_kept_period', columns.integer),
    users().addColumn('streak_lost', columns.json),
    users().addColumn('freezes', columns.integer),
    users().addColumn('freezes_next_earned', columns.text),
    users().addColumn('pauses', columns.json, (column) => column.notNull().defaultTo('[]')),
  ]
}

function pauses({ kysely, columns, clustered }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('streak_pauses')
    .addColumn('tenant_id', columns.text, (column) => column.notNull())
    .addColumn('user_id', columns.text, (column) => column.notNull())
    .addColumn('pause_id', columns.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('laurels_streak_pauses_key', ['tenant_id', 'user_id', 'pause_id'])
    .modifyEnd(clustered)
}

function pausesById({ kysely }: SqlTraits): Compilable {
  return kysely.schema.createIndex('laurels_streak_pauses_by_id').on('streak_pauses').columns(['pause_id', 'tenant_id'])
}
