import type { Compilable } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import { apiKeysMigration } from './api-keys-migration.ts'
import { entryIdsMigration } from './entry-ids-migration.ts'
import { firstTables } from './first-tables.ts'
import { leaderboardsMigration } from './leaderboards-migration.ts'
import { type Statement, statement } from './statement.ts'
import { streaksMigration } from './streaks-migration.ts'
import type { SqlTraits } from './traits.ts'
import { voidsMigration } from './voids-migration.ts'

export interface Migration {
  readonly name: string
  readonly build: (traits: SqlTraits) => readonly Compilable[]
}

/** In order. What has been released stays as it is; a change is a new migration at the end. */
const MIGRATIONS: readonly Migration[] = [
  { name: '0001-first-tables', build: firstTables },
  { name: '0002-api-keys', build: apiKeysMigration },
  { name: '0004-leaderboards', build: leaderboardsMigration },
  { name: '0006-streaks', build: streaksMigration },
  { name: '0007-voids', build: voidsMigration },
  { name: '0010-entry-ids', build: entryIdsMigration },
]

/** A migration that is still to be run, as texts of SQL. */
export interface PendingMigration {
  readonly name: string
  readonly texts: readonly string[]
}

export interface MigrationQueries {
  /** Makes the table of what was applied; the others are made by the migrations. Safe to run again. */
  readonly createTable: string
  readonly applied: Statement<Readonly<Record<string, never>>, { readonly name: string }>
  readonly record: Statement<{ readonly name: string }, unknown>
}

export function migrationQueries(traits: SqlTraits): MigrationQueries {
  const { kysely, columns } = traits
  const table = kysely.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', columns.text, (column) => column.notNull().primaryKey())
    .modifyEnd(traits.clustered)
  return {
    createTable: compile(traits, table),
    applied: statement(traits, () => kysely.selectFrom('migrations').select('name').orderBy('name')),
    record: statement(traits, (bind) => kysely.insertInto('migrations').values({ name: bind('name') })),
  }
}

/** What is to be run where `applied` has been. Throws `storage_unusable` when this is more than the code knows. */
export function pendingMigrations(traits: SqlTraits, applied: readonly string[]): readonly PendingMigration[] {
  const migrations = [...MIGRATIONS, ...traits.ownMigrations].sort((a, b) => (a.name < b.name ? -1 : 1))
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new GamificationError(
      'storage_unusable',
      `The tables were made by a newer laurels (migration ${unknown.join(', ')}). Upgrade laurels in this process.`,
    )
  }
  return migrations
    .filter(({ name }) => !applied.includes(name))
    .map(({ name, build }) => ({
      name,
      texts: build(traits).map((query) => compile(traits, query)),
    }))
}

function compile(traits: SqlTraits, query: Compilable): string {
  return traits.spell(query.compile().sql)
}
