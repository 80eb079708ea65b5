// When users are reminded of a streak: in a period that can be missed, and in which nothing counted yet.

import { describe, expect, test } from 'vitest'
import { nextDue, timeBrings } from '../../src/rules/due.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { brought } from '../support/brought.ts'
import { given, rules, toEntry } from '../support/given.ts'

const daily = { frequency: 'daily', metrics: { words: {} } } as const
const evening = { key: 'evening', before: { hours: 4 } }
const game = rules({ streak: { ...daily, reminders: [evening] } })
const berlin = { profile: { tz: 'Europe/Berlin' } }

/** After an event on Monday, 9 March 2026, and an entry of another kind. */
function then(body: object, of = game) {
  const entries = [
    toEntry({ at: '2026-03-09T12:00:00Z', ...berlin }, 0),
    { ...toEntry({ at: '2026-03-09T13:00:00Z' }, 1), ...body } as Entry,
  ]
  const state = foldLog(new Map([[1, of]]), entries)
  if (state === null) throw new RangeError('Nothing happened')
  return state
}

describe('A reminder', () => {
  test('is due so many hours before the period ends that would be missed', () => {
    const { state } = given(game, [{ at: '2026-03-09T12:00:00Z', ...berlin }])
    expect(brought(game, state, '2026-03-12T00:00:00Z')).toEqual([
      '2026-03-10T19:00Z reminder evening for 2026-03-10, which ends 2026-03-10T23:00Z',
      '2026-03-10T23:00Z streak of 1 lost',
    ])
  })

  test('that was told leaves what comes next', () => {
    const { state } = given(game, [{ at: '2026-03-09T12:00:00Z', ...berlin }])
    const told = Date.parse('2026-03-10T19:00:00Z')
    expect(nextDue(game, state, told - 1)).toBe(told)
    expect(nextDue(game, state, told)).toBe(Date.parse('2026-03-10T23:00:00Z'))
  })

  test('is not due on a day that has counted', () => {
    const { state } = given(game, [{ at: '2026-03-09T12:00:00Z', ...berlin }, { at: '2026-03-10T18:59:00Z' }])
    expect(brought(game, state, '2026-03-11T18:00:00Z')).toEqual([])
  })

  test('is due in the evening also where the day has 23 hours', () => {
    const { state } = given(game, [{ at: '2026-03-28T12:00:00Z', ...berlin }])
    expect(brought(game, state, '2026-03-29T20:00:00Z')).toEqual([
      '2026-03-29T18:00Z reminder evening for 2026-03-29, which ends 2026-03-29T22:00Z',
    ])
  })

  test('may come with the beginning of its day', () => {
    const early = rules({
      streak: { ...daily, freezes: { initial: 1, max: 1 }, reminders: [{ key: 'early', before: { hours: 23 } }] },
    })
    // In Cairo 1 August 2014 had 23 hours.
    const { state } = given(early, [{ at: '2014-07-30T12:00:00Z', profile: { tz: 'Africa/Cairo' } }])
    expect(brought(early, state, '2014-08-01T00:00:00Z')).toEqual([
      '2014-07-30T23:00Z reminder early for 2014-07-31, which ends 2014-07-31T22:00Z',
      '2014-07-31T22:00Z freeze consumed, 0 left',
      '2014-07-31T22:00Z reminder early for 2014-08-01, which ends 2014-08-01T21:00Z',
    ])
  })

  test('that would come before its day comes with its beginning where the day has 22 hours', () => {
    const early = rules({ streak: { ...daily, reminders: [{ key: 'early', before: { hours: 23 } }] } })
    const { state } = given(early, [{ at: '2026-03-28T12:00:00Z', profile: { tz: 'Antarctica/Troll' } }])
    expect(brought(early, state, '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-29T00:00Z reminder early for 2026-03-29, which ends 2026-03-29T22:00Z',
    ])
  })

  test('is due also where a freeze would save the streak, on each of the days', () => {
    const saved = rules({ streak: { ...daily, reminders: [evening], freezes: { initial: 1, max: 1 } } })
    const { state } = given(saved, [{ at: '2026-03-09T12:00:00Z' }])
    expect(brought(saved, state, '2026-03-20T00:00:00Z')).toEqual([
      '2026-03-10T20:00Z reminder evening for 2026-03-10, which ends 2026-03-11T00:00Z',
      '2026-03-11T00:00Z freeze consumed, 0 left',
      '2026-03-11T20:00Z reminder evening for 2026-03-11, which ends 2026-03-12T00:00Z',
      '2026-03-12T00:00Z streak of 1 lost',
    ])
  })

  test('is not due on a day that is paused, but on the first one after', () => {
    const state = then({ kind: 'pauseCreated', start: 20_522, end: 20_524 })
    expect(brought(game, state, '2026-03-13T22:00:00Z')).toEqual([
      '2026-03-13T19:00Z reminder evening for 2026-03-13, which ends 2026-03-13T23:00Z',
    ])
  })

  test('is not due for who wants no emails of the kind, or no streak', () => {
    const pushed = { kind: 'preferencesChanged', notifications: new Map([['streak_reminder', ['push']]]) }
    const off = { kind: 'preferencesChanged', notifications: new Map(), streak: { enabled: false } }
    expect(brought(game, then(pushed), '2026-04-01T00:00:00Z')).toEqual(['2026-03-10T23:00Z streak of 1 lost'])
    expect(brought(game, then(off), '2026-04-01T00:00:00Z')).toEqual([])
  })

  test('is due for who wants emails of the kind among others', () => {
    const channels = ['push', 'email']
    const state = then({
      kind: 'preferencesChanged',
      notifications: new Map([['streak_reminder', channels]]),
      streak: null,
    })
    expect(brought(game, state, '2026-03-10T20:00:00Z')).toHaveLength(1)
  })

  test('says how late it may be told', () => {
    const slow = rules({
      streak: { ...daily, reminders: [evening, { ...evening, key: 'slow', staleAfter: { hours: 3 } }] },
    })
    const { state } = given(slow, [{ at: '2026-03-09T12:00:00Z' }])
    const due = timeBrings(slow, state, state.at, Date.parse('2026-03-10T20:00:00Z'))
    expect(due.map(({ change }) => change)).toMatchObject([
      { reminder: 'evening', staleAfter: 7_200_000 },
      { reminder: 'slow', staleAfter: 10_800_000 },
    ])
  })

  test('of named streaks says whose it is', () => {
    const gym = rules({
      streaks: { gym: { ...daily, frequency: 'weekly', reminders: [{ key: 'weekend', before: { hours: 48 } }] } },
    })
    const { state } = given(gym, [{ at: '2026-03-09T12:00:00Z' }])
    expect(brought(gym, state, '2026-03-22T00:00:00Z')).toEqual([
      '2026-03-21T00:00Z reminder weekend of gym for 2026-03-16, which ends 2026-03-23T00:00Z',
    ])
  })
})

