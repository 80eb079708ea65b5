// Decisions, section 5, for a user who stays if they are; zones are the matter of test/record/zones-periods.test.ts.

import { describe, expect, test } from 'vitest'
import { localDate, parseDate, toDateText } from '../../src/rules/calendar.ts'
import type { Game } from '../../src/rules/game.ts'
import { settle, settled } from '../../src/rules/settle.ts'
import { type UserState, zoneOf } from '../../src/rules/state.ts'
import { currentStreak } from '../../src/rules/streak.ts'
import { given, rules, type Said } from '../support/given.ts'

type Streak = NonNullable<Parameters<typeof rules>[0]['streak']>

const gameOf = (streak: Partial<Streak>, more: Parameters<typeof rules>[0] = {}): Game =>
  rules({ ...more, streak: { frequency: 'daily', metrics: { words: {} }, ...streak } as Streak })

/** `03-10 5 laps` or `03-10T08:00` of 2026: when, the value and the metric. */
const toSaid = (said: string): Said => {
  const [when = '', value = '1', metric = 'words'] = said.split(' ')
  const [date = '', time = '12:00'] = when.split('T')
  return { at: `${date.length === 5 ? `2026-${date}` : date}T${time}:00Z`, value: Number(value), metric }
}

function lengths(game: Game, events: readonly string[]): readonly number[] {
  return given(game, events.map(toSaid)).states.map(({ streak }) => streak.length)
}

/** The streak as read at an instant: its length, when it started, its period, and when it expires. */
function read(game: Game, state: UserState, at: string) {
  const instant = Date.parse(at)
  const { length, started, periodStart, periodEnd, expires } = currentStreak(
    game,
    settled(game, state, instant),
    localDate(zoneOf(state.profile), instant),
  )
  const text = (day: number | null) => (day === null ? '-' : toDateText(day))
  return [length, ...[started, periodStart, periodEnd, expires].map(text)].join(' ')
}

describe('A daily streak', () => {
  const daily = gameOf({})

  test('grows by one with each day, whatever happens within a day', () => {
    expect(lengths(daily, ['03-08', '03-09T00:00', '03-09T23:59', '03-10', '03-11T00:00'])).toEqual([1, 2, 2, 3, 4])
  })

  test('starts again after a day without', () => {
    expect(lengths(daily, ['03-08', '03-09', '03-11', '03-12'])).toEqual([1, 2, 1, 2])
  })

  test('goes over the ends of months and years, and over February 29th', () => {
    expect(lengths(daily, ['2023-12-31', '2024-01-01', '2024-01-02'])).toEqual([1, 2, 3])
    expect(lengths(daily, ['2024-02-28', '2024-02-29', '2024-03-01'])).toEqual([1, 2, 3])
    expect(lengths(daily, ['2024-02-28', '2024-03-01'])).toEqual([1, 1])
    expect(lengths(daily, ['2023-02-28', '2023-03-01'])).toEqual([1, 2])
  })

  test('is not kept by events of 0 or below, nor by those of other metrics', () => {
    expect(lengths(daily, ['03-08 0', '03-08 -1', '03-08 1 laps', '03-08 2'])).toEqual([0, 0, 0, 1])
  })

  test('counts a day whose change is above 0 in the end, and never takes it back', () => {
    expect(lengths(daily, ['03-08 -5', '03-08 5', '03-08 1', '03-08 -100', '03-09'])).toEqual([0, 0, 1, 1, 2])
  })

  test('is told with its dates, and reads 0 from the day after it could have been extended', () => {
    const { state } = given(daily, ['03-08', '03-09', '03-10'].map(toSaid))
    expect(read(daily, state, '2026-03-10T12:00:00Z')).toEqual('3 2026-03-08 2026-03-10 2026-03-10 2026-03-11')
    expect(read(daily, state, '2026-03-11T23:59:59.999Z')).toEqual('3 2026-03-08 2026-03-11 2026-03-11 2026-03-11')
    expect(read(daily, state, '2026-03-12T00:00:00Z')).toEqual('0 - - - -')
    expect(read(daily, state, '2036-03-12T00:00:00Z')).toEqual('0 - - - -')
  })

  test('that is read is not written: the state stays as it is', () => {
    const { state } = given(daily, [toSaid('03-08')])
    const copy = structuredClone(state)
    expect(settle(daily, state, Date.parse('2026-04-01T00:00:00Z'))).toMatchObject([{ type: 'streakLost', length: 1 }])
    expect(settled(daily, state, Date.parse('2026-04-01T00:00:00Z')).streak.length).toBe(0)
    expect(state).toEqual(copy)
  })

  test('remembers the longest it ever was', () => {
    const { state } = given(daily, ['03-01', '03-02', '03-03', '03-06', '03-07'].map(toSaid))
    expect(state.streak).toMatchObject({ length: 2, longest: 3, started: parseDate('2026-03-06') })
    expect(settled(daily, state, Date.parse('2026-05-01T00:00:00Z')).streak).toMatchObject({ length: 0, longest: 3 })
  })

  test('tells what it does: started, extended, lost and started', () => {
    const { changes } = given(daily, ['03-01', '03-01', '03-02', '03-04'].map(toSaid))
    const told = changes.map((list) => list.map(({ type }) => type).filter((type) => /^streak/.test(type)))
    expect(told).toEqual([['streakStarted'], [], ['streakExtended'], ['streakLost', 'streakStarted']])
  })
})

