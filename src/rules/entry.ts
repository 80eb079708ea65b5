import type { Day, Instant, Weekday } from './calendar.ts'
import type { EvaluationMode, LeaderboardChoice, Reward, Rounding } from './game.ts'
import type { Lot } from './wallet.ts'

/**
 * Fields of the user that a call sets. Absent fields stay unchanged, null clears a field, and attributes are merged key
 * by key.
 */
export interface ProfilePatch {
  readonly email?: string | null
  readonly name?: string | null
  readonly tz?: string | null
  readonly subscribedToEmails?: boolean
  readonly deviceTokens?: readonly string[] | null
  /** A local date. */
  readonly signUpDate?: Day | null
  readonly attributes?: ReadonlyMap<string, string>
}

/** A user's own settings of the streak; absent for the game's settings. An entry names only the settings it changes. */
export interface PersonalStreak {
  readonly enabled?: boolean
  readonly evaluationMode?: EvaluationMode
  readonly metrics?: ReadonlyMap<string, number | null>
  /** The days that count in a daily streak, from the date after they were chosen. */
  readonly on?: readonly Weekday[]
}

export type NotificationType = 'achievement_completed' | 'recap' | 'reactivation' | 'streak_reminder'
export type Channel = 'email' | 'push'
export type Notifications = ReadonlyMap<NotificationType, readonly Channel[]>

/** The local time of an event: the user's local date and time of day in the zone that the entry was dated in. */
export interface Dating {
  /** As the user's profile named it, `UTC` if it named none. */
  readonly zone: string
  readonly date: Day
  /** Milliseconds since the local midnight, by the wall clock. */
  readonly time: number
}

export interface EntryBase {
  /** A UUID, made before the entry is stored. It never changes. */
  readonly id: string
  /** Order of arrival in the user's log, from 1 without gaps. The log's order is (at, seq). */
  readonly seq: number
  readonly at: Instant
  /** The clock when it was recorded; differs from `at` for imports and offline clients. */
  readonly recordedAt: Instant
  readonly epoch: number
  readonly dating: Dating
  /** Fields of the user that the same call sets; they take effect before the rest. */
  readonly profile: ProfilePatch | null
  /** Id of the API key that wrote it. Absent if none did, for it came in-process or from a session. */
  readonly by?: string
}

export interface UserUpserted {
  readonly kind: 'userUpserted'
  readonly own?: true
}

export interface EventRecorded {
  readonly kind: 'eventRecorded'
  readonly metric: string
  readonly value: number
  readonly attributes: ReadonlyMap<string, string>
  readonly idempotencyKey: string | null
  /**
   * The new value for a metric with the aggregation `distinct` (`distinctValue`). Empty if the value is not new. Absent
   * if the event is void, or the metric has another aggregation.
   */
  readonly newValue?: string
  /**
   * Id of the entry that voided it: it stays in the log and no longer has an effect. If it is the event's own id, the
   * event is held back, and has no effect until it is approved (`isHeld`). Absent if the event counts.
   */
  readonly voidedBy?: string
}

export interface AchievementClaimed {
  readonly kind: 'achievementClaimed'
  readonly achievement: string
  /** Another claim with this key is the same one. Absent if it was made without. */
  readonly idempotencyKey?: string
}

export interface PreferencesChanged {
  readonly kind: 'preferencesChanged'
  /** `null` if the user's own choice was cleared. */
  readonly notifications: ReadonlyMap<NotificationType, readonly Channel[] | null>
  /** `null` if the user's own settings were cleared. */
  readonly streak?: PersonalStreak | null
  /** `null` if the user's own choice was cleared. */
  readonly leaderboards?: LeaderboardChoice | null
  readonly gamification?: 'on' | 'off'
  readonly own?: true
}

/** Keeps a completion that a replay would otherwise lose. */
export interface CompletionKept {
  readonly kind: 'completionKept'
  readonly achievement: string
  readonly count?: number
}

export interface FreezesGranted {
  readonly kind: 'freezesGranted'
  readonly count: number
  readonly streakKey?: string
}

/** A pause. Its id is the id of the entry. */
export interface PauseCreated {
  readonly kind: 'pauseCreated'
  readonly start: Day
  readonly end: Day
}

export interface PauseDeleted {
  readonly kind: 'pauseDeleted'
  readonly pause: string
}

export interface StreakRestored {
  readonly kind: 'streakRestored'
  readonly streakKey?: string
}

