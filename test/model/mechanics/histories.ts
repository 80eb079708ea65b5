// Random games with every mechanic, and what three users do in them.

import fc from 'fast-check'
import { addDays } from '../dates.ts'
import type {
  Achievement,
  Aggregation,
  Board,
  Call,
  Filters,
  Game,
  Policy,
  Streak,
  System,
  Trigger,
  Weekday,
} from './types.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const METRICS = ['a', 'b', 'c', 'd']
export const USERS: readonly string[] = ['ann', 'bob', 'cid']
const NEAR = ['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Helsinki']
const FAR = ['America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati']
const STARTS = ['2026-03-27T20:00:00Z', '2024-02-26T06:00:00Z', '2025-12-29T13:00:00Z']
const WAITS = [0, 1, 60_000, HOUR, 5 * HOUR, 11 * HOUR, 23 * HOUR, DAY, DAY, 26 * HOUR, 49 * HOUR, 4 * DAY, 8 * DAY]
const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** An object without the members that are undefined. */
export function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}

const metric = fc.constantFrom(...METRICS)
const track = fc.constantFrom<Filters>({ track: 'north' }, { track: 'south' })
const goal = fc.constantFrom(1, 3, 5, 10, 2.5, 0.3)
const days = fc.subarray([...WEEKDAYS], { minLength: 1 })

const achievement: fc.Arbitrary<Achievement> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        metric,
        value: goal,
        eventAttributes: maybe(track),
        repeat: maybe(fc.constantFrom<true | { max: number }>(true, { max: 3 })),
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
      maybe(fc.integer({ min: 1, max: 3 })).map((each) => present({ frequency: 'weekly' as const, days: each })),
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

const game = (first: string): fc.Arbitrary<Game> =>
  fc
    .record({
      aggregations: fc.array(fc.constantFrom<Aggregation>('sum', 'sum', 'max', 'min', 'last'), {
        minLength: METRICS.length,
        maxLength: METRICS.length,
      }),
      achievements: fc.array(achievement, { minLength: 2, maxLength: 6 }),
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
        METRICS.map((key, index) => [key, { name: key, aggregation: aggregations[index] ?? ('sum' as const) }]),
      )
      const rises = (key: string): boolean => ['sum', 'max'].includes(metrics[key]?.aggregation ?? '')
      const achievements = Object.fromEntries([
        ...(rest.isComposed ? [composite] : []),
        ...rest.achievements.map((each, index) => [`g${index}`, fitting(each, metrics, rises)] as const),
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

/** What its metric's aggregation allows. */
function fitting(each: Achievement, metrics: Game['metrics'], rises: (metric: string) => boolean): Achievement {
  if (each.trigger !== 'metric') return each
  if ('tiers' in each) {
    const isMin = metrics[each.metric]?.aggregation === 'min'
    return isMin ? { ...each, tiers: Object.fromEntries(Object.entries(each.tiers).reverse()) } : each
  }
  const { repeat, ...once } = each
  return repeat === undefined || !rises(each.metric) ? once : { ...once, repeat, value: Math.max(1, each.value) }
}

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

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 3, 4, 5, 9) },
  { weight: 2, arbitrary: fc.constantFrom(0, -1, -3, 0.1, 0.2, 2.5, 12) },
)

type Said =
  | { call: 'event'; metric: string; value: number; attributes?: Filters; back?: number; idempotencyKey: string }
  | { call: 'void'; metric: string; idempotencyKey: string }
  | { call: 'complete'; achievement: string }
  | { call: 'profile'; tz?: string; attributes?: Filters }
  | { call: 'choose'; on: Weekday[] }
  | { call: 'merge'; into: string }
  | { call: 'apply'; policy: Policy }

const idempotencyKey = fc.integer({ min: 1, max: 30 }).map((number) => `k${number}`)

const said: fc.Arbitrary<Said> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .record({
        call: fc.constant('event' as const),
        metric,
        value,
        attributes: maybe(track),
        back: maybe(fc.constantFrom(0, HOUR, 20 * HOUR, 30 * HOUR, 3 * DAY, 15 * DAY)),
        idempotencyKey,
      })
      .map((event) => present(event) as Said),
  },
  { weight: 5, arbitrary: fc.record({ call: fc.constant('void' as const), metric, idempotencyKey }) },
  { weight: 1, arbitrary: fc.constant<Said>({ call: 'complete', achievement: 'call' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        call: fc.constant('profile' as const),
        tz: maybe(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...NEAR) }, fc.constantFrom(...FAR))),
        attributes: maybe(fc.constantFrom<Filters>({ team: 'red' }, { team: 'blue' })),
      })
      .map((profile) => present(profile) as Said),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('choose' as const), on: days }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('merge' as const), into: fc.constantFrom(...USERS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('apply' as const),
      policy: fc.constantFrom<Policy>('forward', 'grant', 'recompute'),
    }),
  },
)

const step = fc.record({
  user: fc.constantFrom('ann', 'ann', 'ann', 'bob', 'bob', 'cid'),
  wait: fc.constantFrom(...WAITS),
  said,
})

export interface Play {
  game: Game
  calls: Call[]
}

/** Most of the steps are events; a game that is applied is the next of `games`, or the present one with changes. */
export function plays(most: number): fc.Arbitrary<Play> {
  return fc
    .constantFrom(...STARTS)
    .chain((start) =>
      fc.record({
        start: fc.constant(start),
        games: fc.array(game(start.slice(0, 10)), { minLength: 3, maxLength: 3 }),
        steps: fc.array(step, { minLength: 5, maxLength: most }),
      }),
    )
    .map(({ start, games: [first, ...others], steps }) => {
      let now = Date.parse(start)
      let current = first as Game
      let applied = 0
      const calls = steps.map(({ user: id, wait, said }): Call => {
        now += wait
        if (said.call !== 'apply') {
          if (said.call !== 'event') return { ...said, id, now }
          const { back, ...event } = said
          return back === undefined ? { ...event, id, now } : { ...event, id, now, occurredAt: now - back }
        }
        applied += 1
        const other = others[applied % others.length] ?? current
        current = said.policy === 'recompute' ? renamed(other, applied) : changed(current, applied)
        return { call: 'apply', now, game: current, policy: said.policy }
      })
      return { game: first as Game, calls }
    })
}

/** Games are told apart by what is in them. */
function renamed(game: Game, count: number): Game {
  return { ...game, metrics: { ...game.metrics, a: { ...game.metrics.a, name: `a ${count}` } } }
}

/** More achievements, others with another value, and triggers that pay more. */
function changed(game: Game, count: number): Game {
  const { xp } = game.points
  const achievements = Object.entries(game.achievements).map(([key, each]): [string, Achievement] => {
    const isPlain = each.trigger === 'metric' && !('tiers' in each) && each.eventAttributes === undefined
    return isPlain && each.repeat === undefined ? [key, { ...each, value: each.value + count }] : [key, each]
  })
  const more: [string, Achievement] = [`more${count}`, { name: 'More', trigger: 'metric', metric: 'b', value: count }]
  const triggers = xp?.triggers.map((each) => ({
    ...each,
    points: each.points > 0 ? each.points + count : each.points,
  }))
  return {
    ...renamed(game, count),
    achievements: Object.fromEntries([...achievements, more]),
    points: xp === undefined ? {} : { xp: { ...xp, triggers: triggers ?? [] } },
  }
}
