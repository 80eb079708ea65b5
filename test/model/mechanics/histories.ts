// The actions of three users in random games.

import fc from 'fast-check'
import { days, game, maybe, metric, present } from './games.ts'
import type { Achievement, Call, Criterion, Filters, Game, Policy, Streak, Weekday } from './types.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NEAR = ['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Helsinki']
const FAR = ['America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Honolulu', 'Etc/GMT+12']
const STARTS = ['2026-03-27T20:00:00Z', '2024-02-26T06:00:00Z', '2025-12-29T13:00:00Z']
const WAITS = [0, 1, 60_000, HOUR, 5 * HOUR, 11 * HOUR, 23 * HOUR, DAY, DAY, 26 * HOUR, 49 * HOUR, 4 * DAY, 8 * DAY]
export const USERS: readonly string[] = ['ann', 'bob', 'cid']
const anyTrack = fc.constantFrom<Filters>({ track: 'north' }, { track: 'south' }, { track: 'west' }, { track: 'east' })

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 3, 4, 5, 9) },
  { weight: 2, arbitrary: fc.constantFrom(0, -1, -3, 0.1, 0.2, 2.5, 12) },
)

type Said =
  | { call: 'event'; metric: string; value: number; attributes?: Filters; back?: number; idempotencyKey: string }
  | { call: 'void'; metric: string; idempotencyKey: string }
  | { call: 'complete'; achievement: string }
  | { call: 'profile'; tz?: string; attributes?: Filters; signUpDate?: string }
  | { call: 'reset'; streak?: string }
  | { call: 'choose'; on: Weekday[] }
  | { call: 'merge'; into: string }
  | { call: 'adjust'; system: string; points: number; idempotencyKey?: string }
  | { call: 'grant' | 'revoke'; achievement: string }
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
        attributes: maybe(anyTrack),
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
        signUpDate: maybe(fc.constantFrom('2020-02-29', '2024-02-25', '2025-12-27', '2026-03-08', '2027-01-01')),
      })
      .map((profile) => present(profile) as Said),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('choose' as const), on: days }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ call: fc.constant('reset' as const), streak: maybe(fc.constant('second')) })
      .map((reset) => present(reset) as Said),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        call: fc.constant('adjust' as const),
        system: fc.constant('xp'),
        points: fc.constantFrom(5, 12, -4, -30),
        idempotencyKey: maybe(fc.constantFrom('once', 'twice')),
      })
      .map((adjusted) => present(adjusted) as Said),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      call: fc.constantFrom('grant' as const, 'revoke' as const),
      achievement: fc.constantFrom('first', 'call', 'both', 'g0', 'g1', 'g1.low', 'none'),
    }),
  },
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

/** Somebody who does something every few hours, and hops between zones. */
const stepOfTravel: typeof step = fc.record({
  user: fc.constant('ann'),
  wait: fc.constantFrom(60_000, HOUR, 3 * HOUR, 5 * HOUR, 9 * HOUR, 11 * HOUR, 13 * HOUR, 26 * HOUR),
  said: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        call: fc.constant('event' as const),
        metric: fc.constantFrom('a', 'b'),
        value: fc.constantFrom(0, 1, 1, 2),
        idempotencyKey: fc.uuid(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ call: fc.constant('profile' as const), tz: fc.constantFrom(...NEAR, ...FAR) }),
    },
    { weight: 1, arbitrary: fc.record({ call: fc.constant('choose' as const), on: days }) },
    {
      weight: 1,
      arbitrary: fc.record({
        call: fc.constant('apply' as const),
        policy: fc.constantFrom<Policy>('forward', 'grant'),
      }),
    },
  ),
})

