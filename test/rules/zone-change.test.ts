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
