import type { PointsBoost } from '../../shapes/points.ts'
import type { AttributeFilter } from '../../shapes/users.ts'
import type { PointsMovement } from '../../shapes/wallets.ts'
import type { ExplainRequest } from './requests.ts'

// Answers of `explain`: reasons as data. Instants are ISO 8601, and dates are `YYYY-MM-DD` in the user's zone. Keys are
// the game's keys. Missing amounts and totals are decimals of 15 digits.

/** A boost that multiplied the points of a trigger. */
export interface ExplainedBoost extends Pick<PointsBoost, 'id' | 'name' | 'multiplier'> {}

/** A trigger, as the game had it. */
export interface ExplainedTrigger {
  readonly kind: 'trigger'
  readonly system: string
  /** Its id. */
  readonly trigger: string
  readonly points: number
  /** The cause of the payment. */
  readonly pays:
    | { readonly for: 'metric'; readonly metric: string; readonly threshold: number }
    | { readonly for: 'achievement'; readonly achievement: string }
    | { readonly for: 'streak'; readonly length: number /** Of a named streak. */; readonly key?: string }
    | { readonly for: 'user_creation' }
    | { readonly for: 'time'; readonly unit: 'hour' | 'day'; readonly count: number }
    | { readonly for: 'challenge'; readonly challenge: string /** Key in the pool. */; readonly quest?: string }
}

/** An achievement, as the game had it. */
export interface ExplainedAchievement {
  readonly kind: 'achievement'
  readonly achievement: string
}

/** A rule that an event counts for, or does not. */
export type ExplainedRule = ExplainedTrigger | ExplainedAchievement

/** An attribute that a filter requires, and its value at the time, or `null` if it was not set. */
export interface AttributeDifference {
  readonly attribute: string
  readonly expected: string
  readonly actual: string | null
}

/** The user's value in a period, for one of the metrics that keep the streak. */
export interface StreakNeed {
  readonly metric: string
  /** The total of the period's own events; 0 without any. */
  readonly sum: number
  /** `null` if any value above 0 is enough, or any event if the total is no sum. */
  readonly threshold: number | null
  readonly isReached: boolean
  /** How much more the sum needs, or `null` if there is no threshold, nothing is missing, or the total is no sum. */
  readonly missing: number | null
  /** How the total is made of the events; absent if it is their sum. */
  readonly aggregation?: 'max' | 'min' | 'last' | 'distinct'
}

export interface StreakNeeds {
  /** `OR`: one of the metrics is enough; `AND`: all are needed. */
  readonly evaluationMode: 'OR' | 'AND'
  /** The values of the period. For a week that is judged by its dates, the values of the newest date with events. */
  readonly needs: readonly StreakNeed[]
  /** For a week that is judged by its dates: on how many of them the condition held, and on how many it must. */
  readonly days?: { readonly reached: number; readonly needed: number }
}

/** First and last date of a period. */
export interface PeriodDates {
  readonly periodStart: string
  readonly periodEnd: string
}

/** The rule is inactive: the achievement cannot be completed, or the trigger pays nothing. */
export type Inactive = { readonly type: 'inactive'; readonly rule: ExplainedRule }
/** No user can newly complete it after that local date. */
export type Ended = { readonly type: 'ended'; readonly rule: ExplainedAchievement; readonly until: string }
/** The achievement is locked: it can no longer be completed. Users who have it keep it. */
export type Locked = { readonly type: 'locked'; readonly rule: ExplainedAchievement }
/** A filter of the rule asks for another value than the user's profile, or the event, had. */
export type AttributeDiffers = AttributeDifference & {
  readonly type: 'attribute_differs'
  readonly rule: ExplainedRule
  readonly whose: 'user' | 'event'
}
/** Why a rule is not for the user, or for the event. */
export type RuleFact = Inactive | Locked | Ended | AttributeDiffers

/** One criterion of an achievement, and how far the user is. */
export interface ExplainedCriterion {
  readonly type: 'metric' | 'events' | 'streak' | 'points' | 'achievement' | 'membership'
  /** The requirement, in words. */
  readonly description: string
  /** The user's value after the newest entry, or `null` if there is no value yet. */
  readonly current: number | null
  readonly target: number
  /** True once it was met, even if `current` has fallen since. */
  readonly satisfied: boolean
}