export interface Play {
  game: Game
  calls: Call[]
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Most of the steps are events. */
export function plays(most: number): fc.Arbitrary<Play> {
  return playsOf(step, { minLength: 5, maxLength: most })
}

/** Weeks and days of one user on the way, in games in which most events count. */
export function travels(most: number): fc.Arbitrary<Play> {
  return playsOf(stepOfTravel, { minLength: most, maxLength: most }, (each) => ({
    ...each,
    streak: { ...each.streak, metrics: MOST_EVENTS, evaluationMode: 'OR' },
    streaks: Object.fromEntries(
      Object.entries(each.streaks ?? {}).map(([key, named]) => [key, { ...named, metrics: MOST_EVENTS }]),
    ),
  }))
}

const MOST_EVENTS = { a: {}, b: { threshold: 2 } }

function playsOf(one: typeof step, size: fc.ArrayConstraints, toGame = (each: Game): Game => each): fc.Arbitrary<Play> {
  return fc
    .constantFrom(...STARTS)
    .chain((start) =>
      fc.record({
        start: fc.constant(start),
        games: fc.array(game(start.slice(0, 10)).map(toGame), { minLength: 3, maxLength: 3 }),
        steps: fc.array(one, size),
      }),
    )
    .map(({ start, games, steps }) => toPlay(start, games, steps))
}

/** A game that is applied is the next of `games`, or the present one with changes. */
function toPlay(start: string, [first, ...others]: readonly Game[], steps: readonly Step[]): Play {
  let now = Date.parse(start)
  let current = first as Game
  let applied = 0
  let hasRevoked = false
  const calls = steps.map(({ user: id, wait, said }): Call => {
    now += wait
    // Another test covers revoked achievements that a merge keeps.
    hasRevoked ||= said.call === 'revoke'
    if (said.call === 'merge' && hasRevoked) return { call: 'complete', achievement: 'call', id, now }
    if (said.call !== 'apply') {
      if (said.call !== 'event') return { ...said, id, now }
      const { back, ...event } = fitted(said, current)
      return back === undefined ? { ...event, id, now } : { ...event, id, now, occurredAt: now - back }
    }
    applied += 1
    const other = others[applied % others.length] ?? current
    current = said.policy === 'recompute' ? renamed(other, applied) : changed(current, other, applied)
    return { call: 'apply', now, game: current, policy: said.policy }
  })
  return { game: first as Game, calls }
}

/**
 * Events of one user in the order of the log, known only later. No value and no payment lowers anything, so no order of
 * arrival completes what the log does not.
 */
export function eventsOfWeek(count: number): fc.Arbitrary<Play> {
  const start = Date.parse('2026-03-23T06:00:00Z')
  const event = fc.record({
    metric,
    value: fc.constantFrom(1, 2, 3, 5, 0.3),
    attributes: maybe(anyTrack),
    wait: fc.constantFrom(60_000, HOUR, 5 * HOUR, 9 * HOUR, 20 * HOUR),
  })
  return fc.tuple(game('2026-03-23'), fc.array(event, { minLength: count, maxLength: count })).map(([any, events]) => {
    const calm = calmed(any)
    let at = start
    const calls = events.map(({ wait, ...rest }, index): Call => {
      at += wait
      const said = { call: 'event' as const, ...present(rest), idempotencyKey: `k${index}` }
      return { ...fitted(said, calm), id: 'ann', now: start + 20 * DAY, occurredAt: at }
    })
    return { game: calm, calls }
  })
}

function calmed(game: Game): Game {
  const { xp } = game.points
  // The newest value may be lower than the one before.
  const metrics = Object.entries(game.metrics).map(([key, each]): [string, Game['metrics'][string]] => {
    return [key, each.aggregation === 'last' && isOfStreak(game, key) ? { ...each, aggregation: 'max' } : each]
  })
  const triggers = xp?.triggers.map((each) => ({ ...each, points: Math.abs(each.points) })) ?? []
  return { ...game, metrics: Object.fromEntries(metrics), points: xp === undefined ? {} : { xp: { ...xp, triggers } } }
}

const isOfStreak = ({ streak, streaks }: Game, metric: string): boolean =>
  [streak, ...Object.values(streaks ?? {})].some(({ metrics }) => metric in metrics)

/** Most events of a metric of different values have one. */
function fitted<E extends Extract<Said, { call: 'event' }>>(said: E, { metrics }: Game): E {
  if (metrics[said.metric]?.of === undefined || said.value === 0) return said
  return { ...said, value: 1, attributes: said.attributes ?? { track: 'east' } }
}

/** Games are distinguished by their content. */
function renamed(game: Game, count: number): Game {
  return { ...game, metrics: { ...game.metrics, a: { ...game.metrics.a, name: `a ${count}` } } }
}

/** A deploy can add them: what is known of every user is enough. */
const PLAIN: Criterion[] = [{ metric: 'c', value: 4 }, { points: 'xp', total: 12 }, { membership: { days: 2 } }]

/** More achievements, others with another value, triggers that pay more, and streaks with the days of another game. */
function changed(game: Game, other: Game, count: number): Game {
  const { xp } = game.points
  const achievements = Object.entries(game.achievements).map(([key, each]): [string, Achievement] => {
    const isPlain = each.trigger === 'metric' && !('tiers' in each) && each.eventAttributes === undefined
    return isPlain && each.repeat === undefined ? [key, { ...each, value: each.value + count }] : [key, each]
  })
  const more: [string, Achievement][] = [
    [`more${count}`, { name: 'More', trigger: 'metric', metric: 'b', value: count }],
    [`any${count}`, { name: 'Any', trigger: 'criteria', atLeast: 2, of: PLAIN }],
  ]
  const triggers = xp?.triggers.map((each) => ({
    ...each,
    points: each.points > 0 ? each.points + count : each.points,
  }))
  return {
    ...renamed(game, count),
    achievements: Object.fromEntries([...achievements, ...more]),
    points: xp === undefined ? {} : { xp: { ...xp, triggers: triggers ?? [] } },
    streak: withDaysOf(game.streak, other.streak),
    streaks: Object.fromEntries(
      Object.entries(game.streaks ?? {}).map(([key, each]) => [key, withDaysOf(each, other.streaks?.[key] ?? each)]),
    ),
  }
}

function withDaysOf<S extends Streak>(streak: S, { frequency, on, days }: Omit<Streak, 'customization'>): S {
  if (frequency !== streak.frequency) return streak
  const { on: _, days: __, ...rest } = streak
  return present({ ...rest, on, days }) as S
}
