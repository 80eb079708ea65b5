import type * as Rules from '../rules/game.ts'
import type { Rounding } from '../rules/game.ts'
import type { CriterionDefinition, Declared, NoAchievements, NoSystems } from './definition-parts.ts'

/** The metric that counts the completed windows of a challenge. */
export type ChallengeMetric<Q extends string> = `challenge:${Q}`

/** The reward of a quest. Boosts, caps and cooldowns do not apply to the points. */
export interface RewardDefinition<P extends string = string, A extends string = string> {
  /** By points system: whole numbers from 1. */
  readonly points?: { readonly [System in P]?: number }
  /** An achievement with the trigger `api`. */
  readonly achievement?: Declared<A, NoAchievements>
  /** Freezes of the game's `streak`, up to its `max`. */
  readonly freezes?: number
  /** A boost of the user alone, on `days` local dates from the date of the reward on. */
  readonly boost?: {
    readonly system: Declared<P, NoSystems>
    readonly name: string
    readonly multiplier: number
    /** Default `down`. */
    readonly rounding?: Rounding
    readonly days: number
  }
}

/** A task of one window. */
export interface QuestDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /**
   * 1 to 20 criteria. Metrics and events count within the window only. The others are met if they are met in the window
   * or before.
   */
  readonly of: readonly CriterionDefinition<M, A, EA, S, P, V>[]
  /** How many of the criteria a user must meet, from 1. Default: all of them. */
  readonly atLeast?: number
  /** True if a criterion counts only after the one before it is met. Default false. */
  readonly inOrder?: boolean
  readonly reward?: RewardDefinition<P, A>
}

interface ChallengeBase {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** Begins a new window every local day, week or month of the user. Default: one window. */
  readonly every?: Rules.ChallengeEvery
  /** The first and the last local date of each user, `YYYY-MM-DD`. */
  readonly start?: string
  readonly end?: string
  /** `manual`: only users who called `challenges.enrol` take part. Default: everybody does. */
  readonly enrol?: 'manual'
  /** How many local dates the window has from the enrolment on: 1 to 366. For `enrol: 'manual'`, without `every`. */
  readonly within?: { readonly days: number }
  /**
   * The reward waits for `challenges.claim`, on the date of the completion and this many dates after it (1 to 31). Then
   * it is lost. Default: it is given at once.
   */
  readonly claim?: { readonly within: { readonly days: number } }
  /** Publishes `challenge.progressed` when a user's progress reaches one of these shares, as for achievements. */
  readonly announce?: readonly number[]
  /**
   * Publishes `challenge.ending` this many hours before the end of a window that the user has begun and not completed: 1
   * to 720.
   */
  readonly ending?: { readonly before: { readonly hours: number } }
}

/** A challenge with quests of a type. */
export type ChallengeOf<Quest> = ChallengeBase &
  (
    | (Quest & {
        readonly pool?: never
        readonly pick?: never
        readonly same?: never
        readonly rerolls?: never
      })
    | {
        /** The quests by key, at most 100. */
        readonly pool: { readonly [key: string]: Quest }
        /** How many of the quests each window has. A hash of the user and the window chooses them. */
        readonly pick: number
        /** `everyone`: all users have the same quests. Default `each`. */
        readonly same?: 'each' | 'everyone'
        /** How often a user may replace a quest in each window: 0 to 10. Default 0. */
        readonly rerolls?: number
        readonly of?: never
        readonly atLeast?: never
        readonly inOrder?: never
        readonly reward?: never
      }
  )

/** A task with a reward, in windows of the user's local dates. */
export type ChallengeDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> = ChallengeOf<QuestDefinition<M, A, EA, S, P, V>>
