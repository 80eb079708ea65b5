import type { Drift, DriftRow, UserFacts } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toAwardColumns } from './award-rows.ts'
import { compareRows } from './compare-rows.ts'
import { DERIVED_TABLES, type DerivedName, type DerivedRow } from './derived-tables.ts'
import { toRowChanges } from './row-changes.ts'
import type { SqlTraits } from './traits.ts'
import { toProfileColumns, toStateRow } from './user-rows.ts'

/** Every row of a user, by table. */
export type UserRows = { readonly [Name in DerivedName]: readonly DriftRow[] }

type Traits = Pick<SqlTraits, 'toBoolean'>

/** The rows that differ from the facts, in order of table, then key. */
export function compareWithFacts(
  traits: Traits,
  key: UserKey,
  stored: UserRows,
  facts: UserFacts | null,
): readonly Drift[] {
  const expected = onlyStored(toUserRows(traits, key, facts), stored)
  return DERIVED_TABLES.flatMap((table) => compareRows(table, stored[table.name], expected[table.name]))
}

/** A user may have any of its snapshots, so a missing one is no drift. */
function onlyStored(expected: UserRows, stored: UserRows): UserRows {
  const known = new Set(stored.snapshots.map(({ lines }) => lines))
  return { ...expected, snapshots: expected.snapshots.filter(({ lines }) => known.has(lines ?? null)) }
}

/** The rows that saves would have left, as the changes from no user to the user. */
export function toUserRows(traits: Traits, key: UserKey, facts: UserFacts | null): UserRows {
  if (facts === null) return toRows(() => [])
  const { state, awards, periods, leaderboards, snapshots = [] } = facts
  const { version: _, read_version: __, ...stateRow } = toStateRow(key, { read: 0, next: 0 }, state)
  const user: DerivedRow<'users'> = { ...stateRow, ...toProfileColumns(traits, state) }
  const changes = toRowChanges(key, null, {
    after: state,
    awards: { remove: [], put: [] },
    periods: { remove: [], put: periods },
    leaderboards: { remove: [], put: leaderboards },
    snapshots: { after: null, put: snapshots },
  })
  const awardRows = awards.map((award) => toAwardColumns(key, award))
  return toRows((name) => (name === 'users' ? [user] : name === 'awards' ? awardRows : changes[name].put))
}

function toRows(rowsOf: (name: DerivedName) => readonly object[]): UserRows {
  // Interfaces have no index signature, though all their columns are values of a row.
  return Object.fromEntries(DERIVED_TABLES.map(({ name }) => [name, rowsOf(name)])) as UserRows
}
