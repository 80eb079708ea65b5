import type { LongestStreaksOptions, StreakHolder, StreakLength } from '../../src/storage.ts'
import type { Statement } from './statement.ts'
import { type Progress, toUserState, type UserRow } from './user-rows.ts'
import type { StreaksRead, UserQueries } from './users.ts'

const CHUNK = 1_000
/** Longer than any streak. */
const LONGEST = Number.MAX_SAFE_INTEGER

type HolderRow = UserRow & { readonly user_id: string }

export function streaksBy(by: StreakLength, { byStreak, byLongest }: UserQueries): Statement<StreaksRead, HolderRow> {
  return by === 'length' ? byStreak : byLongest
}

export function toStreaksRead(
  tenant: string,
  { after = { length: LONGEST, user: '' }, limit = CHUNK }: LongestStreaksOptions = {},
): StreaksRead {
  return { tenant_id: tenant, length: after.length, user_id: after.user, limit }
}

const NO_PROGRESS: Progress = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

export function toStreakHolder(row: HolderRow): StreakHolder {
  const { totals, tallies, completions, points, ...state } = toUserState(row, NO_PROGRESS)
  return { user: row.user_id, state }
}