export type AchievementFact =
  | {
      /** The kind of the reason; the other properties depend on it. */
      readonly type: 'completed'
      readonly achievement: string
      /** As the user's achievements say it. */
      readonly achievedAt: string
      /** The entry that completed it: the `eventId` of an event. */
      readonly entryId: string
      /**
       * `profile`: by a change of it. `kept`: completed once, and kept though what led to it has changed since.
       * `granted`: by a newer game. `support`: by support. `entry`: a criterion was met when another entry arrived.
       */
      readonly by: 'event' | 'profile' | 'claim' | 'kept' | 'granted' | 'support' | 'entry'
      /** The reason that support gave, or `null` if it is no longer known. */
      readonly reason?: string | null
      /** The event's metric, or `null` for the others. */
      readonly metric: string | null
      /** How often, of one that repeats; all else tells of the newest. */
      readonly count?: number
    }
  /** The completion is no longer valid, and the achievement can be completed again. */
  | { readonly type: 'expired'; readonly achievement: string; readonly expiredAt: string }
  | RuleFact
  /** The metric no longer takes events. */
  | { readonly type: 'metric_archived'; readonly metric: string }
  | {
      readonly type: 'metric_short'
      readonly metric: string
      /** With filters on events: of the matching ones. */
      readonly total: number
      readonly threshold: number
      /**
       * The least that one more event has to add, or `null` if the total is no sum, so that one event can reach the
       * threshold.
       */
      readonly missing: number | null
      readonly eventAttributes: readonly AttributeFilter[]
      /** If it adds up some consecutive local dates: how many. `total` is the best of them so far. */
      readonly withinDays?: number
    }
  /** Events of the metric that the filters let pass by. */
  | {
      readonly type: 'events_not_matching'
      readonly metric: string
      readonly count: number
      readonly newest: {
        readonly eventId: string
        readonly at: string
        readonly differences: readonly AttributeDifference[]
      }
    }
  /** Events that match the filters, from before the game had them. */
  | { readonly type: 'events_before_rule'; readonly metric: string; readonly count: number }
  /** Events of the metric that were voided. */
  | { readonly type: 'events_voided'; readonly metric: string; readonly count: number }
  /** Events of the metric that limits hold back. */
  | { readonly type: 'events_held'; readonly metric: string; readonly count: number }
  | {
      readonly type: 'streak_short'
      /** As it reads now. */
      readonly length: number
      readonly needed: number
      /** How many periods more have to count. */
      readonly missing: number
      readonly frequency: 'daily' | 'weekly' | 'monthly'
      /** Key of a named streak. */
      readonly key?: string
    }
  /**
   * Everything it asks for is there, but came when the user could not complete it. `next` says what completes it. `any`
   * is an event, a completion or a change of the profile; `attributes` lists the attributes that differ.
   */
  | { readonly type: 'reached'; readonly next: 'event_of_metric' | 'matching_event' | 'event' | 'any' | 'attributes' }
  | { readonly type: 'parts_missing'; readonly missing: readonly string[]; readonly completed: readonly string[] }
  /** The requirements of its criteria, and the criteria that the user has met. */
  | {
      readonly type: 'criteria'
      /** How many of them complete it. */
      readonly atLeast: number
      readonly criteria: readonly ExplainedCriterion[]
    }
  /** Support took it from the user, and only a grant completes it again. */
  | { readonly type: 'revoked'; readonly achievement: string; readonly at: string; readonly reason: string | null }
  /** `achievements.complete` completes it, and was not called for the user. */
  | { readonly type: 'not_claimed'; readonly achievement: string }

