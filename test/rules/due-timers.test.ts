// When time triggers bring something: each award at its instant, and nothing of what would be clipped.

import { describe, expect, test } from 'vitest'
import { nextDue, timeBrings } from '../../src/rules/due.ts'
import { brought, toMinutes } from '../support/brought.ts'
import { given, rules } from '../support/given.ts'

const NOON = '2026-03-09T12:00:00Z'
type Trigger = NonNullable<NonNullable<Parameters<typeof rules>[0]['points']>[string]['triggers']>[number]

const xp = (triggers: readonly Trigger[], more: object = {}) =>
  rules({ points: { xp: { name: 'XP', triggers, ...more } } })
const created = (game: ReturnType<typeof rules>, tz = 'UTC') =>
  given(game, [{ at: NOON, isProfileOnly: true, profile: { tz } }]).state

describe('A time trigger', () => {
  test('gives each award at its own instant, with the total and the level as they are then', () => {
    const game = xp([{ type: 'time', every: { hours: 6 }, points: 10 }], {
      levels: { bronze: { name: 'Bronze', points: 20 } },
    })
    expect(brought(game, created(game), '2026-03-10T06:00:00Z')).toEqual([
      '2026-03-09T18:00Z xp +10, now 10',
      '2026-03-10T00:00Z xp +10, now 20',
      '2026-03-10T00:00Z xp on level bronze',
      '2026-03-10T06:00Z xp +10, now 30',
    ])
  })

  test('of days gives at local midnights', () => {
    const game = xp([{ type: 'time', every: { days: 2 }, points: 1 }])
    expect(brought(game, created(game, 'Asia/Tokyo'), '2026-03-14T00:00:00Z')).toEqual([
      '2026-03-10T15:00Z xp +1, now 1',
      '2026-03-12T15:00Z xp +1, now 2',
    ])
  })

  test('is due no more once there is as much as there can be', () => {
    const game = xp([{ type: 'time', every: { hours: 1 }, points: 2 }], { maxPoints: 3 })
    const state = created(game)
    expect(brought(game, state, '2036-01-01T00:00:00Z')).toEqual([
      '2026-03-09T13:00Z xp +2, now 2',
      '2026-03-09T14:00Z xp +1, now 3',
    ])
    expect(nextDue(game, state, Date.parse('2026-03-09T14:00:00Z'))).toBeNull()
  })

  test('that takes away is due no more once nothing is left', () => {
    const game = xp([
      { type: 'user_creation', points: 5 },
      { type: 'time', every: { days: 1 }, points: -3 },
    ])
    const state = created(game)
    expect(brought(game, state, '2036-01-01T00:00:00Z')).toEqual([
      '2026-03-10T00:00Z xp -3, now 2',
      '2026-03-11T00:00Z xp -2, now 0',
    ])
    expect(nextDue(game, created(xp([{ type: 'time', every: { days: 1 }, points: -3 }])), 0)).toBeNull()
  })

  test('is passed over while it would be clipped, and comes again when another has made room', () => {
    const game = xp(
      [
        { type: 'user_creation', points: 2 },
        { type: 'time', every: { hours: 1 }, points: 1 },
        { type: 'time', every: { hours: 5 }, points: -1 },
      ],
      { maxPoints: 2 },
    )
    const state = created(game)
    expect(brought(game, state, '2026-03-09T22:00:00Z')).toEqual([
      '2026-03-09T17:00Z xp -1, now 1',
      '2026-03-09T18:00Z xp +1, now 2',
      '2026-03-09T22:00Z xp -1, now 1',
    ])
    expect(toMinutes(nextDue(game, state, Date.parse('2026-03-09T18:00:00Z')) ?? 0)).toBe('2026-03-09T22:00Z')
  })

  test('says what each award is worth, without those before it that were clipped', () => {
    const game = xp(
      [
        { type: 'user_creation', points: 2 },
        { type: 'time', every: { hours: 5 }, points: -1 },
        { type: 'time', every: { hours: 1 }, points: 1 },
      ],
      { maxPoints: 2 },
    )
    const state = created(game)
    const changes = timeBrings(game, state, state.at, Date.parse('2026-03-09T18:00:00Z')).map(({ change }) => change)
    expect(changes.filter(({ type }) => type === 'pointsAwarded')).toMatchObject([
      { due: -1, awarded: -1, total: 2 },
      { due: 1, awarded: 1, total: 2 },
    ])
  })

  test('is for those alone whose attributes it asks for, and only while it is active', () => {
    const pro = xp([{ type: 'time', every: { hours: 1 }, points: 1, userAttributes: { plan: 'pro' } }])
    const paused = xp([{ type: 'time', every: { hours: 1 }, points: 1, status: 'inactive' }])
    expect(nextDue(pro, created(pro), 0)).toBeNull()
    expect(nextDue(paused, created(paused), 0)).toBeNull()
  })
})
