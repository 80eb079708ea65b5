import { AssertionError } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '../errors.ts'
import type { AchievementKey, ChallengeKey, DefinedGame, MetricKey, PointsKey, StreakKey } from '../game/define-game.ts'

/** The changes that followed from a step. */
export interface Followed<G extends DefinedGame = DefinedGame> {
  /** The code with which the step was refused, or `null` if it was accepted. A refused step changes nothing. */
  readonly refused: ErrorCode | null
  /** `true` for an event that a limit of its metric holds back. It changes nothing yet. */
  readonly held: boolean
  /** Each metric's total after the step. */
  readonly totals: { readonly [Metric in MetricKey<G>]: number }
  /** Completed by this step, in the game's order; of one that repeats, once for each new completion. */
  readonly achievements: readonly AchievementKey<G>[]
  /** Quests of challenges completed by this step: the challenge, or `daily.p20` for the quest `p20` of a pool. */
  readonly challenges: readonly (ChallengeKey<G> | `${ChallengeKey<G>}.${string}`)[]
  /** How often each achievement has been completed. */
  readonly counts: { readonly [Achievement in AchievementKey<G>]: number }
  /**
   * The points that this step added to each points system, after clipping. For a step that waits, the points that time
   * added.
   */
  readonly added: { readonly [System in PointsKey<G>]: number }
  /** Names of the boosts that multiplied what this step added to each points system, the oldest first, each once. */
  readonly boosts: { readonly [System in PointsKey<G>]: readonly string[] }
  /** The points that caps and cooldowns removed from the step, in each points system. */
  readonly capped: { readonly [System in PointsKey<G>]: number }
  /** Each points system's total after the step, changes by time included. */
  readonly points: { readonly [System in PointsKey<G>]: number }
  /** The points that can be spent, in each spendable points system. */
  readonly balance: { readonly [System in PointsKey<G>]?: number }
  /** The points that are not yet available, in each spendable points system. */
  readonly pending: { readonly [System in PointsKey<G>]?: number }
  /** The points that holds have set aside, in each spendable points system. */
  readonly heldPoints: { readonly [System in PointsKey<G>]?: number }
  /** The key of the level in each points system; null below every level. */
  readonly levels: { readonly [System in PointsKey<G>]: string | null }
  /** The length of the streak as it reads after the step. */
  readonly streak: number
  /** The length of each named streak. */
  readonly streaks: { readonly [Streak in StreakKey<G>]: number }
  /** The number of freezes of the streak; 0 if the game has none. */
  readonly freezes: number
  /** The number of freezes of each named streak. A streak that shares the streak's freezes has the same number. */
  readonly streakFreezes: { readonly [Streak in StreakKey<G>]: number }
}

/** The expected part of `Followed`. Only named properties are compared; achievements and challenges may be in any order. */
export type Expectation<G extends DefinedGame = DefinedGame> = {
  readonly [Name in keyof Followed<G>]?: Followed<G>[Name] extends { readonly [key: string]: unknown }
    ? Partial<Followed<G>[Name]>
    : Followed<G>[Name]
}

interface Comparison {
  readonly actual: { readonly [name: string]: unknown }
  readonly expected: { readonly [name: string]: unknown }
}

/** Throws an `AssertionError` that names every difference. `what` describes the step. */
export function assertFollowed(
  what: string,
  followed: Followed,
  refusal: string | null,
  expectation: Expectation,
): void {
  const { actual, expected } = compare(followed, expectation)
  const wrong = Object.keys(expected).filter((name) => !isDeepStrictEqual(actual[name], expected[name]))
  if (wrong.length === 0) return
  const lines = wrong.map((name) => {
    const byKey: unknown = Reflect.get(followed, name)
    if (typeof byKey === 'object' && byKey !== null && !Array.isArray(byKey)) {
      const [key = 'key'] = Object.keys(byKey)
      return `  ${name}: is by key: write ${name}: { ${quoteKey(key)}: … }`
    }
    return `  ${name}: expected ${show(expected[name])}, got ${show(actual[name])}`
  })
  const reason = refusal === null ? [] : [`  refused: ${refusal}`]
  const message = [`${what} led to something else:`, ...lines, ...reason].join('\n')
  throw new AssertionError({ message, actual, expected, operator: 'thenExpect' })
}

function compare(followed: Followed, { achievements, challenges, ...expectation }: Expectation): Comparison {
  // Otherwise an unexpected refusal would pass if no change is expected.
  const expected: Record<string, unknown> = { refused: null, ...flatten(expectation) }
  const all = flatten(followed)
  const actual: Record<string, unknown> = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]))
  for (const [name, keys] of Object.entries({ achievements, challenges })) {
    if (keys === undefined) continue
    expected[name] = [...keys].sort()
    actual[name] = [...followed[name as 'achievements' | 'challenges']].sort()
  }
  return { actual, expected }
}

function flatten(values: object): Record<string, unknown> {
  const flat: [string, unknown][] = []
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) flat.push([name, value])
    else for (const [key, part] of Object.entries(value)) flat.push([`${name}.${key}`, part])
  }
  return Object.fromEntries(flat.filter(([, value]) => value !== undefined))
}

function quoteKey(key: string): string {
  return /^\w+$/.test(key) ? key : `'${key}'`
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing: the game has no such key'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return String(value)
}
