// Time triggers: what falls due by itself, and that it does not matter when anybody looks.

import { describe, expect, test } from 'vitest'
import { dateEntry } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { settle, settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { adoptTimers, dueCountAt } from '../../src/rules/time-points.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type System = NonNullable<Parameters<typeof rules>[0]['points']>[string]
type Trigger = NonNullable<System['triggers']>[number]

const xp = (triggers: readonly Trigger[], more: object = {}) =>
  rules({ points: { xp: { name: 'XP', triggers, ...more } } })
const hourly = (more: object = {}): Trigger => ({ type: 'time', every: { hours: 1 }, points: 1, ...more })
const daily = (more: object = {}): Trigger => ({ type: 'time', every: { days: 1 }, points: 1, ...more })

const NOON = '2026-03-09T12:00:00Z'
const created = (game: Game, said: Partial<Said> = {}) =>
  given(game, [{ at: NOON, isProfileOnly: true, ...said }]).state
const totalAt = (game: Game, state: UserState, at: string) =>
  settled(game, state, Date.parse(at)).points.get('xp')?.total ?? 0

describe('A trigger of hours', () => {
  const sixHours = xp([hourly({ every: { hours: 6 }, points: 10 })])

  test('pays each time that so many hours are over since the user was created', () => {
    const state = created(sixHours)
    expect(totalAt(sixHours, state, '2026-03-09T17:59:59.999Z')).toBe(0)
    expect(totalAt(sixHours, state, '2026-03-09T18:00:00.000Z')).toBe(10)
    expect(totalAt(sixHours, state, '2026-03-10T12:00:00Z')).toBe(40)
  })

  test('counts hours of the clock, also over a change of summer time', () => {
    const state = created(sixHours, { at: '2026-03-28T23:00:00Z', profile: { tz: 'Europe/Berlin' } })
    expect(totalAt(sixHours, state, '2026-03-29T04:59:59Z')).toBe(0)
    expect(totalAt(sixHours, state, '2026-03-29T05:00:00Z')).toBe(10)
  })

  test('is right to the last digit beside another one, at the greatest total that there is', () => {
    const game = xp([
      hourly(),
      { type: 'metric', metric: 'words', threshold: 1, points: Number.MAX_SAFE_INTEGER },
      hourly({ every: { hours: 24 }, points: -1 }),
    ])
    const { state } = given(game, [{ at: NOON, value: 1 }])
    expect(totalAt(game, state, '2026-03-10T12:00:00Z')).toBe(9_007_199_254_740_990)
    // In between two are taken and two given: one after the other they never leave the bounds, at once they would.
    expect(totalAt(game, state, '2026-03-11T14:00:00Z')).toBe(9_007_199_254_740_991)
  })

  test('gives one award for all that fell since the entry before, before the entry itself', () => {
    const game = xp([{ type: 'metric', metric: 'words', threshold: 1, points: 1 }, hourly({ points: 10 })])
    const { changes } = given(game, [
      { at: NOON, value: 1 },
      { at: '2026-03-09T15:30:00Z', value: 2 },
    ])
    expect(changes[1]?.filter(({ type }) => type === 'pointsAwarded')).toMatchObject([
      { due: 30, awarded: 30, total: 31, entryId: 'entry-2' },
      { due: 2, awarded: 2, total: 33, entryId: 'entry-2' },
    ])
  })

  test('takes away where it is negative, down to 0', () => {
    const game = xp([{ type: 'user_creation', points: 5 }, hourly({ points: -2 })])
    const state = created(game)
    expect(totalAt(game, state, '2026-03-09T14:00:00Z')).toBe(1)
    expect(totalAt(game, state, '2026-03-19T14:00:00Z')).toBe(0)
  })

  test('stops at maxPoints, and what was clipped is gone', () => {
    const game = xp([{ type: 'metric', metric: 'words', threshold: 1, points: -1 }, hourly()], { maxPoints: 5 })
    const { states } = given(game, [
      { at: NOON, isProfileOnly: true },
      { at: '2026-03-10T12:30:00Z', value: 3 },
      { at: '2026-03-10T13:00:00Z', isProfileOnly: true, profile: { name: 'Ada' } },
    ])
    expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([undefined, 2, 3])
  })

  test('moves the level', () => {
    const game = xp([hourly()], { levels: { bronze: { name: 'Bronze', points: 3 } } })
    const state = created(game)
    expect(settled(game, state, Date.parse('2026-03-09T14:00:00Z')).points.get('xp')?.level).toBeNull()
    expect(settled(game, state, Date.parse('2026-03-09T15:00:00Z')).points.get('xp')?.level).toBe('bronze')
  })

  test('does not care how long nobody looked: ten years come to what hour by hour does', () => {
    const game = xp([hourly()], { maxPoints: 80_000 })
    const state = created(game)
    const end = Date.parse('2036-03-09T12:00:00Z')
    let stepwise = state
    for (let at = state.at; at <= end; at += 3_600_000) stepwise = settled(game, stepwise, at)
    expect(stepwise.points.get('xp')?.total).toBe(80_000)
    expect(settled(game, state, end)).toEqual(stepwise)
    expect(settle(game, state, end)).toHaveLength(2)
  })
})

describe('A trigger of days', () => {
  const game = xp([daily()])

  test('pays at the local midnights that begin its dates', () => {
    const state = created(game, { profile: { tz: 'Asia/Tokyo' } })
    expect(totalAt(game, state, '2026-03-09T14:59:59.999Z')).toBe(0)
    expect(totalAt(game, state, '2026-03-09T15:00:00Z')).toBe(1)
    expect(totalAt(game, state, '2026-03-10T15:00:00Z')).toBe(2)
  })

  test('pays every so many dates since that of the creation', () => {
    const weekly = xp([daily({ every: { days: 7 } })])
    const state = created(weekly)
    expect(totalAt(weekly, state, '2026-03-15T23:59:59Z')).toBe(0)
    expect(totalAt(weekly, state, '2026-03-16T00:00:00Z')).toBe(1)
    expect(totalAt(weekly, state, '2026-03-30T00:00:00Z')).toBe(3)
  })

  test('pays once on a day of 23 hours and on one of 25', () => {
    const state = created(game, { profile: { tz: 'Europe/Berlin' } })
    expect(totalAt(game, state, '2026-03-28T22:59:59Z')).toBe(19)
    expect(totalAt(game, state, '2026-03-28T23:00:00Z')).toBe(20)
    expect(totalAt(game, state, '2026-03-29T21:59:59Z')).toBe(20)
    expect(totalAt(game, state, '2026-03-29T22:00:00Z')).toBe(21)
    expect(totalAt(game, state, '2026-10-24T22:00:00Z')).toBe(230)
    expect(totalAt(game, state, '2026-10-25T22:59:59Z')).toBe(230)
    expect(totalAt(game, state, '2026-10-25T23:00:00Z')).toBe(231)
  })

  test('pays when the date begins where its midnight is left out', () => {
    // Clocks in Cairo went from 23:59:59 on 23 April to 01:00 on 24 April.
    const state = created(game, { at: '2026-04-22T12:00:00Z', profile: { tz: 'Africa/Cairo' } })
    expect(totalAt(game, state, '2026-04-23T21:59:59Z')).toBe(1)
    expect(totalAt(game, state, '2026-04-23T22:00:00Z')).toBe(2)
  })

  test('pays for a date that a zone left out, when the next one begins', () => {
    const state = created(game, { at: '2011-12-29T12:00:00Z', profile: { tz: 'Pacific/Apia' } })
    expect(totalAt(game, state, '2011-12-30T09:59:59Z')).toBe(0)
    expect(totalAt(game, state, '2011-12-30T10:00:00Z')).toBe(2)
  })

  test('keeps its distance from today when the zone changes', () => {
    const threeDays = xp([daily({ every: { days: 3 } })])
    const { state } = given(threeDays, [
      { at: '2026-03-09T12:00:00Z', isProfileOnly: true, profile: { tz: 'Pacific/Kiritimati' } },
      { at: '2026-03-10T12:00:00Z', isProfileOnly: true, profile: { tz: 'Pacific/Pago_Pago' } },
    ])
    // The 11th in Kiritimati was two days before the 13th; on the 10th in Pago Pago it is the 12th.
    expect(totalAt(threeDays, state, '2026-03-12T10:59:59Z')).toBe(0)
    expect(totalAt(threeDays, state, '2026-03-12T11:00:00Z')).toBe(1)
  })

  test('pays no faster for somebody who goes to and fro between zones', () => {
    const moves = Array.from({ length: 20 }, (_, day): Said[] => [
      // By the date of Kiritimati it is a day later than in Greenwich, and a few hours after it is not.
      { at: instantAfter(day, '10:30'), isProfileOnly: true, profile: { tz: 'UTC' } },
      { at: instantAfter(day + 1, '00:10'), isProfileOnly: true, profile: { tz: 'Pacific/Kiritimati' } },
    ]).flat()
    const { state } = given(game, [
      { at: instantAfter(0, '09:00'), isProfileOnly: true, profile: { tz: 'Pacific/Kiritimati' } },
      ...moves,
    ])
    // A user who stayed has 20 then.
    expect(totalAt(game, state, instantAfter(20, '09:59'))).toBe(22)
  })
})

/** So many days after 1 March. */
function instantAfter(days: number, time: string): string {
  return new Date(Date.parse(`2026-03-01T${time}:00Z`) + days * 86_400_000).toISOString()
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

test('An event uses what time has brought, as it was clipped', () => {
  const game = xp([hourly(), { type: 'metric', metric: 'words', threshold: 1, points: -1, blockIfOutOfPoints: true }], {
    maxPoints: 5,
  })
  const state = created(game)
  const codeOf = (value: number) =>
    refuse(game, state, dateEntry(state, toEntry({ at: '2026-03-10T12:00:00Z', value }, state.seq)))?.code
  expect(codeOf(5)).toBeUndefined()
  expect(codeOf(6)).toBe('out_of_points')
})

describe('Who it pays', () => {
  test('is told by the attributes that the user had until then', () => {
    const game = xp([hourly({ userAttributes: { plan: 'pro' } })])
    const plan = (name: string) => ({ profile: { attributes: new Map([['plan', name]]) }, isProfileOnly: true })
    const { states } = given(game, [
      { at: NOON, ...plan('pro') },
      { at: '2026-03-09T14:00:00Z', ...plan('free') },
      { at: '2026-03-09T20:00:00Z', ...plan('pro') },
      { at: '2026-03-09T21:00:00Z', ...plan('free') },
    ])
    expect(states.map(({ points }) => points.get('xp')?.total ?? 0)).toEqual([0, 2, 2, 3])
  })

  test('is nobody while it is inactive, and nothing is made up for later', () => {
    const [off, on] = [xp([hourly({ status: 'inactive' })]), xp([hourly()])]
    const { states } = given(
      [off, on],
      [
        { at: NOON, isProfileOnly: true },
        { at: '2026-03-09T14:30:00Z', epoch: 2 },
        { at: '2026-03-09T15:00:00Z', epoch: 2 },
      ],
    )
    expect(states.map(({ points }) => points.get('xp')?.total ?? 0)).toEqual([0, 0, 1])
  })
})

describe('Under a newer game', () => {
  test('a trigger that it brings begins with the entry that adopts it', () => {
    const { state } = given([xp([]), xp([hourly()])], [{ at: NOON }, { at: '2026-03-09T14:30:00Z', epoch: 2 }])
    expect(state.points.get('xp')?.total ?? 0).toBe(0)
    expect(totalAt(xp([hourly()]), state, '2026-03-09T15:29:59Z')).toBe(0)
    expect(totalAt(xp([hourly()]), state, '2026-03-09T15:30:00Z')).toBe(1)
  })

  test('what the game before paid until then is there, and a trigger that is gone is forgotten', () => {
    const { state, changes } = given([xp([hourly()]), xp([])], [{ at: NOON }, { at: '2026-03-09T14:30:00Z', epoch: 2 }])
    expect(state.points.get('xp')?.total).toBe(2)
    expect(state.timers.size).toBe(0)
    expect(changes[1]?.filter(({ type }) => type === 'pointsAwarded')).toHaveLength(1)
  })

  test('one with a key whose hours change keeps its anchor, and pays nothing of the past again', () => {
    const every = (hours: number) => xp([hourly({ key: 'refill', every: { hours } })])
    const { state } = given([every(4), every(3)], [{ at: NOON }, { at: '2026-03-09T20:30:00Z', epoch: 2 }])
    // Two of four hours each, at 16:00 and 20:00; the next of three hours each is the third, at 21:00.
    expect(state.points.get('xp')?.total).toBe(2)
    expect(totalAt(every(3), state, '2026-03-09T20:59:59Z')).toBe(2)
    expect(totalAt(every(3), state, '2026-03-09T21:00:00Z')).toBe(3)
  })

  test('one with a key that falls more often now does not make up for what fell less often', () => {
    const every = (hours: number) => xp([hourly({ key: 'refill', every: { hours } })])
    const { state } = given([every(4), every(1)], [{ at: NOON }, { at: '2026-03-09T20:30:00Z', epoch: 2 }])
    expect(totalAt(every(1), state, '2026-03-09T20:59:59Z')).toBe(2)
    expect(totalAt(every(1), state, '2026-03-09T21:00:00Z')).toBe(3)
  })

  test('one with a key whose dates are kept back, after moves to the west, still pays what is kept back', () => {
    const every = (days: number) => xp([daily({ key: 'refill', every: { days } })])
    const [before, after] = [every(7), every(1)]
    const [id = ''] = created(before).timers.keys()
    // The dates count from two days before the anchor, so dates could pass faster than time.
    const timer = { anchor: Date.parse('2026-03-16T23:30:00Z'), date: dayOf('2026-03-14'), dueCount: 17 }
    const adopted = adoptTimers(before, after, new Map([[id, timer]]), {
      at: Date.parse('2026-07-19T16:32:00Z'),
      today: dayOf('2026-07-20'),
    }).get(id)
    // 128 dates have begun, and 126 of them were let through.
    expect(adopted).toEqual({ ...timer, dueCount: 126 })
    const later = { at: Date.parse('2026-08-05T17:32:00Z'), today: dayOf('2026-08-06') }
    expect(dueCountAt({ unit: 'day', count: 1 }, { ...timer, dueCount: 126 }, later)).toBe(143)
  })

  test('one without a key whose hours change is another trigger', () => {
    const every = (hours: number) => xp([hourly({ every: { hours } })])
    const { state } = given([every(4), every(3)], [{ at: NOON }, { at: '2026-03-09T20:30:00Z', epoch: 2 }])
    expect(totalAt(every(3), state, '2026-03-09T23:29:59Z')).toBe(2)
    expect(totalAt(every(3), state, '2026-03-09T23:30:00Z')).toBe(3)
  })

  test('what time paid until the adoption counts on its leaderboards', () => {
    const board = { name: 'Board', rankBy: 'points', system: 'xp', start: '2026-01-01' } as const
    const game = (name: string) =>
      rules({ points: { xp: { name, triggers: [hourly()] } }, leaderboards: { all: board } })
    const { state } = given([game('XP'), game('Points')], [{ at: NOON }, { at: '2026-03-09T14:30:00Z', epoch: 2 }])
    expect(state.leaderboards.get('all')?.[0]?.value).toBe(2)
  })
})

test('What time brings counts on a leaderboard from the next entry on', () => {
  const board = { name: 'Board', rankBy: 'points', system: 'xp', start: '2026-01-01' } as const
  const game = rules({ points: { xp: { name: 'XP', triggers: [hourly()] } }, leaderboards: { all: board } })
  const { states } = given(game, [{ at: NOON }, { at: '2026-03-09T14:30:00Z' }])
  expect(states.map(({ leaderboards }) => leaderboards.get('all')?.[0]?.value)).toEqual([undefined, 2])
})

describe('Decay and refill in one system', () => {
  test('loses a point for each date and no more, with a change of summer time between', () => {
    const game = xp([daily({ points: -1 }), hourly({ every: { hours: 5 }, points: 5 })])
    const state = created(game, { at: '2011-12-27T06:01:00Z', profile: { tz: 'Pacific/Auckland' } })
    // 563 times 5, less one for each of 118 dates but the first, before which there was nothing to lose.
    expect(totalAt(game, state, '2012-04-22T14:01:00Z')).toBe(2_698)
  })

  const games = {
    'Europe/Berlin': [hourly({ points: 3 }), daily({ points: -50 }), hourly({ every: { hours: 5 }, points: -4 })],
    'Africa/Cairo': [daily({ points: 40 }), hourly({ points: -2 }), daily({ every: { days: 3 }, points: -70 })],
    'America/Nuuk': [daily({ points: -9 }), daily({ points: 10 }), hourly({ every: { hours: 7 }, points: 5 })],
    'Asia/Beirut': [hourly({ every: { hours: 12 }, points: 30 }), daily({ points: -61 })],
    'America/Havana': [daily({ points: 7 }), hourly({ every: { hours: 8 }, points: -3 })],
  }
  const start = Date.parse('2026-01-05T07:20:00Z')
  const end = Date.parse('2027-01-20T18:00:00Z')

  test.each(Object.entries(games))('comes to the same in %s wherever the time is cut', (tz, triggers) => {
    const game = xp([{ type: 'user_creation', points: 33 }, ...triggers], { maxPoints: 100 })
    const state = created(game, { at: new Date(start).toISOString(), profile: { tz } })
    const uncut = settled(game, state, end)
    let seed = 7
    for (let round = 0; round < 40; round += 1) {
      let cut = state
      const cuts = Array.from({ length: 1 + round }, () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
        return start + Math.floor((seed / 2 ** 31) * (end - start))
      }).sort((left, right) => left - right)
      for (const at of [...cuts, end]) cut = settled(game, cut, at)
      expect(cut, `round ${round}`).toEqual(uncut)
    }
  })

  test('comes to what going through every quarter of an hour does', () => {
    for (const [tz, triggers] of Object.entries(games)) {
      const game = xp([{ type: 'user_creation', points: 33 }, ...triggers], { maxPoints: 100 })
      const state = created(game, { at: '2026-03-01T07:15:00Z', profile: { tz } })
      let stepwise = state
      const last = Date.parse('2026-05-10T07:15:00Z')
      for (let at = state.at; at <= last; at += 900_000) stepwise = settled(game, stepwise, at)
      expect(settled(game, state, last), tz).toEqual(stepwise)
    }
  })
})