/** Support ends a streak at once. A restoration gives it back. */
export interface StreakWasReset {
  readonly kind: 'streakReset'
  readonly streakKey?: string
}

/** The line of the event has the id of this entry as `voidedBy`, so that a replay knows that it is void. */
export interface EventVoided {
  readonly kind: 'eventVoided'
  readonly event: string
  readonly reason: string | null
  /** True if achievements that the user has not reached without the event were taken back. */
  readonly revokes: boolean
}

/** From then on the event, which was held back, counts at its own place: its `voidedBy` is gone. */
export interface EventApproved {
  readonly kind: 'eventApproved'
  readonly event: string
}

/** Rewards that a newer game grants for earlier activity (`StoredGame.policy`). */
export interface Granted {
  readonly kind: 'granted'
  readonly achievements: readonly string[]
  /** Only for achievements that repeat: how often they are then completed. */
  readonly counts?: readonly GrantedCount[]
  readonly points: readonly GrantedPoints[]
}

export interface GrantedCount {
  readonly achievement: string
  readonly count: number
}

export type SuspendedFrom = 'leaderboards'

/** From this entry until `userRestored`, leaderboards hide the user, including earlier entries. */
export interface UserSuspended {
  readonly kind: 'userSuspended'
  readonly from: readonly SuspendedFrom[]
  readonly reason: string | null
}

/** As if the user had never been suspended. */
export interface UserRestored {
  readonly kind: 'userRestored'
}

export interface BoostGiven {
  readonly kind: 'boostGiven'
  readonly system: string
  readonly name: string
  readonly start: Day
  readonly end: Day | null
  readonly multiplier: number
  readonly rounding: Rounding
}

/** Absent members stay unchanged. Awards before the entry stay too. */
export interface BoostChanged {
  readonly kind: 'boostChanged'
  readonly boost: string
  readonly name?: string
  readonly start?: Day
  readonly end?: Day | null
  readonly multiplier?: number
  readonly rounding?: Rounding
}

/** Deletes a boost. Points that it has paid stay. */
export interface BoostDeleted {
  readonly kind: 'boostDeleted'
  readonly boost: string
}

export interface GrantedPoints {
  readonly system: string
  readonly trigger: string
  readonly points: number
}

/** Points that support gives, or takes if negative. Boosts, caps and cooldowns do not apply. */
export interface PointsAdjusted {
  readonly kind: 'pointsAdjusted'
  readonly system: string
  /** Whole points, before the total is clipped to 0 and `maxPoints`. */
  readonly amount: number
  readonly reason: string | null
  /** Another adjustment of the user with this key is the same one. Absent if it was made without. */
  readonly idempotencyKey?: string
  /**
   * For a negative amount of a spendable system: lowers what was earned, too. Without it, only the balance is lower, and
   * at least 0.
   */
  readonly fromEarned?: true
}

/** The id of the entry is the id of the spend. */
export interface PointsSpent {
  readonly kind: 'pointsSpent'
  readonly system: string
  /** Whole points from 1. */
  readonly amount: number
  readonly reference?: string
  readonly idempotencyKey?: string
}

/** The id of the entry is the id of the hold. */
export interface PointsHeld {
  readonly kind: 'pointsHeld'
  readonly system: string
  /** Whole points from 1. */
  readonly amount: number
  readonly until: Instant
  readonly reference?: string
  readonly idempotencyKey?: string
}

/** Spends a part of a hold, and releases the rest. The id of the entry is the id of the spend. */
export interface HoldCaptured {
  readonly kind: 'holdCaptured'
  readonly hold: string
  /** Whole points from 1, or all of the hold if it is absent. */
  readonly amount?: number
  readonly idempotencyKey?: string
}

export interface HoldReleased {
  readonly kind: 'holdReleased'
  readonly hold: string
}

/** A spend as an entry about it finds it. The log does not store it: it follows from the entries before. */
export interface Spend {
  readonly system: string
  readonly amount: number
  /** The parts that it took from lots, in their order. The rest of its amount made or increased a debt. */
  readonly lots: readonly Lot[]
  /** How much of it was refunded before. */
  readonly refunded: number
}

export interface PointsRefunded {
  readonly kind: 'pointsRefunded'
  readonly spend: string
  /** Whole points from 1. */
  readonly amount: number
  readonly idempotencyKey?: string
  /** Absent if the user has no such spend. The fold sets it. */
  readonly of?: Spend
}

