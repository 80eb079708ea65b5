// When emails would be due: recaps, for who has been away, and about achievements.

import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { brought } from '../support/brought.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type Emails = NonNullable<Parameters<typeof rules>[0]['emails']>

const berlin = { profile: { tz: 'Europe/Berlin' } }

function told(emails: Emails, said: readonly Said[], until: string, more: object = {}): readonly string[] {
  const game = rules({ emails, ...more })
  return brought(game, given(game, said).state, until)
}

describe('A recap', () => {
  const only = (recap: 'daily' | 'weekly' | 'monthly' | 'yearly'): Emails => ({ recap, reactivation: [] })
  const monday: readonly Said[] = [{ at: '2026-03-09T12:00:00Z', ...berlin }]

  test('of a day is due at eight on the next morning', () => {
    expect(told(only('daily'), monday, '2026-03-20T00:00:00Z')).toEqual([
      '2026-03-10T07:00Z recap of 2026-03-09 to 2026-03-09',
    ])
  })

  test('of a week is due when it is over, by the day on which weeks of the game start', () => {
    expect(told(only('weekly'), monday, '2026-04-20T00:00:00Z')).toEqual([
      '2026-03-16T07:00Z recap of 2026-03-09 to 2026-03-15',
    ])
    expect(told(only('weekly'), monday, '2026-04-20T00:00:00Z', { weekStartsOn: 'sunday' })).toEqual([
      '2026-03-15T07:00Z recap of 2026-03-08 to 2026-03-14',
    ])
  })

  test('of a month and of a year is due on the first', () => {
    expect(told(only('monthly'), monday, '2026-06-20T00:00:00Z')).toEqual([
      '2026-04-01T06:00Z recap of 2026-03-01 to 2026-03-31',
    ])
    expect(told(only('yearly'), monday, '2029-06-20T00:00:00Z')).toEqual([
      '2027-01-01T07:00Z recap of 2026-01-01 to 2026-12-31',
    ])
  })

  test('is due for who did something before it on the same morning', () => {
    expect(told(only('weekly'), [...monday, { at: '2026-03-16T05:00:00Z' }], '2026-03-16T12:00:00Z')).toEqual([
      '2026-03-16T07:00Z recap of 2026-03-09 to 2026-03-15',
    ])
  })

  test('is not due of a time in which the user was not there yet', () => {
    expect(told(only('weekly'), [{ at: '2026-03-16T05:00:00Z', ...berlin }], '2026-03-16T12:00:00Z')).toEqual([])
  })

  test('comes by the clocks of New York for who is nobody knows where', () => {
    expect(told(only('daily'), [{ at: '2026-03-10T02:00:00Z' }], '2026-03-20T00:00:00Z')).toEqual([
      // 22:00 on the 9th there.
      '2026-03-10T12:00Z recap of 2026-03-09 to 2026-03-09',
    ])
  })
})

describe('Who has been away', () => {
  test('is written to after 3, 5, 7, 14 and 30 days', () => {
    expect(told({}, [{ at: '2026-03-01T12:00:00Z', ...berlin }], '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-04T07:00Z reactivation 1 after 3 days',
      '2026-03-06T07:00Z reactivation 2 after 5 days',
      '2026-03-08T07:00Z reactivation 3 after 7 days',
      '2026-03-15T07:00Z reactivation 4 after 14 days',
      '2026-03-31T06:00Z reactivation 5 after 30 days',
    ])
  })

  test('is written to from the beginning after having been there again', () => {
    const said = [{ at: '2026-03-01T12:00:00Z', ...berlin }, { at: '2026-03-05T12:00:00Z' }]
    expect(told({ reactivation: [2] }, said, '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-07T07:00Z reactivation 1 after 2 days',
    ])
  })
})

describe('An email about an achievement', () => {
  const achievements = { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } }
  const at = (when: string, more: Partial<Said> = {}) =>
    told({ reactivation: [] }, [{ at: when, ...berlin, ...more }], '2027-01-01T00:00:00Z', { achievements })

  test('is due at five in the afternoon, or on the next one after nine', () => {
    expect(at('2026-03-09T08:00:00Z')).toEqual(['2026-03-09T16:00Z email about first, time 1'])
    expect(at('2026-03-09T15:59:59Z')).toEqual(['2026-03-09T16:00Z email about first, time 1'])
    expect(at('2026-03-09T20:00:00Z')).toEqual(['2026-03-10T16:00Z email about first, time 1'])
  })

  test('is due with the next minute in between', () => {
    expect(at('2026-03-09T16:00:00Z')).toEqual(['2026-03-09T16:01Z email about first, time 1'])
    expect(at('2026-03-09T19:59:59Z')).toEqual(['2026-03-09T20:00Z email about first, time 1'])
  })

  test('is not due where the game says so', () => {
    const emails = { reactivation: [], achievements: false }
    expect(told(emails, [{ at: '2026-03-09T08:00:00Z' }], '2027-01-01T00:00:00Z', { achievements })).toEqual([])
  })
})

describe('Emails', () => {
  test('are not due where the game has none', () => {
    const game = rules({})
    const { state } = given(game, [{ at: '2026-03-01T12:00:00Z' }])
    expect(brought(game, state, '2027-01-01T00:00:00Z')).toEqual([])
  })

  test('are not due of a kind for which the user names other channels', () => {
    const game = rules({
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
      emails: { recap: 'daily', reactivation: [3] },
    })
    const none = ['achievement_completed', 'recap', 'reactivation'].map((kind) => {
      const refused = { kind: 'preferencesChanged', notifications: new Map([[kind, ['push']]]), streak: null }
      const entries = [
        toEntry({ at: '2026-03-02T12:00:00Z', ...berlin }, 0),
        { ...toEntry({ at: '2026-03-02T13:00:00Z' }, 1), ...refused } as Entry,
      ]
      const state = foldLog(new Map([[1, game]]), entries)
      return state === null ? [] : brought(game, state, '2026-04-01T00:00:00Z').map((line) => line.slice(18, 26))
    })
    expect(none).toEqual([
      ['recap of', 'reactiva'],
      ['email ab', 'reactiva'],
      ['email ab', 'recap of'],
    ])
  })
})
