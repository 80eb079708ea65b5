import type { UserAchievement } from './achievements.ts'
import type { UserChallenge, UserQuest } from './challenges.ts'
import type { GameKeys, InstantText, Uuid } from './formats.ts'
import type { LeaderboardResponse, LeaderboardWithRankings } from './leaderboards.ts'
import type { PointsChange, PointsLevel } from './points.ts'
import type { Redemption } from './rewards.ts'
import type { Streak, UserStreak } from './streaks.ts'
import type { User } from './users.ts'
import type { PointsBalance, PointsMovement } from './wallets.ts'

interface AboutUser {
  /** The user right after the cause of the message. */
  readonly user: User
}

interface AboutStreak {
  /** Key of a named streak; absent if it is the game's `streak`. */
  readonly streakKey?: string
}

/** The challenge at the instant of the cause, and the quest of its window. */
interface AboutQuest<Keys extends GameKeys> {
  readonly challenge: UserChallenge<Keys>
  readonly quest: UserQuest<Keys>
}

/** Points that came or went, and what the user can spend right after it. */
interface AboutMovement {
  readonly movement: PointsMovement
  readonly balance: PointsBalance
}

interface AtInstant {
  /** ISO 8601. */
  readonly timestamp: string
}

/** A points system with a user's total, without what changed it. */
export type PointsTotal<Keys extends GameKeys = GameKeys> = Pick<
  PointsChange<Keys>,
  'id' | 'key' | 'name' | 'description' | 'badgeUrl' | 'maxPoints' | 'total'
>

/** A boost that has begun or ended. */
export interface MessageBoost {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'finished'
  /** The only user who has it, or `null` if all users have it. */
  readonly userId: string | null
  readonly pointsSystemId: string
  readonly pointsSystemKey: string
  readonly pointsSystemName: string
  readonly start: string
  /** `null` if it never ends. */
  readonly end: string | null
  readonly multiplier: number
  readonly rounding: 'down' | 'up' | 'nearest'
}

/** A leaderboard with a user's rank and value on it, now and before, or `null` if the user did not rank. */
export type RankedLeaderboard<Keys extends GameKeys = GameKeys> = LeaderboardResponse<Keys> & {
  readonly rank: number | null
  readonly value: number | null
  readonly previousRank: number | null
  readonly previousValue: number | null
  /** True if the user is anonymous on the leaderboard: do not show the message to other users. */
  readonly anonymous?: true
}