/** A spend for a reward, with what the reward gave then. The id of the entry is the id of the redemption and the spend. */
export interface RewardRedeemed {
  readonly kind: 'rewardRedeemed'
  readonly reward: string
  readonly system: string
  readonly amount: number
  readonly gives: Omit<Reward, 'points'>
  /** True if the reward had a stock then, from which it was taken. */
  readonly stocked?: true
  readonly idempotencyKey?: string
}

/** A redemption as a later entry about it names it. It never changes. */
export interface Redeemed {
  readonly reward: string
  readonly system: string
  readonly amount: number
  readonly at: Instant
  readonly stocked?: true
}

/** A redemption is fulfilled or cancelled once. */
export interface RedemptionFulfilled {
  readonly kind: 'redemptionFulfilled'
  readonly redemption: string
  readonly redeemed: Redeemed
}

/** Refunds what is left of the spend, and gives a stock back. */
export interface RedemptionCancelled {
  readonly kind: 'redemptionCancelled'
  readonly redemption: string
  readonly redeemed: Redeemed
  /** As in `PointsRefunded`. */
  readonly of?: Spend
}

/** Completed by support, again if it repeats. */
export interface AchievementGranted {
  readonly kind: 'achievementGranted'
  readonly achievement: string
  readonly reason: string | null
}

/** All completions of the achievement are gone, and only grants complete it again. */
export interface AchievementRevoked {
  readonly kind: 'achievementRevoked'
  readonly achievement: string
  readonly reason: string | null
}

/** The user takes part in a challenge that asks for it. */
export interface ChallengeEnrolled {
  readonly kind: 'challengeEnrolled'
  readonly challenge: string
}

export interface ChallengeAbandoned {
  readonly kind: 'challengeAbandoned'
  readonly challenge: string
}

/** Gives the reward that waits in the newest window. */
export interface ChallengeClaimed {
  readonly kind: 'challengeClaimed'
  readonly challenge: string
  /** Empty if the challenge has no pool. */
  readonly quest: string
}

/** Replaces a quest of the current window for which nothing has counted yet. */
export interface ChallengeReplaced {
  readonly kind: 'challengeReplaced'
  readonly challenge: string
  readonly quest: string
  /** Another replacement of the user with this key is the same one. Absent if it was made without. */
  readonly idempotencyKey?: string
}

/** Keeps a completed quest of a window that a replay would otherwise lose. */
export interface ChallengeKept {
  readonly kind: 'challengeKept'
  readonly challenge: string
  readonly quest: string
  readonly start: Day
  readonly end: Day | null
}

/** The only line in the log of a merged user: all others are in the log of the user that continues. */
export interface UserMerged {
  readonly kind: 'userMerged'
  readonly into: string
}

export type EntryBody =
  | UserUpserted
  | EventRecorded
  | AchievementClaimed
  | PreferencesChanged
  | CompletionKept
  | FreezesGranted
  | PauseCreated
  | PauseDeleted
  | StreakRestored
  | StreakWasReset
  | EventVoided
  | EventApproved
  | Granted
  | UserMerged
  | UserSuspended
  | UserRestored
  | BoostGiven
  | BoostChanged
  | BoostDeleted
  | PointsAdjusted
  | AchievementGranted
  | AchievementRevoked
  | ChallengeEnrolled
  | ChallengeAbandoned
  | ChallengeClaimed
  | ChallengeReplaced
  | ChallengeKept
  | PointsSpent
  | PointsHeld
  | HoldCaptured
  | HoldReleased
  | PointsRefunded
  | RewardRedeemed
  | RedemptionFulfilled
  | RedemptionCancelled
export type EntryKind = EntryBody['kind']

export type EntryOf<Kind extends EntryKind> = Extract<Entry, { readonly kind: Kind }>

export type Entry = EntryBase & EntryBody

export type HeldEntry = Entry & EventRecorded & { readonly voidedBy: string }

/** True if an entry is an event that is held back until it is approved or voided. */
export function isHeld(entry: Entry): entry is HeldEntry {
  return entry.kind === 'eventRecorded' && entry.voidedBy === entry.id
}

export function holdEvent(event: Entry & EventRecorded): Entry & EventRecorded {
  return { ...event, voidedBy: event.id }
}

export function approvedEvent(event: Entry & EventRecorded): Entry & EventRecorded {
  const { voidedBy, ...counting } = event
  return counting
}
