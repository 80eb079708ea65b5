import { toDateText } from '../../src/rules/calendar.ts'
import type { DriftRow, UserFacts } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toAwardColumns } from './award-rows.ts'
import type { DerivedName, DerivedRow } from './derived-tables.ts'
import { toEntryRow } from './leaderboard-rows.ts'
import type { SqlTraits } from './traits.ts'
import { toProfileColumns, toStateRow, toUserColumns } from './user-rows.ts'

/** Every row of a user, by table. */
export type UserRows = { readonly [Name in DerivedName]: readonly DriftRow[] }

const NONE: UserRows = {
  users: [],
  totals: [],
  tallies: [],
  completions: [],
  points: [],
  awards: [],
  streak_periods: [],
  streak_pauses: [],
  leaderboard_entries: [],
}

/** The rows that saves would have left. */
export function toExpectedRows(traits: SqlTraits, key: UserKey, facts: UserFacts | null): UserRows {
  if (facts === null) return NONE
  const { state, awards, periods, leaderboards } = facts
  const { version: _, read_version: __, ...stateRow } = toStateRow(key, { read: 0, next: 0 }, state)
  const { tenant_id, user_id } = toUserColumns(key)
  const rows: { readonly [Name in DerivedName]: readonly DerivedRow<Name>[] } = {
    users: [{ ...stateRow, ...toProfileColumns(traits, state) }],
    totals: [...state.totals].map(([metric, { total, highest }]) => ({ tenant_id, user_id, metric, total, highest })),
    tallies: [...state.tallies].map(([rule_id, { total, highest }]) => ({
      tenant_id,
      user_id,
      rule_id,
      total,
      highest,
    })),
    completions: [...state.completions].map(([achievement, { at, entryId }]) => {
      return { tenant_id, user_id, achievement, at, entry_id: entryId }
    }),
    points: [...state.points].map(([system, { total, level }]) => ({ tenant_id, user_id, system, total, level })),
    awards: awards.map((award) => toAwardColumns(key, award)),
    streak_periods: periods.map(({ start, length, kind }) => {
      return { tenant_id, user_id, start_date: toDateText(start), length, kind }
    }),
    streak_pauses: state.pauses.map(({ id }) => ({ tenant_id, user_id, pause_id: id })),
    leaderboard_entries: leaderboards.map((row) => toEntryRow(key, row)),
  }
  // Interfaces have no index signature, though all their columns are values of a row.
  return rows as unknown as UserRows
}
