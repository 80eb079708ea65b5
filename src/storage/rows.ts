import type { Day, Instant } from '../rules/calendar.ts'
import type { MovementKind } from '../rules/change.ts'
import type { Boost } from '../rules/game.ts'
import type { LeaderboardEntry } from '../rules/state.ts'
import type { Lot } from '../rules/wallet.ts'

export interface UserKey {
  /** The empty string in a game without tenants. */
  readonly tenant: string
  readonly user: string
}

/** Points that a trigger gave, by id. */
export interface Award {
  readonly id: string
  readonly system: string
  /** Id of the trigger. */
  readonly trigger: string
  readonly entryId: string
  readonly at: Instant
  /** The `seq` of the entry; awards of a user are in the order of (at, seq, ordinal). */
  readonly seq: number
  /** Index among the awards of the same entry, from 0. */
  readonly ordinal: number
  readonly awarded: number
  /** The system's total after it. */
  readonly total: number
  /** The boosts that multiplied it, the oldest first; absent if there are none. */
  readonly boosts?: readonly AwardedBoost[]
}

/** A boost at the time it multiplied an award. */
export type AwardedBoost = Omit<Boost, 'userAttributes' | 'created'>

/** A change of a user's balance in a spendable points system, or of what is pending or held in it. */
export interface Movement {
  readonly system: string
  readonly at: Instant
  /** The `seq` of the entry that caused it, or that settled the time that caused it. */
  readonly seq: number
  /** Index among the movements of the same entry, from 0. */
  readonly ordinal: number
  readonly kind: MovementKind
  /** The points that it is about, at least 0. */
  readonly points: number
  /** The change of the balance. */
  readonly amount: number
  /** The balance after it. */
  readonly balance: number
  readonly entryId: string
  /** Id of the spend or hold that it belongs to. */
  readonly spend: string | null
  /** Id of the captured hold. */
  readonly hold: string | null
  /** The parts that were added or taken, by their expiry. */
  readonly lots: readonly Lot[]
  readonly reference: string | null
  /** When a hold releases itself. */
  readonly until: Instant | null
}

export type CounterKind = 'users' | 'completions' | 'level'

/** A user's entry in one run of a leaderboard; a user has at most one in each run. */
export interface LeaderboardRow extends LeaderboardEntry {
  /** Its key. */
  readonly leaderboard: string
}

/**
 * The state after the first lines of a user's log, from which a replay can continue. There may be one at regular
 * numbers of lines; a missing one has no meaning.
 */
export interface Snapshot {
  /** How many lines led to the state. */
  readonly lines: number
  /** The place of the last of these lines. */
  readonly at: Instant
  readonly seq: number
  /** The newest epoch that replaced all before it; 0 if there was none. */
  readonly baseline: number
  /** The state as text, made and read by the engine. */
  readonly state: string
}

/** A period in which a streak continued, by its first date, with the length of the streak in it. */
export interface StreakPeriod {
  readonly start: Day
  readonly length: number
  /** Why: it counted, a freeze was consumed for it, or it was paused. */
  readonly kind: 'counted' | 'frozen' | 'paused'
  /** Key of one of the game's `streaks`; absent if it is of the game's `streak`. */
  readonly streak?: string
}

/** A key that is unique for each tenant and user. */
export function userKeyText({ tenant, user }: UserKey): string {
  return `${tenant.length} ${tenant}${user}`
}
