// Random games with every mechanic.

import fc from 'fast-check'
import { addDays } from '../dates.ts'
import type {
  Achievement,
  Aggregation,
  Board,
  Criterion,
  Filters,
  Game,
  Streak,
  System,
  Trigger,
  Weekday,
} from './types.ts'

const METRICS = ['a', 'b', 'c', 'd']
const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** An object without the members that are undefined. */
export function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}

export const metric = fc.constantFrom(...METRICS)
const track = fc.constantFrom<Filters>({ track: 'north' }, { track: 'south' })
const goal = fc.constantFrom(1, 3, 5, 10, 2.5, 0.3)
export const days = fc.subarray([...WEEKDAYS], { minLength: 1 })

const within = maybe(fc.constantFrom(1, 2, 7).map((each) => ({ days: each })))

/** Triggers that a deploy can add: they need only facts that are known of every user. */
const plainCriterion = fc.oneof(
  { weight: 3, arbitrary: fc.record({ metric, value: goal }) },
  fc.record({ streak: fc.constantFrom('streak', 'second'), length: fc.integer({ min: 1, max: 3 }) }),
  fc.constantFrom({ level: 'xp.middle' }, { level: 'xp.high' }),
  fc.constantFrom(8, 15).map((total) => ({ points: 'xp', total })),
  fc.constantFrom({ achievement: 'call' }, { achievement: 'first' }),
  fc
    .record({ days: fc.constantFrom(1, 3, 20), since: maybe(fc.constant('signUp' as const)) })
    .map((membership) => ({ membership: present(membership) })),
)

const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  { weight: 2, arbitrary: plainCriterion },
  fc.record({ metric, value: goal, eventAttributes: maybe(track), within }).map(present),
  fc
    .record({ events: metric, count: fc.integer({ min: 1, max: 4 }), eventAttributes: maybe(track), within })
    .map(present),
) as fc.Arbitrary<Criterion>

const byCriteria = (one: fc.Arbitrary<Criterion>): fc.Arbitrary<Achievement> =>
  fc
    .tuple(fc.uniqueArray(one, { minLength: 1, maxLength: 4, selector: (each) => JSON.stringify(each) }), fc.nat())
    .map(([of, number]) => {
      const atLeast = number % (of.length + 1)
      return { name: 'Criteria', trigger: 'criteria', of, ...(atLeast === 0 ? {} : { atLeast }) }
    })

const achievement: fc.Arbitrary<Achievement> = fc.oneof(
  { weight: 4, arbitrary: byCriteria(criterion) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        metric,
        value: goal,
        eventAttributes: maybe(track),
        repeat: maybe(fc.constantFrom<true | { max: number }>(true, { max: 3 })),
        within,
      })
      .map((rest) => present({ name: 'Goal', trigger: 'metric' as const, ...rest }) as Achievement),
  },
  fc
    .record({ length: fc.integer({ min: 1, max: 4 }), streak: maybe(fc.constant('second')) })
    .map((rest) => present({ name: 'Streak', trigger: 'streak' as const, ...rest }) as Achievement),
  metric.map((key) => ({
    name: 'Steps',
    trigger: 'metric' as const,
    metric: key,
    tiers: { low: { value: 2 }, middle: { value: 5 }, high: { value: 9 } },
  })),
  fc.constant<Achievement>({ name: 'Claimed', trigger: 'api' }),
)

const trigger = fc
  .record({
    metric,
    threshold: fc.constantFrom(1, 2, 0.5),
    points: fc.constantFrom(1, 5, 10, -3),
    eventAttributes: maybe(track),
  })
  .map((rest) => present({ type: 'metric' as const, ...rest }))

const streak = fc
  .record({
    metrics: fc.dictionary(metric, fc.constantFrom<{ threshold?: number }>({}, { threshold: 2 }, { threshold: 4 }), {
      minKeys: 1,
      maxKeys: 2,
    }),
    evaluationMode: maybe(fc.constantFrom('OR' as const, 'AND' as const)),
    freezes: maybe(fc.constantFrom({ initial: 1, max: 2 }, { initial: 2, max: 2 })),
    kind: fc.oneof(
      maybe(days).map((on) => present({ frequency: 'daily' as const, on })),
      fc.constantFrom(undefined, 1, 2, 2, 3, 4, 7).map((each) => present({ frequency: 'weekly' as const, days: each })),
    ),
  })
  .map(({ kind, ...rest }) => present({ ...kind, ...rest }) as Omit<Streak, 'customization'>)

const board = (first: string): fc.Arbitrary<Board> =>
  fc
    .record({
      name: fc.constant('Board'),
      rankBy: fc.constant('metric' as const),
      metric,
      start: fc.constantFrom(-40, -3, 0, 2).map((away) => addDays(first, away)),
      run: maybe(fc.constantFrom(1, 3, 7).map((interval) => ({ unit: 'day' as const, interval }))),
      order: fc.constantFrom('highest' as const, 'lowest' as const),
      ties: maybe(fc.constant('shared' as const)),
      breakdown: maybe(fc.constant<string[]>(['team'])),
      maxParticipants: fc.constantFrom(null, null, 2, 1_000),
    })
    .map((value) => present(value) as Board)