describe('A threshold', () => {
  test('is reached by all events of the period together, exactly', () => {
    const game = gameOf({ metrics: { words: { threshold: 0.3 } } })
    expect(lengths(game, ['03-08 0.1', '03-08 0.1', '03-08 0.1', '03-09 0.299', '03-09 0.001'])).toEqual([
      0, 0, 1, 1, 2,
    ])
  })

  test('is not reached with what came the day before', () => {
    const game = gameOf({ metrics: { words: { threshold: 2 } } })
    expect(lengths(game, ['03-08T23:59 1', '03-09T00:00 1', '03-09T00:01 1'])).toEqual([0, 0, 1])
  })

  test.each([
    ['OR', [1, 1, 2]],
    ['AND', [0, 1, 1]],
    ['ALL', [0, 1, 1]],
  ] as const)('for each of two metrics, in the mode %s', (evaluationMode, expected) => {
    const game = gameOf({ evaluationMode, metrics: { words: { threshold: 5 }, laps: {} } })
    expect(lengths(game, ['03-08 5', '03-08 1 laps', '03-09 1 laps'])).toEqual(expected)
  })
})

describe('A weekly streak', () => {
  test('counts weeks from Monday', () => {
    const game = gameOf({ frequency: 'weekly' })
    // 2026-03-08 is a Sunday.
    expect(lengths(game, ['03-08', '03-09', '03-15', '03-16', '03-29', '04-06'])).toEqual([1, 2, 2, 3, 4, 1])
    const { state } = given(game, [toSaid('03-08'), toSaid('03-09')])
    expect(read(game, state, '2026-03-15T23:00:00Z')).toEqual('2 2026-03-02 2026-03-09 2026-03-15 2026-03-22')
    expect(read(game, state, '2026-03-22T23:00:00Z')).toMatch(/^2 /)
    expect(read(game, state, '2026-03-23T00:00:00Z')).toMatch(/^0 /)
  })

  test('counts weeks from Sunday where the game says so', () => {
    const game = gameOf({ frequency: 'weekly' }, { weekStartsOn: 'sunday' })
    expect(lengths(game, ['03-07', '03-08', '03-14', '03-15'])).toEqual([1, 2, 2, 3])
    const { state } = given(game, [toSaid('03-07'), toSaid('03-08')])
    expect(read(game, state, '2026-03-10T12:00:00Z')).toEqual('2 2026-03-01 2026-03-08 2026-03-14 2026-03-21')
  })

  test('goes over the end of a year', () => {
    expect(lengths(gameOf({ frequency: 'weekly' }), ['2025-12-28', '2025-12-29', '2026-01-04', '2026-01-05'])).toEqual([
      1, 2, 2, 3,
    ])
  })
})

describe('A monthly streak', () => {
  const monthly = gameOf({ frequency: 'monthly' })

  test('counts calendar months, long and short ones', () => {
    expect(lengths(monthly, ['2025-12-31', '01-01', '01-31', '02-28', '03-01', '05-01', '06-30', '07-01'])).toEqual([
      1, 2, 2, 3, 4, 1, 2, 3,
    ])
  })

  test('is told with its dates', () => {
    const { state } = given(monthly, [toSaid('2025-12-31'), toSaid('01-01')])
    expect(read(monthly, state, '2026-01-15T00:00:00Z')).toEqual('2 2025-12-01 2026-01-01 2026-01-31 2026-02-28')
    expect(read(monthly, state, '2026-02-28T23:59:59Z')).toMatch(/^2 /)
    expect(read(monthly, state, '2026-03-01T00:00:00Z')).toMatch(/^0 /)
  })

  test('never grows faster than time, with 28 days to a month', () => {
    // Never in one zone: the shortest month has 28 days.
    const events = ['2025-01-31', '2025-02-01', '2025-03-01', '2025-04-01'] as const
    expect(lengths(monthly, events)).toEqual([1, 2, 3, 4])
  })
})

describe('A game without a streak', () => {
  test('has length 0 and a daily frequency, and no dates', () => {
    const game = rules({})
    const { state } = given(game, [toSaid('03-08')])
    expect(currentStreak(game, state, 20_520)).toEqual({
      length: 0,
      frequency: 'daily',
      started: null,
      periodStart: null,
      periodEnd: null,
      expires: null,
    })
  })
})

describe('Streak achievements', () => {
  test('are completed by the event that makes the streak long enough, at most once', () => {
    const game = gameOf(
      {},
      {
        achievements: {
          two: { name: 'Two', trigger: 'streak', length: 2 },
          pro: { name: 'Pro', trigger: 'streak', length: 1, userAttributes: { plan: 'pro' } },
        },
      },
    )
    const { state } = given(game, ['03-01', '03-02', '03-05', '03-06'].map(toSaid))
    expect([...state.completions]).toEqual([
      ['two', { at: Date.parse('2026-03-02T12:00:00Z'), entryId: 'entry-2', count: 1 }],
    ])
  })
})
