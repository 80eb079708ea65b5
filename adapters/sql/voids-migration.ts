import type { Compilable } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0007-voids`. Released: not to be changed. */
export function voidsMigration({ kysely, columns }: SqlTraits): readonly Compilable[] {
  return [kysely.schema.alterTable('log').addColumn('voided_by', columns.text)]
}
