import type { Drift, UserFacts } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { compareRows } from './compare-rows.ts'
import { DERIVED_TABLES } from './derived-tables.ts'
import { toExpectedRows, type UserRows } from './expected-rows.ts'
import type { SqlTraits } from './traits.ts'

/** What differs from the facts, in order of table, then key. */
export function compareWithFacts(
  traits: SqlTraits,
  key: UserKey,
  stored: UserRows,
  facts: UserFacts | null,
): readonly Drift[] {
  const expected = toExpectedRows(traits, key, facts)
  return DERIVED_TABLES.flatMap((table) => compareRows(table, stored[table.name], expected[table.name]))
}