export const game = (first: string): fc.Arbitrary<Game> =>
  fc
    .record({
      aggregations: fc.array(fc.constantFrom<Aggregation>('sum', 'sum', 'max', 'min', 'last'), {
        minLength: METRICS.length,
        maxLength: METRICS.length,
      }),
      achievements: fc.array(achievement, { minLength: 2, maxLength: 6 }),
      terms: fc.array(terms(first), { minLength: 6, maxLength: 6 }),
      isComposed: fc.boolean(),
      triggers: fc.array(trigger, { minLength: 1, maxLength: 4 }),
      maxPoints: maybe(fc.constant(30)),
      own: fc.tuple(streak, fc.boolean()),
      second: streak,
      boards: fc.array(board(first), { minLength: 1, maxLength: 3 }),
      weekStartsOn: fc.constantFrom('monday' as const, 'sunday' as const),
    })
    .map(({ aggregations, boards, own: [streakOfGame, customization], ...rest }) => {
      const metrics = Object.fromEntries(
        METRICS.map((key, index): [string, Game['metrics'][string]] => {
          // A metric stays one of different values, so that all of its events have the attribute.
          if (key === 'd') return [key, { name: key, aggregation: 'distinct', of: 'track' }]
          return [key, { name: key, aggregation: aggregations[index] ?? 'sum' }]
        }),
      )
      const rises = (key: string): boolean => ['sum', 'max', 'distinct'].includes(metrics[key]?.aggregation ?? '')
      const achievements = Object.fromEntries([
        ...(rest.isComposed ? [composite] : []),
        ...rest.achievements.map(
          (each, index) => [`g${index}`, withTerms(fitting(each, metrics, rises), rest.terms[index])] as const,
        ),
        ['call', { name: 'Call', trigger: 'api' }] as const,
        ['first', { name: 'First', trigger: 'metric', metric: 'a', value: 3 }] as const,
      ])
      return {
        metrics,
        eventAttributes: ['track'],
        userAttributes: ['team'],
        achievements,
        points: {
          xp: systemOf(
            rest.triggers.filter((each) => rises(each.metric)),
            rest.maxPoints,
          ),
        },
        streak: { ...streakOfGame, customization: customization && streakOfGame.frequency === 'daily' },
        streaks: { second: rest.second },
        leaderboards: Object.fromEntries(boards.map((each, index) => [`board${index}`, each])),
        weekStartsOn: rest.weekStartsOn,
      }
    })

const composite = ['both', { name: 'Both', trigger: 'achievement', achievements: ['call', 'first'] }] as const

interface Terms {
  until?: string
  validFor?: { days: number }
}

const terms = (first: string): fc.Arbitrary<Terms> =>
  fc
    .record({
      until: maybe(fc.constantFrom(0, 2, 9).map((away) => addDays(first, away))),
      validFor: maybe(fc.constantFrom(1, 3, 20).map((each) => ({ days: each }))),
    })
    .map(present)

/** Achievements that repeat, or follow from others, do not expire. */
function withTerms(each: Achievement, { until, validFor }: Terms = {}): Achievement {
  if ('tiers' in each) return each
  const ends = until === undefined ? {} : { until }
  const isSimple = each.trigger === 'api' || each.trigger === 'streak' || (each.trigger === 'metric' && !each.repeat)
  return { ...each, ...ends, ...(isSimple && validFor !== undefined ? { validFor } : {}) }
}

/** The values that its metric's aggregation allows. */
function fitting(each: Achievement, metrics: Game['metrics'], rises: (metric: string) => boolean): Achievement {
  const isSum = (key: string): boolean => metrics[key]?.aggregation === 'sum'
  if (each.trigger === 'criteria') {
    const of = uniqueOf(each.of.map((one) => withoutWindow(one, isSum)))
    return { ...each, of, ...(each.atLeast === undefined ? {} : { atLeast: Math.min(each.atLeast, of.length) }) }
  }
  if (each.trigger !== 'metric') return each
  if ('tiers' in each) {
    const isMin = metrics[each.metric]?.aggregation === 'min'
    return isMin ? { ...each, tiers: Object.fromEntries(Object.entries(each.tiers).reverse()) } : each
  }
  const { repeat, ...rest } = each
  const once = withoutWindow(rest, isSum)
  if (once.within !== undefined) return once
  return repeat === undefined || !rises(each.metric) ? once : { ...once, repeat, value: Math.max(1, each.value) }
}

/** Only sums have windows. */
function withoutWindow<T extends Criterion>(one: T, isSum: (metric: string) => boolean): T {
  if (!('metric' in one) || isSum(one.metric)) return one
  const { within: _, ...rest } = one
  return rest as T
}

const uniqueOf = (criteria: readonly Criterion[]): Criterion[] => [
  ...new Map(criteria.map((one) => [JSON.stringify(one), one])).values(),
]

function systemOf(triggers: readonly Omit<Extract<Trigger, { type: 'metric' }>, 'key'>[], maxPoints?: number): System {
  const keyed: Trigger[] = triggers.map((each, index) => ({ ...each, key: `t${index}` }))
  const ofAchievement: Trigger = { key: 'first', type: 'achievement', achievement: 'first', points: 7 }
  return {
    name: 'XP',
    ...(maxPoints === undefined ? {} : { maxPoints }),
    triggers: [ofAchievement, ...keyed],
    levels: {
      low: { name: 'Low', points: 0 },
      middle: { name: 'Middle', points: 5 },
      high: { name: 'High', points: 20 },
    },
  }
}
