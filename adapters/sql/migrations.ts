import { GamificationError } from '../../src/errors.ts'
import { type Statement, statement } from './statement.ts'
import type { Migration, SqlTraits } from './traits.ts'

export interface MigrationQueries {
  readonly applied: Statement<Readonly<Record<string, never>>, { readonly name: string }>
  readonly record: Statement<{ readonly name: string }, unknown>
}

export function migrationQueries(traits: SqlTraits): MigrationQueries {
  const { kysely } = traits
  return {
    applied: statement(traits, () => kysely.selectFrom('migrations').select('name').orderBy('name')),
    record: statement(traits, (bind) => kysely.insertInto('migrations').values({ name: bind('name') })),
  }
}

/**
 * The migrations that are not among the `applied` ones. Throws `storage_unusable` where the code does not know all of
 * these.
 */
export function pendingMigrations({ migrations }: SqlTraits, applied: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new GamificationError(
      'storage_unusable',
      `The tables were made by a newer laurels (migration ${unknown.join(', ')}), or by one from before its first release. ` +
        'Upgrade laurels in this process; where the tables are the older ones, begin with an empty database.',
    )
  }
  return migrations.filter(({ name }) => !applied.includes(name))
}

/**
 * The statements of the pending migrations, each with the row that says that it was applied, as `migrate()` runs them, for
 * somebody who runs them in another way. They belong into one transaction.
 */
export function migrationStatements(traits: SqlTraits, applied: readonly string[]): readonly string[] {
  // The name is ours: it holds nothing that would have to be quoted.
  const record = (name: string): string =>
    traits.spell(`insert into "laurels"."migrations" ("name") values ('${name}')`)
  const pending = pendingMigrations(traits, applied)
  return [traits.migrationsTable, ...pending.flatMap(({ name, texts }) => [...texts, record(name)])]
}