export type EventFact =
  | {
      readonly type: 'recorded'
      readonly eventId: string
      readonly metric: string
      readonly value: number
      readonly at: string
      /** The local date on which it counts, and the time of day, in the zone. */
      readonly date: string
      readonly time: string
      readonly zone: string
      /** Id of the API key that wrote it. */
      readonly by?: string
    }
  | { readonly type: 'recorded_late'; readonly at: string; readonly recordedAt: string }
  /** Later sends of this key are replays of the event: they change nothing. */
  | { readonly type: 'replayed'; readonly idempotencyKey: string; readonly eventId: string }
  /**
   * A limit of its metric held it back: it does nothing until it is approved. `limit` is the most that the dates may
   * add, or `null` if it is no longer known.
   */
  | Readonly<{ type: 'held'; metric: string; limit: { readonly value: number; readonly days: number } | null }>
  /** It was held back, and counts since then. */
  | { readonly type: 'approved'; readonly approvalId: string; readonly at: string }
  /** It stays in the log and no longer has an effect. */
  | { readonly type: 'voided'; readonly voidId: string; readonly at: string | null; readonly reason: string | null }
  | Readonly<{ type: 'total_changed'; metric: string; value: number; before: number; after: number }>
  /** `count`: how often with that, of one that repeats. */
  | { readonly type: 'achievement_completed'; readonly achievement: string; readonly count?: number }
  | {
      readonly type: 'points_awarded'
      readonly rule: ExplainedTrigger
      /** The points of the trigger, multiplied by boosts. */
      readonly due: number
      /** The boosts that multiplied it, the oldest first. Absent if nothing did. */
      readonly boosts?: readonly ExplainedBoost[]
      /** The points that were added. The total stays between 0 and `maxPoints`. */
      readonly awarded: number
      /** The system's total after it. */
      readonly total: number
    }
  /** Support gave or took points. `amount` is the requested change, and `awarded` is the change that was made. */
  | {
      readonly type: 'points_adjusted'
      readonly system: string
      readonly at: string
      readonly amount: number
      readonly awarded: number
      /** The system's total after it. */
      readonly total: number
      readonly reason: string | null
      /** Id of the API key that wrote it. */
      readonly by?: string
    }
  /** The points that caps and cooldowns removed from an award. */
  | {
      readonly type: 'points_held_back'
      readonly rule: ExplainedTrigger
      readonly due: number
      /** The points that remained. */
      readonly left: number
      /** The limits that removed points: the trigger's cooldown, its cap, the points system's cap. */
      readonly by: readonly ('cooldown' | 'trigger_cap' | 'system_cap')[]
      /** From when on the trigger could pay again, or `null` if a cap without a period is used up. */
      readonly resetsAt: string | null
    }
  /** Changes that time caused since the previous entry. They are stored with the event. */
  | {
      readonly type: 'points_by_time'
      readonly rule: ExplainedTrigger
      readonly due: number
      readonly awarded: number
      readonly total: number
    }
  /**
   * An award without any points left: the total stays between 0 and `maxPoints`, or boosts reduced it to less than 1.
   */
  | Readonly<{ type: 'points_clipped'; rule: ExplainedTrigger; due: number; boosts?: readonly ExplainedBoost[] }>
  | RuleFact
  /** The user had it already. */
  | { readonly type: 'completed_before'; readonly achievement: string; readonly achievedAt: string }
  | {
      readonly type: 'not_reached'
      readonly rule: ExplainedRule
      readonly metric: string
      /** The running total that the rule looks at, after the event. */
      readonly total: number
      /** The value to reach: a trigger's next step. */
      readonly threshold: number
      /** `null` if the total is no sum, so that one event can reach the threshold. */
      readonly missing: number | null
    }
  | StreakStepFact

/** How an event changed a streak, or why it did not. `key` is set for a named streak. */
export type StreakStepFact = { readonly key?: string } & (
  | { readonly type: 'streak_started'; readonly date: string; readonly length: 1 }
  | { readonly type: 'streak_extended'; readonly date: string; readonly length: number }
  /** The period counts, but more of them than time has passed for do not lengthen the streak. */
  | { readonly type: 'streak_held'; readonly date: string; readonly length: number }
  /** `lastCounted`: the first date of the last period that counted, which is this one or a later one. */
  | Readonly<{ type: 'streak_counted_already'; date: string; lastCounted: string; length: number }>
  | ({ readonly type: 'streak_not_reached' } & PeriodDates & StreakNeeds)
  /** The metric does not keep the streak. */
  | { readonly type: 'streak_other_metric'; readonly metric: string; readonly metrics: readonly string[] }
)

