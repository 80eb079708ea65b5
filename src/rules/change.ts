import type { Day, Instant, Period } from './calendar.ts'
import type { Boost } from './game.ts'
import type { Redemption } from './redemption.ts'
import type {
  CapSum,
  ChallengeMark,
  ChallengeState,
  DateSum,
  Freezes,
  GivenBoost,
  LeaderboardEntry,
  LostStreak,
  Pause,
  PeriodSums,
  Preferences,
  Profile,
  StreakState,
  Suspension,
  UserState,
} from './state.ts'
import type { Lot, Wallet } from './wallet.ts'

export interface Reduction {
  readonly left: number
  readonly by: readonly ('cooldown' | 'trigger_cap' | 'system_cap')[]
  /** When the trigger can pay again, or `null` if a cap for all time is used up. */
  readonly resetsAt: Instant | null
}

export interface AboutStreak {
  /** Key of a named streak; absent for the game's `streak`. */
  readonly key?: string
}

interface OfPeriod extends AboutStreak {
  readonly period: Period
  readonly date: Day
  /** The length of the streak after the change. */
  readonly length: number
}

interface Payment {
  readonly system: string
  /** Id of the trigger; for an adjustment, of the points system. */
  readonly trigger: string
  /** The points of the trigger, multiplied by boosts, before clipping. */
  readonly due: number
  /** The boosts that multiplied it, the oldest first. Absent if there is none. */
  readonly boosts?: readonly Boost[]
  /** The points that caps and a cooldown removed; absent if there are none. */
  readonly reduction?: Reduction
}

export type MovementKind =
  /** If it is pending, the balance does not change. */
  | 'earned'
  /** Pending points became available. */
  | 'available'
  | 'spent'
  | 'held'
  /** A part of a hold was spent. The balance changed when it was held. */
  | 'captured'
  /** A hold, or the rest of it, returned to the balance. */
  | 'released'
  | 'refunded'
  | 'expired'
  /** By support. */
  | 'adjusted'

/** Points of a spendable system that came, went, or became available. */
export interface Movement {
  readonly system: string
  readonly kind: MovementKind
  /** How many points it is about, from 1. */
  readonly points: number
  /** The change of the balance: 0 if it is earned and pending, or captured. */
  readonly amount: number
  /** The balance after it. */
  readonly balance: number
  readonly at: Instant
  /** The id of the spend or the hold it belongs to. A captured part belongs to the spend, which is the capture. */
  readonly spend?: string
  /** For `captured`: the id of the hold. */
  readonly hold?: string
  /** The parts of lots that were taken or that returned. Points that made or paid a debt are in no lot. */
  readonly lots?: readonly Lot[]
  readonly reference?: string
  /** For `held`: when it is released. */
  readonly until?: Instant
}

