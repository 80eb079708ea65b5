import type { Compilable } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0004-leaderboards`. Released: not to be changed. */
export function leaderboardsMigration(traits: SqlTraits): readonly Compilable[] {
  return [entriesOfUser(traits), entries(traits), order(traits), blocks(traits)]
}

function entriesOfUser({ kysely, columns }: SqlTraits): Compilable {
  return kysely.schema
    .alterTable('users')
    .addColumn('leaderboards', columns.json, (column) => column.notNull().defaultTo('{}'))
}

function entries({ kysely, columns, clustered }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('leaderboard_entries')
    .addColumn('tenant_id', columns.text, (column) => column.notNull())
    .addColumn('user_id', columns.text, (column) => column.notNull())
    .addColumn('leaderboard', columns.text, (column) => column.notNull())
    .addColumn('run', columns.text, (column) => column.notNull())
    .addColumn('group_key', columns.text, (column) => column.notNull())
    .addColumn('minus_value', columns.double, (column) => column.notNull())
    .addColumn('reached_at', columns.instant, (column) => column.notNull())
    .addColumn('until', columns.instant)
    .addColumn('names', columns.json)
    .addPrimaryKeyConstraint('laurels_leaderboard_entries_key', ['tenant_id', 'user_id', 'leaderboard', 'run'])
    .modifyEnd(clustered)
}

/** Best first. With `until`, so that a ranking is read from the index alone. */
function order({ kysely }: SqlTraits): Compilable {
  return kysely.schema
    .createIndex('laurels_leaderboard_order')
    .on('leaderboard_entries')
    .columns(['tenant_id', 'leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'user_id', 'until'])
}

function blocks({ kysely, columns, clustered }: SqlTraits): Compilable {
  const key = ['tenant_id', 'leaderboard', 'run', 'group_key', 'level', 'minus_value', 'reached_at', 'user_id'] as const
  return kysely.schema
    .createTable('leaderboard_blocks')
    .addColumn('tenant_id', columns.text, (column) => column.notNull())
    .addColumn('leaderboard', columns.text, (column) => column.notNull())
    .addColumn('run', columns.text, (column) => column.notNull())
    .addColumn('group_key', columns.text, (column) => column.notNull())
    .addColumn('level', columns.integer, (column) => column.notNull())
    .addColumn('minus_value', columns.double, (column) => column.notNull())
    .addColumn('reached_at', columns.instant, (column) => column.notNull())
    .addColumn('user_id', columns.text, (column) => column.notNull())
    .addColumn('count', columns.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('laurels_leaderboard_blocks_key', [...key])
    .modifyEnd(clustered)
}
