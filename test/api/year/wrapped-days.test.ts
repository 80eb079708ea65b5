// The review that a list of days gives, without any storage.

import { describe, expect, test } from 'vitest'
import {
  type ActivitySums,
  addAwarded,
  addEvents,
  comparedYear,
  datesOfYear,
  findMostActive,
  sumDays,
  toLongestStreak,
} from '../../../src/api/year/active-days.ts'
import { percentChange, percentilesIn, periodsOfYear, startYearSums } from '../../../src/api/year/percentiles.ts'
import { type Day, parseDate, toDateText } from '../../../src/rules/calendar.ts'
import type { LoggedValue } from '../../../src/sql/log.ts'
import type { StreakPeriod } from '../../../src/storage/rows.ts'
import { rules } from '../../support/given.ts'

const game = rules({})

const day = (text: string): Day => parseDate(text) ?? Number.NaN

const range = ({ from, to }: { readonly from: Day; readonly to: Day }): string =>
  `${toDateText(from)} ${toDateText(to)}`

/** How many events there were on each date. */
const active = (...dates: readonly (readonly [date: string, events: number])[]) =>
  new Map(dates.map(([date, events]) => [day(date), { events }]))

describe('The most active day, week and month', () => {
  test('are those with the most events, each by itself', () => {
    const days = active(
      ['2025-03-13', 5],
      ['2025-06-02', 2],
      ['2025-06-04', 2],
      ['2025-06-07', 2],
      ['2025-08-01', 4],
      ['2025-08-30', 4],
    )
    const most = findMostActive(days, 2025, 'monday')
    expect([toDateText(most.day), range(most.week), most.month]).toEqual(['2025-03-13', '2025-06-02 2025-06-08', 7])
    expect([most.daysActive, most.weeksActive, most.monthsActive]).toEqual([6, 4, 3])
  })

  test('are the earliest of those with as many', () => {
    const most = findMostActive(active(['2025-11-03', 2], ['2025-02-07', 2], ['2025-05-05', 2]), 2025, 'monday')
    expect([toDateText(most.day), range(most.week), most.month]).toEqual(['2025-02-07', '2025-02-03 2025-02-09', 1])
  })

  test('begin on Sunday where weeks do', () => {
    const most = findMostActive(active(['2025-03-09', 1]), 2025, 'sunday')
    expect(range(most.week)).toBe('2025-03-09 2025-03-15')
  })

  test('are of the year alone: a week counts as far as it lies in it, and is compared with the whole week before', () => {
    const days = active(['2024-12-30', 50], ['2025-01-02', 3], ['2025-01-06', 2], ['2026-01-01', 50])
    const { week, weeksActive, periods } = findMostActive(days, 2025, 'monday')
    expect([range(week), weeksActive]).toEqual(['2024-12-30 2025-01-05', 2])
    expect([periods?.week.now, periods?.week.before].map((each) => each && range(each))).toEqual([
      '2025-01-01 2025-01-05',
      '2024-12-23 2024-12-29',
    ])
    expect(
      [periods?.month.before, comparedYear(2025).before, periods?.day.before].map((each) => each && range(each)),
    ).toEqual(['2024-12-01 2024-12-31', '2024-01-01 2024-12-31', '2025-01-01 2025-01-01'])
  })

  test('are 1 January, its week and its month in a year without any event', () => {
    // Days with awards alone have no event.
    const most = findMostActive(active(['2025-05-05', 0], ['2024-12-31', 9]), 2025, 'monday')
    expect(most).toMatchObject({ daysActive: 0, weeksActive: 0, monthsActive: 0, month: 0, periods: null })
    expect([toDateText(most.day), range(most.week)]).toEqual(['2025-01-01', '2024-12-30 2025-01-05'])
  })

  test('are there for the year 1, too', () => {
    expect(range(datesOfYear(1))).toBe('0001-01-01 0001-12-31')
    expect(range(findMostActive(new Map(), 1, 'monday').week)).toBe('0001-01-01 0001-01-07')
  })
})

describe('What was done on some dates', () => {
  test('is the sum of its days, on decimals, by metric, attribute and value', () => {
    const days = new Map<Day, ActivitySums>()
    const event = (date: string, value: number, source: string) => ({
      ...{ metric: 'words', date: day(date), value },
      attributes: new Map([['source', source]]),
    })
    addEvents(game, days, [event('2025-03-01', 0.1, 'web'), event('2025-03-01', 0.2, '__proto__')])
    addEvents(game, days, [event('2025-03-02', 0.7, 'web'), event('2025-03-03', 9, 'web')])
    addAwarded(days, 'xp', [
      { date: day('2025-03-02'), value: 5 },
      { date: day('2025-03-04'), value: 7 },
    ])
    const { events, metrics, points } = sumDays(game, days, { from: day('2025-03-01'), to: day('2025-03-02') })
    expect([events, metrics.get('words')?.sum, points.get('xp')]).toEqual([3, 1, 5])
    expect([...(metrics.get('words')?.byAttribute.get('source') ?? [])]).toEqual([
      ['web', 0.8],
      ['__proto__', 0.2],
    ])
    expect(days.get(day('2025-03-04'))?.events).toBe(0)
  })
})

test('A change in percent is against the size of what was before, in two decimals', () => {
  const changes = [
    [3, 4],
    [4, 3],
    [5, 0],
    [-5, 0],
    [0, 0],
    // x.xx5, rounded away from 0.
    [2.8125, 10],
    [17.1875, 10],
    [1, -2],
    [-4, -2],
    [0.3, 0.1],
    [1e15, 5e-324],
  ] as const
  expect(changes.map(([now, before]) => percentChange(now, before))).toEqual([
    -25,
    33.33,
    100,
    -100,
    0,
    -71.88,
    71.88,
    150,
    -100,
    200,
    Number.MAX_SAFE_INTEGER,
  ])
})