/** A consequence of an entry, in the past tense. `evolve` applies it; answers, events and rows are made from it. */
export type Change =
  | { readonly type: 'userCreated'; readonly at: Instant }
  | { readonly type: 'profileChanged'; readonly at: Instant; readonly profile: Profile }
  | { readonly type: 'preferencesChanged'; readonly preferences: Preferences }
  | {
      readonly type: 'metricChanged'
      readonly metric: string
      readonly value: number
      readonly total: number
      readonly highest: number
    }
  | { readonly type: 'tallyChanged'; readonly rule: string; readonly total: number; readonly highest: number }
  | (AboutStreak & { readonly type: 'periodSummed'; readonly open: readonly PeriodSums[] })
  /** The sums by date of a metric with limits, or of a tally with a window. */
  | { readonly type: 'dateSummed'; readonly key: string; readonly sums: readonly DateSum[] }
  | (OfPeriod & { readonly type: 'streakStarted' | 'streakExtended'; readonly at: Instant })
  /** The period counts but does not lengthen the streak: by changes of zone, dates passed faster than time. */
  | (OfPeriod & { readonly type: 'streakHeld' })
  /** The period was missed, and a freeze consumed at the local midnight that ended it. */
  | (OfPeriod & {
      readonly type: 'streakFrozen'
      readonly freezes: Freezes
      /** The freeze was one of the game's `streak`, which the named streak shares. */
      readonly isShared?: true
    })
  /** The period could not be missed, because a pause touches it. */
  | (OfPeriod & { readonly type: 'streakPaused' })
  | (AboutStreak & { readonly type: 'streakLost'; readonly length: number; readonly lost: LostStreak })
  /** Support ended the streak. `resets`: all resets of the user after it. */
  | (AboutStreak & {
      readonly type: 'streakReset'
      readonly length: number
      readonly lost: LostStreak
      readonly resets: UserState['resets']
    })
  /** A reset was undone: the resets of the user without it. */
  | { readonly type: 'resetsChanged'; readonly resets: UserState['resets'] }
  /** `date`: the first of the current period if it counted already, and now has the restored length. */
  | (AboutStreak & { readonly type: 'streakRestored'; readonly streak: StreakState; readonly date: Day | null })
  /** The zone, and with it today, changed: the streak keeps its distance from today. `freezes`: its own. */
  | (AboutStreak & { readonly type: 'streakMoved'; readonly streak: StreakState; readonly freezes: Freezes | null })
  /** `count` of a streak's own freezes are new, after clipping to the game's maximum: by time, or given. */
  | (AboutStreak & {
      readonly type: 'freezesEarned' | 'freezesGranted'
      readonly count: number
      readonly freezes: Freezes
    })
  | { readonly type: 'earlierDaysChanged'; readonly earlierDays: UserState['earlierDays'] }
  | { readonly type: 'pausesChanged'; readonly pauses: readonly Pause[] }
  | {
      readonly type: 'achievementCompleted'
      readonly achievement: string
      readonly at: Instant
      readonly entryId: string
      /** How often an achievement that repeats has now been completed. One change may be several completions. */
      readonly count?: number
    }
  | {
      readonly type: 'rewardRedeemed' | 'redemptionFulfilled' | 'redemptionCancelled'
      readonly redemption: Redemption
    }
  | { readonly type: 'achievementRevoked'; readonly achievement: string }
  | (Payment & {
      readonly type: 'pointsAwarded'
      /** The points that were added, after clipping to 0 and `maxPoints`; never 0. */
      readonly awarded: number
      readonly total: number
      readonly at: Instant
      readonly entryId: string
    })
  | (Payment & { readonly type: 'pointsClipped' })
  /** `cap`: id of the trigger or points system that has it. */
  | { readonly type: 'capUsed'; readonly cap: string; readonly sums: readonly CapSum[] }
  | { readonly type: 'cooldownStarted'; readonly trigger: string; readonly at: Instant }
  /** Time triggers began, their awards became due, or a change of zone moved their dates. */
  | { readonly type: 'timersChanged'; readonly timers: UserState['timers'] }
  | { readonly type: 'levelChanged'; readonly system: string; readonly level: string | null }
  | {
      readonly type: 'leaderboardScored'
      readonly leaderboard: string
      readonly entry: LeaderboardEntry
      readonly previous: LeaderboardEntry | null
    }
  | { readonly type: 'leaderboardLeft'; readonly leaderboard: string; readonly previous: LeaderboardEntry }
  | ({ readonly type: 'gameAdopted' } & Pick<
      UserState,
      | 'epoch'
      | 'streak'
      | 'freezes'
      | 'streaks'
      | 'earlierDays'
      | 'leaderboards'
      | 'dateSums'
      | 'caps'
      | 'cooldowns'
      | 'timers'
      | 'totals'
      | 'tallies'
    >)
  | { readonly type: 'challengeChanged'; readonly challenge: string; readonly state: ChallengeState }
  /** Facts of one window, which its row has. They come with the change of the state. */
  | {
      readonly type:
        | 'challengeStarted'
        | 'challengeCompleted'
        | 'challengeClaimed'
        /** The reward was not claimed in time. */
        | 'challengeLapsed'
        | 'challengeAbandoned'
      readonly mark: ChallengeMark
    }
  | { readonly type: 'walletChanged'; readonly system: string; readonly wallet: Wallet }
  /** A fact for one row of the statement. It comes with the change of the wallet. */
  | ({ readonly type: 'pointsMoved' } & Movement)
  | { readonly type: 'userMerged'; readonly into: string }
  | { readonly type: 'activityChanged'; readonly activity: UserState['activity'] }
  | { readonly type: 'boostsChanged'; readonly boosts: readonly GivenBoost[] }
  | { readonly type: 'suspensionChanged'; readonly suspended: Suspension | null }
  | { readonly type: 'entryAppended'; readonly seq: number; readonly at: Instant }
