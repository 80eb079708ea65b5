import type { Instant } from '../rules/calendar.ts'
import type { LeaderboardChoice } from '../rules/game.ts'
import type { Position } from '../rules/position.ts'
import type { Redemption } from '../rules/redemption.ts'
import type { ChallengeMark } from '../rules/state.ts'
import type { Award, LeaderboardRow, Movement, StreakPeriod, UserKey } from './rows.ts'
import type { LoadedUser } from './saves.ts'

/** How many items a list has if the caller names no limit. */
export const CHUNK = 1_000

/** A part of a list: at most `limit` items after a place, or from its start. */
export interface Page<Place> {
  readonly after?: Place
  readonly limit?: number
}

export interface LeaderboardPage {
  /** How many rank, or `null` for all. */
  readonly limit: number | null
  /** Skips entries whose `until` is not after it. */
  readonly at: Instant
  /** From 0. With `around` it counts from that user, and may be below 0. */
  readonly offset: number
  readonly count: number
  /** A user. The page is empty if the user does not rank. */
  readonly around?: string
}

export interface LeaderboardLine extends Position {
  /** From 1. */
  readonly rank: number
  readonly name: string | null
  /** How the user chose to appear, or `null` if the user chose nothing. */
  readonly choice: LeaderboardChoice | null
}

export interface StoredUser extends Omit<LoadedUser, keyof UserKey> {
  readonly epoch: number
  /** Newest first; empty unless asked for. */
  readonly awards: readonly Award[]
  /** Newest first; empty unless asked for. */
  readonly movements: readonly Movement[]
  /** Newest first; empty unless asked for. */
  readonly periods: readonly StreakPeriod[]
  /** The windows of challenges, newest first; empty unless asked for. */
  readonly challenges: readonly ChallengeMark[]
  /** Newest first; empty unless asked for. */
  readonly redemptions: readonly Redemption[]
  /** In order of leaderboard, then of run; empty unless asked for. */
  readonly leaderboards: readonly LeaderboardRow[]
}
