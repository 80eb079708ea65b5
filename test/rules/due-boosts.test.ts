// When boosts that one user was given start and finish, by the clock of that user.

import { describe, expect, test } from 'vitest'
import { parseDate } from '../../src/rules/calendar.ts'
import type { BoostGiven, Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { brought } from '../support/brought.ts'
import { rules, toEntry } from '../support/given.ts'

const game = rules({ points: { xp: { name: 'XP' } } })

function told(start: string, end: string | null, at = '2026-03-09T12:00:00Z', system = 'xp'): readonly string[] {
  const given: BoostGiven = {
    kind: 'boostGiven',
    system,
    name: 'Double',
    start: parseDate(start) ?? 0,
    end: end === null ? null : parseDate(end),
    multiplier: 2,
    rounding: 'down',
  }
  const entries: readonly Entry[] = [
    toEntry({ at: '2026-03-01T12:00:00Z', isProfileOnly: true, profile: { tz: 'Asia/Tokyo' } }, 0),
    { ...toEntry({ at }, 1), ...given },
  ]
  const state = foldLog(new Map([[1, game]]), entries)
  return state === null ? [] : brought(game, state, '2027-01-01T00:00:00Z')
}

describe('A boost of one user', () => {
  test('starts at the local midnight of its first date, and finishes at the end of its last', () => {
    expect(told('2026-03-14', '2026-03-15')).toEqual([
      '2026-03-13T15:00Z boostStarted Double',
      '2026-03-15T15:00Z boostFinished Double',
    ])
  })

  test('may never finish', () => {
    expect(told('2026-03-14', null)).toEqual(['2026-03-13T15:00Z boostStarted Double'])
  })

  test('that begins on the day on which it is given starts a minute later', () => {
    expect(told('2026-03-09', '2026-03-09')).toEqual([
      '2026-03-09T12:01Z boostStarted Double',
      '2026-03-09T15:00Z boostFinished Double',
    ])
  })

  test('of a points system that is gone brings nothing', () => {
    expect(told('2026-03-14', '2026-03-15', '2026-03-09T12:00:00Z', 'gone')).toEqual([])
  })
})