describe('Percentiles', () => {
  const [winter, summer] = ['2026-02-03', '2026-07-07']
  const namePeriods = periodsOfYear(2026, 'monday')

  /** Values as `user key date value`; values of events come before values of awards. */
  const yearOf = (events: readonly string[], awards: readonly string[] = []) => {
    const toValues = (texts: readonly string[]) =>
      texts.map((text): Omit<LoggedValue, 'at' | 'seq'> => {
        const [user = '', key = '', date = '', value] = text.split(' ')
        return { user, key, date: day(date), value: Number(value) }
      })
    const summing = startYearSums(game, namePeriods)
    // The values of a user may come in parts.
    for (const value of toValues(events)) summing.seeEvents([value])
    summing.seeAwards(toValues(awards))
    return summing.end()
  }

  const own = (words: number | null, xp: number | null) => ({
    events: 1,
    metrics: new Map(words === null ? [] : [['words', { sum: words, byAttribute: new Map() }]]),
    points: new Map(xp === null ? [] : [['xp', xp]]),
  })

  test('are the share of active users whose change is not above the own one, the user included', () => {
    const sums = yearOf(
      [
        ...[`ann words ${winter} 0.3`, `ann words ${summer} -1`],
        ...[`bob words ${winter} 0.1`, `bob words ${winter} 0.2`],
        ...[`cid words ${winter} 0.4`, `cid words ${summer} 0.4`],
        ...[`dan pages ${winter} 99`, `dan pages ${summer} 99`],
        'eve words 2025-02-03 1000',
      ],
      [
        ...[`ann xp ${winter} 5`, `bob xp ${winter} 4`, `cid xp ${winter} 6`, `cid xp ${summer} 6`],
        // A user without an event in the period is not among them, whatever the points are.
        `eve xp ${winter} 1000`,
      ],
    )
    const [week = '', month = '', year = ''] = namePeriods(day(winter))
    for (const period of [week, month]) {
      const { metrics, points } = percentilesIn(game, sums.get(period), own(0.3, 5))
      expect([[...metrics], [...points]]).toEqual([[['words', 75]], [['xp', 75]]])
    }
    const [, july = ''] = namePeriods(day(summer))
    expect([...percentilesIn(game, sums.get(july), own(-1, null)).metrics]).toEqual([['words', 33.33]])
    expect([...percentilesIn(game, sums.get(year), own(-0.7, null)).metrics]).toEqual([['words', 25]])
  })

  test('are 100 for the only user', () => {
    const sums = yearOf([`ann words ${winter} -3`])
    expect([...percentilesIn(game, sums.get('year'), own(-3, null)).metrics]).toEqual([['words', 100]])
    expect([...percentilesIn(game, undefined, own(-3, null)).metrics]).toEqual([['words', 100]])
  })
})

describe('The longest streak of a year', () => {
  const daily = rules({ streak: { frequency: 'daily', metrics: { words: {} } } })

  /** Rows newest first, of `date length` or `date length kind`. */
  const longest = (year: number, ...rows: readonly string[]) =>
    toLongestStreak(
      daily,
      rows
        .map((row): StreakPeriod => {
          const [date = '', length, kind = 'counted'] = row.split(' ')
          return { start: day(date), length: Number(length), kind: kind as StreakPeriod['kind'] }
        })
        .toReversed(),
      datesOfYear(year),
    )

  test('may have begun before it, and goes over frozen and paused days', () => {
    const rows = [
      '2024-12-30 1',
      '2024-12-31 1 frozen',
      '2025-01-01 2',
      '2025-01-02 2 paused',
      '2025-01-03 3',
      '2025-01-04 3 frozen',
    ]
    expect(longest(2025, ...rows)).toEqual({
      length: 3,
      frequency: 'daily',
      started: '2024-12-30',
      periodStart: '2025-01-03',
      periodEnd: '2025-01-03',
    })
    expect(longest(2024, ...rows)).toMatchObject({ length: 1, started: '2024-12-30', periodStart: '2024-12-30' })
    expect(longest(2026, ...rows)).toMatchObject({ length: 0, started: null, periodStart: null, periodEnd: null })
  })

  test('is the earliest of equal ones, up to its last day that counted', () => {
    const rows = ['2025-02-01 1', '2025-02-02 2', '2025-02-03 2', '2025-05-01 1', '2025-05-02 2']
    expect(longest(2025, ...rows)).toMatchObject({ length: 2, started: '2025-02-01', periodStart: '2025-02-03' })
  })

  test('that was restored has begun where it had, not where the one between did', () => {
    const rows = ['2025-02-01 1', '2025-02-02 2', '2025-02-03 3', '2025-02-10 1', '2025-02-11 3', '2025-02-12 4']
    expect(longest(2025, ...rows)).toMatchObject({ length: 4, started: '2025-02-01', periodStart: '2025-02-12' })
  })

  test('has whole weeks, of which one may lie in two years', () => {
    const game = rules({ streak: { frequency: 'weekly', metrics: { words: {} } } })
    const rows = [{ start: day('2024-12-30'), length: 1, kind: 'counted' }] as const
    const expected = {
      length: 1,
      frequency: 'weekly',
      started: '2024-12-30',
      periodStart: '2024-12-30',
      periodEnd: '2025-01-05',
    }
    expect(toLongestStreak(game, rows, datesOfYear(2024))).toEqual(expected)
    expect(toLongestStreak(game, rows, datesOfYear(2025))).toEqual(expected)
  })
})
