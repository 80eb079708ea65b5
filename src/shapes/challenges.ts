import type { AchievementCriterion, AchievementProgress } from './achievements.ts'
import type { Count, DateText, GameKeys, InstantText, Positive, Uuid } from './formats.ts'

/** The reward of a completed quest. */
export interface ChallengeReward<Keys extends GameKeys = GameKeys> {
  readonly points?: readonly { readonly system: Keys['points']; readonly name: string; readonly points: number }[]
  readonly achievement?: Keys['achievements']
  /** Set with `achievement`. */
  readonly achievementName?: string
  /** Freezes of the game's streak. */
  readonly freezes?: Count
  /** A boost of the user alone. */
  readonly boost?: {
    readonly system: Keys['points']
    readonly name: string
    readonly multiplier: number
    /** The number of local dates. */
    readonly days: Positive
  }
}

/** One task of a challenge. */
export interface ChallengeQuest<Keys extends GameKeys = GameKeys> {
  /** Its key in the pool. Empty if the challenge has no pool. */
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** How many of the criteria complete it. */
  readonly atLeast: Positive
  /** True if a criterion counts only after the one before it is met. */
  readonly inOrder: boolean
  readonly criteria: readonly AchievementCriterion<Keys>[]
  readonly reward: ChallengeReward<Keys>
}

/** A challenge of the game, with how many users took part. */
export interface Challenge<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  readonly key: Keys['challenges']
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** How often a window begins, or `null` if there is one window. */
  readonly every: 'day' | 'week' | 'month' | null
  /** The first local date. */
  readonly start: DateText | null
  readonly end: DateText | null
  /** True if only users who enrolled take part. */
  readonly enrols: boolean
  /** How many local dates a window has from the enrolment on. */
  readonly withinDays: Positive | null
  /** For how many local dates after the completion a reward waits to be claimed, or `null` if it is given at once. */
  readonly claimDays: Positive | null
  /** How many quests of the pool each window has, or `null` if there is no pool. */
  readonly pick: Positive | null
  /** How many quests a user may replace in each window. */
  readonly rerolls: Count
  readonly quests: readonly ChallengeQuest<Keys>[]
  /** The number of users for whom something has counted. */
  readonly participants: Count
  /** The number of users who completed a window, or a quest of one. */
  readonly completed: Count
}

/** A quest of a user's window. */
export interface UserQuest<Keys extends GameKeys = GameKeys> {
  /** Its key in the pool. Empty if the challenge has no pool. */
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  readonly reward: ChallengeReward<Keys>
  /** Absent once the quest is completed. */
  readonly progress?: AchievementProgress
  readonly completedAt: InstantText | null
  /** True if the reward was given. */
  readonly claimed: boolean
  /** The last local date on which the reward can be claimed, or `null` if it does not wait. */
  readonly claimUntil: DateText | null
}

/** A quest of an earlier window whose reward waits to be claimed. */
export interface WaitingQuest<Keys extends GameKeys = GameKeys> extends UserQuest<Keys> {
  readonly window: ChallengeWindow
}

/** A window: local dates of the user, both included. */
export interface ChallengeWindow {
  /** `null` if the window has no beginning. */
  readonly start: DateText | null
  readonly end: DateText | null
}

/** A quest in which an event changed something. */
export interface MovedQuest<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  /** Key of the challenge. */
  readonly key: Keys['challenges']
  readonly name: string
  readonly window: ChallengeWindow
  readonly quest: UserQuest<Keys>
}

/** A challenge as a user has it now. */
export interface UserChallenge<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  readonly key: Keys['challenges']
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** How often a window begins, or `null` if there is one window. */
  readonly every: 'day' | 'week' | 'month' | null
  /** The current window, or `null` if there is none: it has not begun, is over, or the user has not enrolled. */
  readonly window: ChallengeWindow | null
  /** When the window ends for the user, or `null` if it does not end. */
  readonly endsAt: InstantText | null
  readonly enrolledAt: InstantText | null
  /** When the last quest of the window was completed, or `null` if one is open. */
  readonly completedAt: InstantText | null
  /** True if the user can enrol now, and does not take part yet. */
  readonly canEnrol: boolean
  /** How many quests the user may still replace in this window. */
  readonly rerollsLeft: Count
  /** Keys of the quests that the user can replace now. */
  readonly replaceable: readonly string[]
  /** The quests of the window. Without a pool there is one. */
  readonly quests: readonly UserQuest<Keys>[]
  /** Quests of earlier windows whose rewards wait to be claimed. */
  readonly waiting: readonly WaitingQuest<Keys>[]
}
