import { describe, expect, test } from 'vitest'
import { given, rules } from '../support/given.ts'

const game = rules({ streak: { frequency: 'daily', metrics: { words: { threshold: 10 } } } })

describe('What was done today', () => {
  test('comes along to a zone in which it is tomorrow already', () => {
    const { states } = given(game, [
      { at: '2026-03-10T12:00:00Z', value: 6 },
      // 02:30 on the 11th.
      { at: '2026-03-10T12:30:00Z', value: 4, profile: { tz: 'Pacific/Kiritimati' } },
    ])
    expect(states.map(({ streak }) => streak.length)).toEqual([0, 1])
  })

  test('comes along to a zone in which it is still yesterday', () => {
    const { states } = given(game, [
      { at: '2026-03-10T05:00:00Z', value: 6 },
      // 19:30 on the 9th.
      { at: '2026-03-10T05:30:00Z', value: 4, profile: { tz: 'Pacific/Honolulu' } },
    ])
    expect(states.map(({ streak }) => streak.length)).toEqual([0, 1])
  })
})

describe('What was done yesterday', () => {
  test('stays behind where the zone makes it the date of an earlier day', () => {
    const { states } = given(game, [
      { at: '2000-10-28T02:21:00Z', value: 6, profile: { tz: 'America/St_Johns' } },
      // The 29th, and then the 28th again, by clocks that go back over midnight: the 27th stays the 27th.
      { at: '2000-10-29T01:30:00Z', value: 1, profile: { tz: 'Pacific/Kiritimati' } },
      { at: '2000-10-29T02:30:30Z', value: 1, profile: { tz: 'America/St_Johns' } },
      { at: '2000-10-29T02:31:00Z', value: 4 },
    ])
    expect(states.map(({ streak }) => streak.length)).toEqual([0, 0, 0, 0])
  })
})
