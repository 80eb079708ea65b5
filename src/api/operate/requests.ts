import { z } from 'zod'
import { GamificationError, type Issue, isGamificationError } from '../../errors.ts'
import { type DefinedGame, defineGame } from '../../game/define-game.ts'
import type { GameDefinition } from '../../game/definition.ts'
import { entriesOf, itemsOf, type Maybe, propertyOf } from '../../game/json.ts'
import type { Day } from '../../rules/calendar.ts'
import { date, optional, type Parsed, upTo, userId } from '../input.ts'

export interface ActivityRequest {
  /** The first and the last date in UTC, `YYYY-MM-DD`, both included; at most 92 days. */
  readonly from: string
  readonly to: string
}

export interface GamesRequest {
  /** 1 to 20. Default: 10. */
  readonly limit?: number
  /** `before` of the answer before: games of lower epochs. */
  readonly before?: number
}

/** How far a walk over the users is. */
export interface WalkProgress {
  /** Users looked at. */
  readonly users: number
  /** Entries of their logs, folded. */
  readonly entries: number
  /** The user looked at last, after whom a walk may go on; null: all have been. */
  readonly last: { readonly tenant: string; readonly user: string } | null
}

export interface AuditOptions {
  /** Only these; counters and blocks are then left out. Default: all users of all tenants. */
  readonly users?: readonly string[]
  /** The tenant of `users`, in a game with `multiTenant`. */
  readonly tenant?: string
  /** Continues after this user, as `onProgress` reported it. Counters and blocks are still looked at. */
  readonly after?: { readonly tenant: string; readonly user: string }
  /** Called after each user. */
  readonly onProgress?: (progress: WalkProgress) => void
  /** Ends it between two users; what was done stays done. */
  readonly signal?: AbortSignal
}

export interface VerifyOptions extends AuditOptions {
  /** Looks at so many users only, drawn evenly each time; counters and blocks are then left out. Default: all. */
  readonly sample?: number
}

export interface WhatIfOptions extends Omit<AuditOptions, 'after'> {
  /** Looks at this share of the users only, above 0 and at most 1; the same ones each time. Default: all. */
  readonly sample?: number
}

export type ApplyPolicy = 'forward' | 'grant' | 'recompute'

export interface ApplyOptions extends Pick<AuditOptions, 'after' | 'onProgress' | 'signal'> {
  /**
   * `forward`: the new rules count from now on. `grant`: what they would have given for the past is given, and nothing is
   * taken away. `recompute`: everything becomes as if the new game had always been there. Default: `forward`.
   */
  readonly policy?: ApplyPolicy
}

const MOST_DAYS = 92

