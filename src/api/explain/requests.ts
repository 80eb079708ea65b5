import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { date, gameKey, optional, text } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

/** The subject of an explanation: one of the six. */
export type ExplainRequest<
  Metric extends string = string,
  Achievement extends string = string,
  Streak extends string = string,
  Leaderboard extends string = string,
  Challenge extends string = string,
  System extends string = string,
> =
  | ExplainAchievement<Achievement>
  | ExplainEvent<Metric>
  | ExplainStreak<Streak>
  | ExplainLeaderboard<Leaderboard>
  | ExplainChallenge<Challenge>
  | ExplainBalance<System>

/** Why the user has the achievement, or not. */
export interface ExplainAchievement<Achievement extends string = string> {
  readonly achievement: Achievement
}

/** Asks what an event changed and which rules ignored it. The event is named by its id or its idempotency key. */
export interface ExplainEvent<Metric extends string = string> {
  readonly event: string | { readonly metric: Metric; readonly idempotencyKey: string }
}

/** Asks what happened to the streak in the period of a local date, `YYYY-MM-DD`. */
export interface ExplainStreak<Streak extends string = string> {
  readonly streak: string
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly key?: Streak
}

/** Asks why the user is on a leaderboard, or not. */
export interface ExplainLeaderboard<Leaderboard extends string = string> {
  readonly leaderboard: Leaderboard
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
}

/** Asks why the user has these quests of a challenge now, and why they are completed or not. */
export interface ExplainChallenge<Challenge extends string = string> {
  readonly challenge: Challenge
}

/** Asks why the user's balance of a spendable points system has its amount. */
export interface ExplainBalance<System extends string = string> {
  readonly balance: System
}

export type ParsedSubject =
  | ExplainAchievement
  | ExplainBalance
  | ExplainChallenge
  | ExplainEvent
  | { readonly streak: Day; readonly key?: string }
  | { readonly leaderboard: string; readonly run?: Day }

const MISTAKE =
  'must be { achievement }, { event } with an id or { metric, idempotencyKey }, { streak } with a YYYY-MM-DD, { leaderboard }, { challenge }, or { balance }'

const ofAchievement = z.strictObject({ achievement: text(255) })
true satisfies Takes<typeof ofAchievement, ExplainAchievement>

const ofEvent = z.strictObject({
  event: z.union([text(255), z.strictObject({ metric: gameKey, idempotencyKey: z.string() })]),
})
true satisfies Takes<typeof ofEvent, ExplainEvent>

const ofStreak = z.strictObject({ streak: date, key: text(255).exactOptional() })
true satisfies Takes<typeof ofStreak, ExplainStreak>

const ofLeaderboard = z.strictObject({ leaderboard: text(255), run: date.exactOptional() })
true satisfies Takes<typeof ofLeaderboard, ExplainLeaderboard>

const ofChallenge = z.strictObject({ challenge: text(255) })
true satisfies Takes<typeof ofChallenge, ExplainChallenge>

const ofBalance = z.strictObject({ balance: text(255) })
true satisfies Takes<typeof ofBalance, ExplainBalance>

export const explainRequest: z.ZodType<ParsedSubject> = z.union(
  [ofAchievement, ofEvent, ofStreak, ofLeaderboard, ofChallenge, ofBalance],
  { error: MISTAKE },
)

const SUBJECTS = ['achievement', 'event', 'date', 'leaderboard', 'challenge', 'balance'] as const

export const explainQuery: z.ZodType = z
  .strictObject({
    achievement: optional(text(255)).meta({ description: 'Key of an achievement.', example: 'novelist' }),
    event: optional(text(255)).meta({ description: 'Id of an event.' }),
    date: optional(date).meta({ description: 'A local date of the user, `YYYY-MM-DD`.', example: '2026-03-10' }),
    streak: optional(text(255)).meta({
      description: "With `date`: key of a named streak. Default: the game's `streak`.",
    }),
    leaderboard: optional(text(255)).meta({ description: 'Key of a leaderboard.' }),
    challenge: optional(text(255)).meta({ description: 'Key of a challenge.' }),
    balance: optional(text(255)).meta({ description: 'Key of a spendable points system.' }),
    run: optional(date).meta({
      description: 'With `leaderboard`: a date in the run, `YYYY-MM-DD`. Default: the current run.',
    }),
  })
  .refine((query) => SUBJECTS.filter((name) => query[name] !== undefined).length === 1, {
    error: 'must have one of achievement, event, date, leaderboard, challenge and balance',
  })
  .refine(({ date: on, streak: key }) => key === undefined || on !== undefined, {
    path: ['streak'],
    error: 'is looked at on a date: send date too',
  })
  .refine(({ leaderboard, run }) => run === undefined || leaderboard !== undefined, {
    path: ['run'],
    error: 'is one of a leaderboard: send leaderboard too',
  })

export function toExplainRequest(query: { readonly [name: string]: unknown }): ExplainRequest {
  const { achievement: named, event: id, date: on, streak: key, leaderboard, run, challenge, balance } = query
  if (typeof named === 'string') return { achievement: named }
  if (typeof id === 'string') return { event: id }
  if (typeof leaderboard === 'string') return { leaderboard, ...(typeof run === 'string' ? { run } : {}) }
  if (typeof challenge === 'string') return { challenge }
  if (typeof balance === 'string') return { balance }
  return { streak: String(on), ...(typeof key === 'string' ? { key } : {}) }
}
