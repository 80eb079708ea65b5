import { compareCodePoints } from '../../src/rules/position.ts'
import type { LeaderboardColumns } from './leaderboard-rows.ts'
import type { LeaderboardBlocksTable } from './tables.ts'

/** A position in the order of a group, which ascends: best first. */
export type PositionColumns = Pick<LeaderboardBlocksTable, 'minus_value' | 'reached_at' | 'user_id'>

/** An entry's position in a group, with the instant from which it does not count. */
export interface RankedColumns extends LeaderboardColumns, PositionColumns {
  readonly until: number | null
}

/** From a position, included, to another, excluded. */
export interface PositionRange extends LeaderboardColumns, PositionColumns {
  readonly end_minus_value: number
  readonly end_reached_at: number
  readonly end_user_id: string
}

/** An entry as it was and as it is; at least one of them is not null. */
export interface RankedChange {
  readonly from: RankedColumns | null
  readonly to: RankedColumns | null
}

export const POSITION = ['minus_value', 'reached_at', 'user_id'] as const

/** Before every entry; the first block of each level begins here. */
export const FIRST_POSITION: PositionColumns = {
  minus_value: -1e308,
  reached_at: Number.MIN_SAFE_INTEGER,
  user_id: '',
}

/** After every entry. */
export const LAST_POSITION: PositionColumns = {
  minus_value: Number.POSITIVE_INFINITY,
  reached_at: Number.MAX_SAFE_INTEGER,
  user_id: '',
}

export function isSamePosition(left: PositionColumns, right: PositionColumns): boolean {
  return (
    left.user_id === right.user_id && left.minus_value === right.minus_value && left.reached_at === right.reached_at
  )
}

/** Below 0 when `left` comes first in the order of the index. */
export function comparePositionColumns(left: PositionColumns, right: PositionColumns): number {
  return (
    left.minus_value - right.minus_value ||
    left.reached_at - right.reached_at ||
    compareCodePoints(left.user_id, right.user_id)
  )
}