describe('Without reminders of its own a streak has, where the game has emails,', () => {
  const usual = (frequency: 'daily' | 'weekly' | 'monthly', more: object = {}) =>
    rules({ streak: { ...daily, frequency }, emails: { reactivation: [] }, ...more })
  const told = (of: ReturnType<typeof usual>, until: string) =>
    brought(of, given(of, [{ at: '2026-03-09T12:00:00Z', ...berlin }]).state, until)

  test('one at eight in the evening of a day', () => {
    expect(told(usual('daily'), '2026-03-10T22:00:00Z')).toEqual([
      '2026-03-10T19:00Z reminder usual for 2026-03-10, which ends 2026-03-10T23:00Z',
    ])
  })

  test('one on Friday morning of a week, whatever day it starts on', () => {
    expect(told(usual('weekly'), '2026-03-21T12:00:00Z')).toEqual([
      '2026-03-20T07:00Z reminder usual for 2026-03-16, which ends 2026-03-22T23:00Z',
    ])
    expect(told(usual('weekly', { weekStartsOn: 'sunday' }), '2026-03-21T12:00:00Z')).toEqual([
      '2026-03-20T07:00Z reminder usual for 2026-03-15, which ends 2026-03-21T23:00Z',
    ])
  })

  test('one on the 25th of a month', () => {
    expect(told(usual('monthly'), '2026-04-30T12:00:00Z')).toEqual([
      '2026-04-25T06:00Z reminder usual for 2026-04-01, which ends 2026-04-30T22:00Z',
    ])
  })

  test('none where it has an empty list, and named streaks have none', () => {
    const none = rules({ streak: { ...daily, reminders: [] }, streaks: { gym: daily }, emails: { reactivation: [] } })
    expect(told(none, '2026-03-10T22:00:00Z')).toEqual([])
    expect(told(game, '2026-03-10T18:00:00Z')).toEqual([])
  })
})
