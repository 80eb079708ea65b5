import type { Drift, DriftRow, UserFacts } from '../../src/storage-audit.ts'
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
  const users = expected.users.map(followOld(stored.users))
  return DERIVED_TABLES.flatMap((table) => {
    return compareRows(table, stored[table.name], table.name === 'users' ? users : expected[table.name])
  })
}

/** Rows older than freezes and pauses have no kept period, which says that it is the last. */
function followOld([stored]: readonly DriftRow[]): (expected: DriftRow) => DriftRow {
  return (expected) => {
    const isOld = stored?.streak_kept_period === null && expected.streak_kept_period === expected.streak_last_period
    return isOld ? { ...expected, streak_kept_period: null } : expected
  }
}