export type StreakFact =
  | ({
      readonly type: 'streak_counted'
      /** The length of the streak with this period. */
      readonly length: number
      /** True if the period counts without lengthening the streak (`streak_held`). */
      readonly isHeld: boolean
      /** The event by which it counted, and its instant. */
      readonly eventId: string
      readonly at: string
    } & PeriodDates &
      StreakNeeds)
  /** Nothing counted, and a freeze was consumed. */
  | ({ readonly type: 'streak_frozen'; readonly length: number; readonly freezesLeft: number } & PeriodDates)
  | (Readonly<{ type: 'streak_paused'; length: number; pause: Readonly<{ id: string; start: string; end: string }> }> &
      PeriodDates)
  /**
   * The streak of that length was lost, because the period lacked what `needs` says. `lostOn`: the first date without
   * it.
   */
  | ({ readonly type: 'streak_missed'; readonly length: number; readonly lostOn: string } & PeriodDates & StreakNeeds)
  /** Support reset the streak of that length in the period, and has not undone it. */
  | (Readonly<{ type: 'streak_reset'; at: string; date: string; length: number }> & PeriodDates)
  /** The host restored a streak over the period. */
  | ({ readonly type: 'streak_restored'; readonly at: string; readonly length: number } & PeriodDates)
  /** A change of zone passed over the period, and neither ended nor extended the streak. */
  | ({ readonly type: 'streak_moved' } & PeriodDates)
  /** No streak was running; `lost`: the one before, and the first date without it. `isReset`: support reset it. */
  | Readonly<{ type: 'streak_not_running'; lost: Readonly<{ length: number; lostOn: string; isReset?: true }> | null }>
  | ({ readonly type: 'streak_not_reached' } & PeriodDates & StreakNeeds)
  /** The period is not over. `length` is the length at stake; `until` is the instant at which the period ends. */
  | (Readonly<{ type: 'streak_open'; length: number; until: string; freezes: number }> & PeriodDates & StreakNeeds)
  | { readonly type: 'streak_disabled' }
  /** A day off, which did not extend the streak. */
  | { readonly type: 'date_neutral'; readonly date: string }
  /** Nothing is known of the user before. */
  | { readonly type: 'date_before_first'; readonly first: string }
  | { readonly type: 'date_in_future'; readonly today: string }
  /** The zone left the date out: it cannot be missed. */
  | { readonly type: 'date_not_in_zone'; readonly zone: string }

export type LeaderboardFact =
  /** The user's place in the run. `rank` is `null` beyond the first `maxParticipants`. `start`: the run's first date. */
  | Readonly<{ type: 'leaderboard_place'; leaderboard: string; start: string; rank: number | null; value: number }>
  /** Nothing that the user did counts in the run, or the streak is over. */
  | Readonly<{ type: 'leaderboard_no_score'; leaderboard: string; start: string }>
  /**
   * The user is on no place. `gamification`: the user turned the game off. `choice`: the user chose it. `consent`: the
   * leaderboard asks for consent, and the user has chosen nothing. `default`: the game hides users who have chosen nothing.
   */
  | { readonly type: 'leaderboard_hidden'; readonly by: 'gamification' | 'choice' | 'consent' | 'default' }
  /** Support suspended the user from leaderboards. */
  | { readonly type: 'leaderboard_suspended'; readonly since: string; readonly reason: string | null }
  /** Others see the place without its user. */
  | { readonly type: 'leaderboard_anonymous'; readonly by: 'choice' | 'default' }
  /** Other users see no places of the user's group, which needs `smallestGroup` participants. */
  | Readonly<{ type: 'leaderboard_small_group'; participants: number; smallestGroup: number }>

