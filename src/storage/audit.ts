import type { UserState } from '../rules/state.ts'
import type { NoticeCursor } from './outbox.ts'
import type { Award, LeaderboardRow, Snapshot, StreakPeriod } from './rows.ts'

export interface UserAuditOptions {
  readonly repair?: boolean
}

/** The rows that a user should have, according to the log. */
export interface UserFacts {
  readonly state: UserState
  readonly awards: readonly Award[]
  readonly periods: readonly StreakPeriod[]
  readonly leaderboards: readonly LeaderboardRow[]
  /**
   * All snapshots that may be stored. An audit compares the stored ones, and a repair stores all. If absent, there
   * should be none.
   */
  readonly snapshots?: readonly Snapshot[]
  /**
   * The notice cursor. It is not compared, because the log does not say it. A repair stores it; if absent, the stored
   * cursor stays.
   */
  readonly notices?: NoticeCursor | null
}

export interface UserAudit {
  readonly version: number
  /** How many lines the user's log has, as of the same moment. */
  readonly lines: number
  readonly drift: readonly Drift[]
  /** How many snapshots are stored, as of the same moment. */
  readonly snapshots: number
  /** The stored cursor, from the same snapshot. */
  readonly notices: NoticeCursor | null
}

/** A derived row that differs from the log. */
export interface Drift {
  /** The name of the table in the documentation, without the prefix `laurels_` or the schema. */
  readonly table: string
  /** The values of the primary key. */
  readonly key: DriftRow
  /** `null` if there is no such row. */
  readonly stored: DriftRow | null
  /** `null` if the row should not exist. */
  readonly expected: DriftRow | null
}

/** The values by column, without the user's version, which does not follow from the log. */
export type DriftRow = { readonly [column: string]: DriftValue }

export type DriftValue = string | number | boolean | null

/** One group of one run of a leaderboard, by the names under which blocks are kept: long ones are hashes. */
export interface BlockGroup {
  readonly tenant: string
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}
