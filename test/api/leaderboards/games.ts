import fc from 'fast-check'
import { addDays } from '../../model/dates.ts'
import type { AchievementDefinition, SystemDefinition, TriggerDefinition } from '../../model/types.ts'
import type { GameDefinition } from './model.ts'
import type { Board } from './runs.ts'

// Random games with several boards, whose runs begin and end around a date.

const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

/** An object without the members that are undefined. */
export function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}

const limit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)
const breakdown = maybe(fc.constantFrom(['country'], ['plan'], ['country', 'plan'], ['plan', 'country']), 3)
/** Some of these instants are the beginnings of histories. */
const time = maybe(fc.constantFrom('00:00', '00:01', '08:00', '10:00', '12:00', '13:00', '20:00', '22:00', '23:59'))
const run = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.record({ unit: fc.constant('day' as const), interval: fc.constantFrom(1, 1, 2, 7) }) },
  { weight: 3, arbitrary: fc.record({ unit: fc.constant('month' as const), interval: fc.constantFrom(1, 1, 2, 13) }) },
  { weight: 1, arbitrary: fc.record({ unit: fc.constant('year' as const), interval: fc.constantFrom(1, 2) }) },
)
const subject = fc.constantFrom(
  { rankBy: 'metric' as const, metric: 'reads' },
  { rankBy: 'metric' as const, metric: 'reads' },
  { rankBy: 'metric' as const, metric: 'writes' },
  { rankBy: 'points' as const, system: 'xp' },
  { rankBy: 'points' as const, system: 'xp' },
)

/** The days from the beginning of a history at which boards begin and end. */
const STARTS = [-800, -60, -31, -30, -29, -3, -1, 0, 1]
const ENDS = [0, 0, 1, 2, 7, 31, 90]

const scoreBoard = (around: string): fc.Arbitrary<Board> => {
  const starts = fc.constantFrom(...STARTS).map((away) => addDays(around, away))
  return fc
    .record({
      start: fc.oneof({ weight: 3, arbitrary: starts }, fc.constantFrom('2007-12-31', '2008-02-29', '2009-08-31')),
      away: maybe(fc.constantFrom(...ENDS)),
      startTime: time,
      endTime: time,
      breakdown,
      run,
      subject,
      limit: fc.oneof({ weight: 3, arbitrary: limit }, fc.constant(null)),
    })
    .filter(({ startTime, endTime }) => (startTime ?? '00:00') !== endTime)
    .map(({ subject, limit, away, ...rest }) => {
      const last = away === undefined ? undefined : addDays(around, away)
      const end = last !== undefined && last <= rest.start ? addDays(rest.start, 1) : last
      return present({ name: 'A board', ...subject, ...rest, end, maxParticipants: limit }) as Board
    })
}

const streakBoard = (around: string): fc.Arbitrary<Board> =>
  fc.record({ length: maybe(fc.constantFrom(1, 2, 4, 9)), breakdown, limit }).map(({ limit, length, ...rest }) => {
    const end = length === undefined ? undefined : addDays(around, length)
    const kind = { name: 'Streaks', rankBy: 'streak', start: '2001-01-01' }
    return present({ ...kind, ...rest, end, maxParticipants: limit }) as Board
  })

const boards = (around: string): fc.Arbitrary<{ [key: string]: Board }> =>
  fc
    .tuple(
      fc.array(scoreBoard(around), { minLength: 1, maxLength: 4 }),
      fc.array(streakBoard(around), { maxLength: 2 }),
    )
    .map(([scores, streaks]) => Object.fromEntries([...scores, ...streaks].map((board, index) => [`b${index}`, board])))

const trigger: fc.Arbitrary<TriggerDefinition> = fc
  .record({
    kind: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant('metric' as const),
          metric: fc.constant('reads'),
          threshold: fc.constantFrom(1, 2, 5),
        }),
      },
      fc.constantFrom<TriggerDefinition>(
        { type: 'streak', length: 1, points: 1 },
        { type: 'streak', length: 2, points: 1 },
        { type: 'user_creation', points: 1 },
        { type: 'achievement', achievement: 'started', points: 1 },
        { type: 'achievement', achievement: 'claimed', points: 1 },
      ),
    ),
    points: fc.constantFrom(1, 1, 5, 10, -3, -7),
    userAttributes: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      fc.constantFrom({ plan: 'pro' }, { country: 'DE' }),
    ),
  })
  .map(({ kind, points, userAttributes }) => present({ ...kind, points, userAttributes }) as TriggerDefinition)

const system: fc.Arbitrary<SystemDefinition> = fc
  .record({ maxPoints: maybe(fc.constantFrom(10, 30)), triggers: fc.array(trigger, { minLength: 1, maxLength: 4 }) })
  .map((rest) => present({ name: 'XP', ...rest }) as SystemDefinition)

const achievements: { [key: string]: AchievementDefinition } = {
  started: { name: 'Started', trigger: 'metric', metric: 'reads', value: 3, userAttributes: { plan: 'pro' } },
  claimed: { name: 'Claimed', trigger: 'api' },
}

export const games = (around: string): fc.Arbitrary<GameDefinition> =>
  fc
    .record({
      xp: system,
      frequency: fc.constantFrom('daily', 'daily', 'daily', 'weekly', 'monthly' as const),
      weekStartsOn: fc.constantFrom('monday', 'sunday' as const),
      threshold: fc.constantFrom({}, { threshold: 2 }),
      leaderboards: boards(around),
    })
    .map(({ xp, frequency, weekStartsOn, threshold, leaderboards }) => ({
      metrics: { reads: { name: 'Reads' }, writes: { name: 'Writes' } },
      userAttributes: ['country', 'plan', 'team'],
      achievements,
      points: { xp },
      streak: { frequency, metrics: { reads: threshold } },
      weekStartsOn,
      leaderboards,
    }))
