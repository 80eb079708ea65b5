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

describe('A move to another zone', () => {
  const recap: Emails = { recap: 'weekly', reactivation: [] }
  const london = { profile: { tz: 'Europe/London' } }
  const moved = (at: string, tz: string): Said => ({ at, isProfileOnly: true, profile: { tz } })

  test('leaves a recap at the instant that the first activity of its period gave it', () => {
    const said = [{ at: '2026-03-10T12:00:00Z', ...london }, moved('2026-03-12T12:00:00Z', 'America/New_York')]
    expect(told(recap, said, '2026-03-30T00:00:00Z')).toEqual(['2026-03-16T08:00Z recap of 2026-03-09 to 2026-03-15'])
    const active = [...said, { at: '2026-03-13T12:00:00Z' }, { at: '2026-03-14T12:00:00Z' }]
    expect(told(recap, active, '2026-03-17T00:00:00Z')).toEqual(['2026-03-16T08:00Z recap of 2026-03-09 to 2026-03-15'])
  })

  test('after a recap brings no second one of the same period', () => {
    const kiritimati = { profile: { tz: 'Pacific/Kiritimati' } }
    const said = [
      { at: '2026-03-13T12:00:00Z', ...kiritimati },
      // Monday at 08:00 there is Sunday at 18:00 UTC; at 19:00 UTC it is Sunday morning in Honolulu.
      { at: '2026-03-15T19:00:00Z', profile: { tz: 'Pacific/Honolulu' } },
    ]
    expect(told(recap, said, '2026-03-18T00:00:00Z')).toEqual([])
  })

  test('leaves a reactivation at the instant that the last activity gave it', () => {
    const said = [{ at: '2026-03-10T12:00:00Z', ...london }, moved('2026-03-11T12:00:00Z', 'Asia/Tokyo')]
    expect(told({ reactivation: [3] }, said, '2026-03-30T00:00:00Z')).toEqual([
      '2026-03-13T08:00Z reactivation 1 after 3 days',
    ])
  })

  test('leaves an email about an achievement at the instant that the completion gave it', () => {
    const achievements = { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } }
    const emails: Emails = { reactivation: [] }
    const more = { achievements }
    const said = [{ at: '2026-03-10T09:00:00Z', ...london }]
    const lines = ['2026-03-10T17:00Z email about first, time 1']
    // To the west before it, to the east where 17:00 has passed already, and twice.
    const west = [...said, moved('2026-03-10T10:00:00Z', 'America/New_York')]
    const east = [...said, moved('2026-03-10T10:00:00Z', 'Asia/Tokyo')]
    const twice = [...east, moved('2026-03-10T11:00:00Z', 'America/New_York')]
    for (const moves of [said, west, east, twice])
      expect(told(emails, moves, '2026-03-12T00:00:00Z', more)).toEqual(lines)
    const after = [...said, moved('2026-03-10T17:30:00Z', 'America/New_York')]
    expect(told(emails, after, '2026-03-12T00:00:00Z', more)).toEqual([])
  })
})

describe('A date that the zone leaves out', () => {
  // In Apia, 30 December 2011 does not exist.
  const said = [{ at: '2011-12-29T20:00:00Z', profile: { tz: 'Pacific/Apia' } }]

  test('has its recap and its reactivation on the next morning', () => {
    expect(told({ recap: 'daily', reactivation: [1, 5] }, said, '2012-01-10T00:00:00Z')).toEqual([
      '2011-12-30T18:00Z recap of 2011-12-29 to 2011-12-29',
      '2011-12-30T18:00Z reactivation 1 after 1 days',
      '2012-01-02T18:00Z reactivation 2 after 5 days',
    ])
  })

  test('has two reactivations on the next morning if one of them was due on the date that follows', () => {
    expect(told({ reactivation: [1, 2] }, said, '2012-01-10T00:00:00Z')).toEqual([
      '2011-12-30T18:00Z reactivation 1 after 1 days',
      '2011-12-30T18:00Z reactivation 2 after 2 days',
    ])
  })
})

describe('What the host does to a user', () => {
  test('is no activity: it brings no recap and puts off no reactivation', () => {
    const said = [
      { at: '2026-03-10T12:00:00Z', ...berlin },
      { at: '2026-03-11T12:00:00Z', isProfileOnly: true, profile: { name: 'Ann' } },
      { at: '2026-03-17T12:00:00Z', isProfileOnly: true, profile: { name: 'Anna' } },
    ]
    expect(told({ recap: 'weekly', reactivation: [3, 9] }, said, '2026-04-30T00:00:00Z')).toEqual([
      '2026-03-19T07:00Z reactivation 2 after 9 days',
    ])
  })

  test('brings nothing to who has done nothing yet', () => {
    const said = [{ at: '2026-03-10T12:00:00Z', isProfileOnly: true, ...berlin }]
    expect(told({ recap: 'weekly' }, said, '2026-04-30T00:00:00Z')).toEqual([])
  })

  test('is an activity where it is the own key or session of the user', () => {
    const game = rules({ emails: { reactivation: [3] } })
    const log: readonly Entry[] = [
      toEntry({ at: '2026-03-10T12:00:00Z', ...berlin }, 0),
      { ...toEntry({ at: '2026-03-11T12:00:00Z', isProfileOnly: true }, 1), kind: 'userUpserted', own: true },
    ]
    const state = foldLog(new Map([[1, game]]), log)
    expect(state && brought(game, state, '2026-04-01T00:00:00Z')).toEqual([
      '2026-03-14T07:00Z reactivation 1 after 3 days',
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

  test('are not due for who is unsubscribed, and are for who has no address', () => {
    const emails: Emails = { recap: 'daily', reactivation: [3] }
    const said = (more: object): readonly Said[] => [{ at: '2026-03-01T12:00:00Z', profile: { tz: 'UTC', ...more } }]
    const lines = [
      '2026-03-02T08:00Z recap of 2026-03-01 to 2026-03-01',
      '2026-03-04T08:00Z reactivation 1 after 3 days',
    ]
    expect(told(emails, said({ email: 'a@example.com', subscribedToEmails: false }), '2026-04-01T00:00:00Z')).toEqual(
      [],
    )
    expect(told(emails, said({ email: 'a@example.com' }), '2026-04-01T00:00:00Z')).toEqual(lines)
    expect(told(emails, said({}), '2026-04-01T00:00:00Z')).toEqual(lines)
  })

  test('are not due of a kind for which the user names other channels', () => {
    const game = rules({
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
      emails: { recap: 'daily', reactivation: [3] },
    })
    const none = ['achievement_completed', 'recap', 'reactivation'].map((kind) => {
      const refused = { kind: 'preferencesChanged', notifications: new Map([[kind, ['push']]]) }
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
