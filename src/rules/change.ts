import type { Day, Instant, Period } from './calendar.ts'
import type {
  DateSum,
  Freezes,
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

/** What follows from an entry, in the past tense. `evolve` applies it; answers, events and rows are made from it. */
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
  | { readonly type: 'periodSummed'; readonly open: readonly PeriodSums[] }
  /** Of a metric with limits. */
  | { readonly type: 'dateSummed'; readonly metric: string; readonly sums: readonly DateSum[] }
  | {
      readonly type: 'streakStarted'
      readonly at: Instant
      readonly period: Period
      readonly date: Day
      readonly length: 1
    }
  | {
      readonly type: 'streakExtended'
      readonly at: Instant
      readonly period: Period
      readonly date: Day
      readonly length: number
    }
  /** The period counted and keeps the streak alive, but must not lengthen it. */
  | { readonly type: 'streakHeld'; readonly period: Period; readonly date: Day; readonly length: number }
  /** The period was missed, and a freeze consumed at the local midnight that ended it. */
  | {
      readonly type: 'streakFrozen'
      readonly period: Period
      readonly date: Day
      readonly length: number
      readonly freezes: Freezes
    }
  /** The period could not be missed. */
  | { readonly type: 'streakPaused'; readonly period: Period; readonly date: Day; readonly length: number }
  | { readonly type: 'streakLost'; readonly length: number; readonly lost: LostStreak }
  /** `date`: the first of the current period where it counted already, and now has the restored length. */
  | { readonly type: 'streakRestored'; readonly streak: StreakState; readonly date: Day | null }
  /** The zone, and with it today, changed: the streak keeps its distance from today. */
  | { readonly type: 'streakMoved'; readonly streak: StreakState; readonly freezes: Freezes | null }
  /** `count` of them are new, after clipping to the game's maximum: by time, or given. */
  | { readonly type: 'freezesEarned'; readonly count: number; readonly freezes: Freezes }
  | { readonly type: 'freezesGranted'; readonly count: number; readonly freezes: Freezes }
  | { readonly type: 'pausesChanged'; readonly pauses: readonly Pause[] }
  | {
      readonly type: 'achievementCompleted'
      readonly achievement: string
      readonly at: Instant
      readonly entryId: string
    }
  | {
      readonly type: 'pointsAwarded'
      readonly system: string
      /** Id of the trigger. */
      readonly trigger: string
      /** What the trigger pays, before clipping. */
      readonly due: number
      /** What was added, after clipping to 0 and `maxPoints`; never 0. */
      readonly awarded: number
      readonly total: number
      readonly at: Instant
      readonly entryId: string
    }
  /** An award of which clipping left nothing. */
  | { readonly type: 'pointsClipped'; readonly system: string; readonly trigger: string; readonly due: number }
  | { readonly type: 'levelChanged'; readonly system: string; readonly level: string | null }
  /** The user's entry of one run of a leaderboard, new or changed. */
  | {
      readonly type: 'leaderboardScored'
      readonly leaderboard: string
      readonly entry: LeaderboardEntry
      /** The entry of the same run before. */
      readonly previous: LeaderboardEntry | null
    }
  /** The streak that the entry ranked by is lost. */
  | { readonly type: 'leaderboardLeft'; readonly leaderboard: string; readonly previous: LeaderboardEntry }
  /** The user's first entry under a newer game. */
  | {
      readonly type: 'gameAdopted'
      readonly epoch: number
      readonly streak: StreakState
      readonly freezes: Freezes | null
      readonly leaderboards: UserState['leaderboards']
      readonly dateSums: UserState['dateSums']
    }
  /** The user is another name for the one that goes on. */
  | { readonly type: 'userMerged'; readonly into: string }
  | { readonly type: 'suspensionChanged'; readonly suspended: Suspension | null }
  | { readonly type: 'entryAppended'; readonly seq: number; readonly at: Instant }
