// In St. John's the clocks went from 00:01 on 2010-11-07 back to 23:01 on the 6th.

import { describe, expect, test } from 'vitest'
import { parseDate } from '../../src/rules/calendar.ts'
import { given, rules, type Said } from '../support/given.ts'

const ST_JOHNS = { tz: 'America/St_Johns' }
const daily = (threshold?: number) =>
  rules({ streak: { frequency: 'daily', metrics: { words: threshold === undefined ? {} : { threshold } } } })

function lengths(threshold: number | undefined, said: readonly Said[]): readonly number[] {
  return given(daily(threshold), said).states.map(({ streak }) => streak.length)
}

describe('When the date runs backwards', () => {
  test('the day before the last counted one adds nothing', () => {
    expect(
      lengths(undefined, [
        // 00:00:30 on the 7th, then 23:01:30 on the 6th, then 00:00 on the 7th again.
        { at: '2010-11-07T02:30:30Z', profile: ST_JOHNS },
        { at: '2010-11-07T02:31:30Z' },
        { at: '2010-11-07T03:30:00Z' },
      ]),
    ).toEqual([1, 1, 1])
  })

  test('what was done on both days before counts for each of them', () => {
    const said = [
      { at: '2010-11-07T02:00:00Z', value: 5, profile: ST_JOHNS },
      { at: '2010-11-07T02:30:30Z', value: 1 },
      // 23:01:30 on the 6th: 5 + 5 words on that day.
      { at: '2010-11-07T02:31:30Z', value: 5 },
      // The 7th: 1 + 9 words.
      { at: '2010-11-07T03:30:00Z', value: 9 },
    ]
    expect(lengths(10, said)).toEqual([0, 0, 1, 2])
    expect(given(daily(10), said).state.streak.started).toBe(parseDate('2010-11-06'))
  })
})
