// The state of each period of a streak's history, and the calendar that the days make.

import { describe, expect, test } from 'vitest'
import { toMonths, toPeriods, toWeeks } from '../../../adapters/elements/streak/calendar.ts'

const day = (
  periodStart: string,
  length: number,
  used: { usedFreeze?: boolean; usedPause?: boolean; neutral?: true } = {},
) => ({ periodStart, periodEnd: periodStart, length, usedPause: false, ...used })

const states = (streak: Parameters<typeof toPeriods>[0]): readonly string[] =>
  toPeriods(streak).map(({ start, state }) => `${start} ${state}`)

describe('A day of the history', () => {
  test('is kept, saved by a freeze, paused, lost, or without a streak', () => {
    const streakHistory = [
      day('2026-03-01', 0),
      day('2026-03-02', 1),
      day('2026-03-03', 1, { usedFreeze: true }),
      day('2026-03-04', 1, { usedPause: true }),
      day('2026-03-05', 0),
      day('2026-03-06', 0),
      day('2026-03-07', 1),
    ]
    expect(states({ streakHistory, pauses: [], expires: '2026-03-08' })).toEqual([
      '2026-03-01 none',
      '2026-03-02 kept',
      '2026-03-03 frozen',
      '2026-03-04 paused',
      '2026-03-05 lost',
      '2026-03-06 none',
      '2026-03-07 kept',
    ])
  })

  test('is neutral, and neither breaks the streak nor hides that it was lost', () => {
    const off = { neutral: true } as const
    const friday = [day('2026-03-05', 4), day('2026-03-06', 5)]
    const weekend = [day('2026-03-07', 5, off), day('2026-03-08', 5, off)]
    const monday = [...friday, ...weekend, day('2026-03-09', 5)]
    expect(states({ streakHistory: monday, pauses: [], expires: '2026-03-09' }).slice(2)).toEqual([
      '2026-03-07 neutral',
      '2026-03-08 neutral',
      '2026-03-09 open',
    ])
    const tuesday = [...friday, ...weekend, day('2026-03-09', 0), day('2026-03-10', 0)]
    expect(states({ streakHistory: tuesday, pauses: [], expires: null }).slice(2)).toEqual([
      '2026-03-07 neutral',
      '2026-03-08 neutral',
      '2026-03-09 lost',
      '2026-03-10 open',
    ])
  })

  test('is kept on a day off that extended the streak', () => {
    const streakHistory = [
      day('2026-03-06', 5),
      day('2026-03-07', 6, { neutral: true }),
      day('2026-03-08', 6, { neutral: true }),
    ]
    expect(states({ streakHistory, pauses: [], expires: '2026-03-09' }).slice(1)).toEqual([
      '2026-03-07 kept',
      '2026-03-08 neutral',
    ])
  })

  test('is open today until the streak is extended', () => {
    const before = [day('2026-03-01', 4), day('2026-03-02', 5)]
    const open = { streakHistory: [...before, day('2026-03-03', 5)], pauses: [], expires: '2026-03-03' }
    const kept = { streakHistory: [...before, day('2026-03-03', 6)], pauses: [], expires: '2026-03-04' }
    expect(states(open).at(-1)).toBe('2026-03-03 open')
    expect(states(kept).at(-1)).toBe('2026-03-03 kept')
  })

  test('is open today where there is no streak', () => {
    const streakHistory = [day('2026-03-01', 0), day('2026-03-02', 0)]
    expect(states({ streakHistory, pauses: [], expires: null })).toEqual(['2026-03-01 none', '2026-03-02 open'])
  })

  test('is told by when the streak expires, where the history has today alone', () => {
    const streakHistory = [day('2026-03-03', 6)]
    expect(states({ streakHistory, pauses: [], expires: '2026-03-03' })).toEqual(['2026-03-03 open'])
    expect(states({ streakHistory, pauses: [], expires: '2026-03-04' })).toEqual(['2026-03-03 kept'])
  })

  test('is paused today within a pause', () => {
    const streakHistory = [day('2026-03-02', 5), day('2026-03-03', 5)]
    const pauses = [{ id: 'p', start: '2026-03-03', end: '2026-03-05' }]
    expect(states({ streakHistory, pauses, expires: '2026-03-06' })).toEqual(['2026-03-02 kept', '2026-03-03 paused'])
  })

  test('is one of at most 400', () => {
    const streakHistory = Array.from({ length: 1_000 }, (_, index) => day(`2026-03-${index}`, 0))
    expect(toPeriods({ streakHistory, pauses: [], expires: null })).toHaveLength(400)
  })
})

const dates = (...starts: readonly string[]): readonly { readonly start: string }[] =>
  starts.map((start) => ({ start }))
const told = (weeks: ReturnType<typeof toWeeks<{ readonly start: string }>>): readonly string[] =>
  weeks.map((week) => week.map((each) => each?.start.slice(8) ?? '--').join(' '))

describe('The calendar', () => {
  // 2026-03-01 is a Sunday.
  const days = dates(
    ...['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'],
    ...['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'],
  )

  test('has weeks from Monday on', () => {
    expect(told(toWeeks(days, 1))).toEqual(['-- -- -- -- 27 28 01', '02 03 04 05 06 07 08', '09 -- -- -- -- -- --'])
  })

  test('has weeks from Sunday on', () => {
    expect(told(toWeeks(days, 7))).toEqual(['-- -- -- -- -- 27 28', '01 02 03 04 05 06 07', '08 09 -- -- -- -- --'])
  })

  test('has weeks from Saturday on', () => {
    expect(told(toWeeks(days, 6))).toEqual(['-- -- -- -- -- -- 27', '28 01 02 03 04 05 06', '07 08 09 -- -- -- --'])
  })

  test('leaves a place for a date that the zone of the user does not have', () => {
    // Samoa had no 30th of December in 2011, a Friday.
    const samoa = dates('2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01')
    expect(told(toWeeks(samoa, 1))).toEqual(['-- -- 28 29 -- 31 01'])
  })

  test('has days before 1970', () => {
    expect(told(toWeeks(dates('1969-12-31', '1970-01-01'), 1))).toEqual(['-- -- 31 01 -- -- --'])
  })

  test('has above its columns the months in which they begin', () => {
    expect(toMonths(toWeeks(days, 1))).toEqual([
      { date: '2026-02-27', weeks: 1 },
      { date: '2026-03-02', weeks: 2 },
    ])
  })

  test('of years apart is no longer than what an answer can have', () => {
    expect(toWeeks(dates('1970-01-01', '2026-03-01'), 1).length).toBe(1)
  })
})