export const activityRequest: z.ZodType<{ readonly from: Day; readonly to: Day }> = z
  .strictObject({
    from: date.meta({ description: 'The first date, `YYYY-MM-DD`.', example: '2026-03-01' }),
    to: date.meta({ description: 'The last date, at most 91 days later.', example: '2026-03-31' }),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => to - from < MOST_DAYS, {
    path: ['from'],
    error: `must be at most ${MOST_DAYS - 1} days before to: ask for the days before in another request`,
  })

export const gamesRequest: z.ZodType<Parsed<GamesRequest, 'limit'>> = z.strictObject({
  before: optional(z.int().min(1)).meta({ description: '`before` of the answer before.' }),
  limit: upTo(20, 10).meta({ description: 'How many, 1 to 20. Default 10.' }),
})

const control = {
  after: optional(z.strictObject({ tenant: z.string().max(255), user: z.string().max(255) })),
  onProgress: optional(
    z.custom<(progress: WalkProgress) => void>((value) => typeof value === 'function', 'must be a function'),
  ),
  signal: optional(z.instanceof(AbortSignal)),
}
/** A call that looks at more users looks at all of them. */
const MOST_USERS = 10_000

const users = optional(z.array(userId).max(MOST_USERS))
const someUsers = { users, tenant: z.string().max(255).default('') }
const share = z.number().positive('must be above 0').max(1, 'must be at most 1')
const policy = z.enum(['forward', 'grant', 'recompute'])

/** How many users are drawn. */
const sampleSize = z.number().int('must be a whole number').min(1, 'must be at least 1')

export const auditOptions: z.ZodType<Parsed<AuditOptions, 'tenant'>> = z.strictObject({ ...someUsers, ...control })

export const verifyOptions: z.ZodType<Parsed<VerifyOptions, 'tenant'>> = z.strictObject({
  ...someUsers,
  ...control,
  sample: optional(sampleSize),
})

export const whatIfOptions: z.ZodType<Parsed<WhatIfOptions, 'tenant' | 'sample'>> = z.strictObject({
  ...someUsers,
  onProgress: control.onProgress,
  signal: control.signal,
  sample: share.default(1),
})

export const applyOptions: z.ZodType<Parsed<ApplyOptions, 'policy'>> = z.strictObject({
  ...control,
  policy: policy.default('forward'),
})

// Bodies of requests that walk over the users.

interface AuditBody {
  readonly users?: readonly string[] | undefined
}

interface SampledBody extends AuditBody {
  readonly sample?: number | undefined
}

interface ApplyBody extends Pick<Parsed<ApplyOptions, 'policy'>, 'after' | 'policy'> {
  readonly definition: unknown
}

/** `readGameDefinition` reads it and reports every mistake. */
const definition = z.unknown().meta({ type: 'object', description: 'A game, as `defineGame` takes it.' })

export const auditBody: z.ZodType<AuditBody> = z.strictObject({ users })

export const verifyBody: z.ZodType<SampledBody> = z.strictObject({ users, sample: optional(sampleSize) })

export const whatIfBody: z.ZodType<SampledBody & Pick<ApplyBody, 'definition'>> = z.strictObject({
  definition,
  users,
  sample: optional(share),
})

export const applyBody: z.ZodType<ApplyBody> = z.strictObject({
  definition,
  policy,
  // In a game without tenants the tenant is empty.
  after: optional(z.strictObject({ tenant: z.string().max(255), user: userId })),
})

/** How many mistakes a refusal has, how many of them its message has, and how many bytes of JSON either may take. */
const MOST_ISSUES = 20
const MOST_IN_MESSAGE = 3
const MOST_BYTES = 7_000
/** Replaying a log costs about this many rules for each of its lines. */
const MOST_RULES = 2_000
/** What adds up the days of a window costs as much as so many rules. */
const WINDOW = 10

/**
 * The game of a definition that came as JSON from outside. Throws `invalid_game` with the first mistakes, in less than
 * 16 KB, or if the game has more rules than a replay can be asked for.
 */
export function readGameDefinition(definition: unknown): DefinedGame {
  checkCost(definition)
  try {
    // Checked by defineGame, whatever it is.
    return defineGame(definition as GameDefinition)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    const { issues } = error
    const lines = issues.map(({ path, message }) => `${path || 'the definition'}: ${message}`)
    const shown = fitting(lines.slice(0, MOST_IN_MESSAGE))
    const more = issues.length > shown.length ? [`and ${issues.length - shown.length} more`] : []
    throw new GamificationError('invalid_game', `The game has mistakes: ${[...shown, ...more].join('; ')}`, {
      issues: fitting<Issue>(issues.slice(0, MOST_ISSUES)),
      cause: error,
    })
  }
}

/** The first items whose JSON is short enough together. */
function fitting<Item>(items: readonly Item[]): readonly Item[] {
  let bytes = 0
  return items.filter((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes <= MOST_BYTES
  })
}

function checkCost(definition: unknown): void {
  const rules = countRules(definition)
  if (rules <= MOST_RULES) return
  const what = 'triggers, leaderboards, streaks, boosts, criteria and parts of composite achievements'
  const help = 'Call whatIf() or apply() in-process, or use the command line, which have no such limit.'
  throw new GamificationError(
    'invalid_game',
    `The game has ${rules} ${what}; over HTTP a definition may have at most ${MOST_RULES} together. ${help}`,
  )
}

/** Looks into data that may have any shape: what has another one is refused afterwards. */
function countRules(definition: unknown): number {
  const game = definition as Maybe
  let rules = entriesOf(propertyOf(game, 'leaderboards')).length + entriesOf(propertyOf(game, 'streaks')).length
  if (propertyOf(game, 'streak') !== undefined) rules += 1
  for (const [, system] of entriesOf(propertyOf(game, 'points'))) {
    rules += itemsOf(propertyOf(system, 'triggers')).length + entriesOf(propertyOf(system, 'boosts')).length
  }
  for (const [, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    const criteria = itemsOf(propertyOf(achievement, 'of'))
    rules += itemsOf(propertyOf(achievement, 'achievements')).length + criteria.length
    for (const each of [achievement, ...criteria]) if (propertyOf(each, 'within') !== undefined) rules += WINDOW
  }
  return rules
}