/** The payload of each type of message. */
export interface MessagePayloads<Keys extends GameKeys = GameKeys> {
  'user.created': AboutUser
  'achievement.completed': AboutUser & { readonly achievement: UserAchievement<Keys> }
  /** A completion has expired (`validFor`): `achievement.expiredAt` says when. */
  'achievement.expired': AboutUser & { readonly achievement: UserAchievement<Keys> }
  /**
   * The user's progress has reached a share that the achievement announces (`announce`). Sent once for each `share`.
   */
  'achievement.progressed': AboutUser & { readonly achievement: UserAchievement<Keys>; readonly share: number }
  /** The progress of a quest has reached a share that the challenge announces (`announce`). */
  'challenge.progressed': AboutUser & AboutQuest<Keys> & { readonly share: number }
  'challenge.completed': AboutUser & AboutQuest<Keys>
  /** The reward of a completed quest waits for `challenges.claim`, until `quest.claimUntil`. */
  'challenge.claimable': AboutUser & AboutQuest<Keys>
  /** A window that the user has begun and not completed ends soon (`ending`): `challenge.endsAt` says when. */
  'challenge.ending': AtInstant & AboutUser & { readonly challenge: UserChallenge<Keys> }
  'streak.started': AboutUser & AboutStreak & { readonly streak: Streak }
  'streak.extended': AboutUser & AboutStreak & { readonly streak: Streak }
  /** `length` is the length before the loss. */
  'streak.lost': AboutUser & AboutStreak & { readonly length: number }
  /** `freezes`: how many are left. */
  'streak.freeze_consumed': AboutUser & AboutStreak & { readonly consumed: number; readonly freezes: number }
  /** `freezes`: how many there are now. */
  'streak.freeze_earned': AboutUser & AboutStreak & { readonly earned: number; readonly freezes: number }
  /** At most one for each user and system in a quarter of an hour; `added` and `awards` cover all of that time. */
  'points.changed': AboutUser & { readonly points: PointsChange<Keys> }
  'points.level_changed': AboutUser & {
    readonly points: PointsTotal<Keys>
    /** `null` if the total was below every level. */
    readonly previousLevel: PointsLevel | null
    readonly newLevel: PointsLevel | null
  }
  /** Points were spent, or a hold was captured. */
  'points.spent': AboutUser & AboutMovement
  'points.refunded': AboutUser & AboutMovement
  /** Points expire in some days (`warn`). */
  'points.expiring': AtInstant &
    AboutUser & {
      readonly amount: number /** The first local date on which they are gone. */
      readonly date: string
      readonly balance: PointsBalance
    }
  'points.expired': AboutUser & AboutMovement
  /** A user has bought a reward of the catalogue. */
  'reward.redeemed': AboutUser & { readonly redemption: Redemption<Keys>; readonly balance: PointsBalance }
  'points.boost_started': AtInstant & { readonly boost: MessageBoost }
  'points.boost_finished': AtInstant & { readonly boost: MessageBoost }
  'leaderboard.started': { readonly leaderboard: LeaderboardWithRankings<Keys> }
  /** At most one for each leaderboard in a quarter of an hour, with the first ten. */
  'leaderboard.changed': { readonly leaderboard: LeaderboardWithRankings<Keys> }
  /** With the first ten. */
  'leaderboard.finished': { readonly leaderboard: LeaderboardWithRankings<Keys> }
  /**
   * At most one for each user and leaderboard in a quarter of an hour: for the first hundred users whenever their rank
   * changes, and for other users when they act themselves.
   */
  'leaderboard.rank_changed': AboutUser & { readonly leaderboard: RankedLeaderboard<Keys> }
  /** First and last date of the period of the recap. */
  'emails.recap_due': AtInstant &
    AboutUser & { readonly recap: { readonly periodStart: string; readonly periodEnd: string } }
  'emails.reactivation_due': AtInstant &
    AboutUser & { readonly reactivation: { readonly messageNumber: number; readonly daysSinceLastActive: number } }
  'emails.streak_reminder_due': AtInstant & AboutUser & AboutStreak & { readonly streak: UserStreak }
  'emails.achievement_due': AtInstant & AboutUser & { readonly achievement: UserAchievement<Keys> }
}

/** Types of messages that can be revoked, after a late event, a void, or a revoked achievement. */
export type RevocableType =
  | 'achievement.completed'
  | 'streak.started'
  | 'streak.extended'
  | 'streak.lost'
  | 'streak.freeze_consumed'
  | 'streak.freeze_earned'
  | 'points.level_changed'

export type MessageType = keyof MessagePayloads | `${RevocableType}.revoked`

/** The data of a type of message. A message that revokes another has the other's data. */
export type MessageData<Type extends MessageType, Keys extends GameKeys = GameKeys> = Type extends keyof MessagePayloads
  ? MessagePayloads<Keys>[Type]
  : Type extends `${infer Revoked extends RevocableType}.revoked`
    ? MessagePayloads<Keys>[Revoked]
    : never

interface MessageOf<Type extends MessageType, Keys extends GameKeys> {
  /** Made from the cause of the message and its content. A message that is delivered again has the same id. */
  readonly id: Uuid
  readonly type: Type
  /** When it happened. */
  readonly at: InstantText
  /** `null` in a game without tenants, and for messages about all tenants. */
  readonly tenant: string | null
  /** `null` if it is about no single user. */
  readonly userId: string | null
  /**
   * The payload, by type.
   *
   * @open
   */
  readonly data: MessageData<Type, Keys>
}

/**
 * A message for a subscription. `type` determines the shape of `data`.
 *
 * @open
 */
export type GamificationMessage<Type extends MessageType = MessageType, Keys extends GameKeys = GameKeys> = {
  readonly [Each in Type]: MessageOf<Each, Keys>
}[Type]