export type ChallengeFact =
  /** The user's current window: local dates, and the instant of its end. `null` without a beginning or an end. */
  | {
      readonly type: 'challenge_window'
      readonly challenge: string
      readonly start: string | null
      readonly end: string | null
      readonly endsAt: string | null
    }
  /** Nothing counts for the user now. `date`: the first date of one that has not begun, the last of one that is over. */
  | {
      readonly type: 'challenge_no_window'
      readonly challenge: string
      readonly why: 'not_enrolled' | 'not_begun' | 'over'
      readonly date: string | null
    }
  /** Why the window has these quests. `pool`: how many the pool has. `replaced`: how many the user replaced. */
  | {
      readonly type: 'quests_picked'
      readonly quests: readonly string[]
      readonly pool: number
      /** True if all users have the same quests. */
      readonly same: boolean
      readonly replaced: number
    }
  | {
      readonly type: 'quest_completed'
      /** Empty if the challenge has no pool, as in `quest_short`. */
      readonly quest: string
      readonly completedAt: string
      /** The entry that completed it: the `eventId` of an event. */
      readonly entryId: string
      readonly reward: 'given' | 'waits' | 'lost'
      /** The last local date on which a reward that waits can be claimed. */
      readonly claimUntil: string | null
    }
  | {
      readonly type: 'quest_short'
      readonly quest: string
      readonly atLeast: number
      /** True if a criterion counts only after the one before it is met. */
      readonly inOrder: boolean
      /** With the counts of the window; streaks, levels and the like may have been met before it. */
      readonly criteria: readonly ExplainedCriterion[]
    }

export type BalanceFact =
  /** The equation of the balance: `total` − `spent` − `expired` − `held` − `pending`. */
  | {
      readonly type: 'balance_sum'
      readonly system: string
      readonly total: number
      readonly spent: number
      readonly expired: number
      readonly held: number
      readonly pending: number
      readonly balance: number
    }
  /** Points were spent that a later correction took back. New points pay them first. */
  | { readonly type: 'balance_debt'; readonly amount: number }
  | {
      readonly type: 'balance_held'
      readonly id: string
      readonly amount: number
      readonly expiresAt: string
      readonly reference: string | null
    }
  | { readonly type: 'balance_pending'; readonly amount: number; readonly available: string }
  | { readonly type: 'balance_expiring'; readonly amount: number; readonly date: string }
  /** One of the newest movements. `points.statement` has all. */
  | {
      readonly type: 'balance_movement'
      readonly kind: PointsMovement['kind']
      readonly points: number
      readonly amount: number
      readonly balance: number
      readonly date: string
      readonly entryId: string
    }

export type Fact = AchievementFact | EventFact | StreakFact | LeaderboardFact | ChallengeFact | BalanceFact

type WithSentence<F> = F extends Fact ? F & { /** The same in English. */ readonly sentence: string } : never

/** Why a user has an achievement, or not. */
export type AchievementReason = WithSentence<AchievementFact>
/** A reason why an event had an effect, or had none. */
export type EventReason = WithSentence<EventFact>
/** A reason for the state of a streak in a period. */
export type StreakReason = WithSentence<StreakFact>
/** A reason why a user is on a leaderboard, or not. */
export type LeaderboardReason = WithSentence<LeaderboardFact>
/** A reason why a user has these quests, or why they are completed or not. */
export type ChallengeReason = WithSentence<ChallengeFact>
/** A reason why a balance has its amount. */
export type BalanceReason = WithSentence<BalanceFact>
/** One reason. `type` determines its properties. */
export type Reason =
  | AchievementReason
  | EventReason
  | StreakReason
  | LeaderboardReason
  | ChallengeReason
  | BalanceReason

/** The answer to `explain`, with its reasons. */
export interface Explanation<R extends Reason = Reason> {
  /** The question. */
  readonly subject: ExplainRequest
  /**
   * True if the user has the achievement, if the event counts, or if a streak continued through the period, which
   * counted or could not be missed. For a leaderboard, true if other users see a rank of the user. For a
   * challenge, true if all quests of the current window are completed. For a balance, true if it is above 0.
   */
  readonly holds: boolean
  readonly reasons: readonly R[]
}

/** The facts about one subject, before they are put into words. */
export interface Finding<F extends Fact> {
  readonly holds: boolean
  readonly facts: readonly F[]
}
