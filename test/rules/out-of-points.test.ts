// `blockIfOutOfPoints` and the first event of an unknown user.

import { describe, expect, test } from 'vitest'
import { decide } from '../../src/rules/decide.ts'
import { dateEntry } from '../../src/rules/fold.ts'
import { findOverdraft } from '../../src/rules/points.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { emptyState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type Systems = NonNullable<Parameters<typeof rules>[0]['points']>

const at = '2026-03-10T12:00:00Z'
const game = rules({
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 10 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -5, blockIfOutOfPoints: true },
      ],
    },
  },
})

describe('The event that creates a user', () => {
  const nobody = emptyState(Date.parse(at), 1)

  test.each([
    [1, null],
    [2, null],
    [3, 'out_of_points'],
  ])('may spend what creation pays: 10 of %i times 5 is %s', (value, code) => {
    const entry = dateEntry(nobody, toEntry({ at, metric: 'laps', value }, 0))
    expect(refuse(game, nobody, entry)?.code ?? null).toBe(code)
  })
})

describe('An event is refused by', () => {
  const nobody = emptyState(Date.parse(at), 1)
  const creation = { type: 'user_creation', points: 10 } as const
  const spend = { type: 'metric', metric: 'laps', threshold: 1, points: -6, blockIfOutOfPoints: true } as const
  const system = (triggers: NonNullable<Systems[string]['triggers']>, more: object = {}): Systems[string] => ({
    name: 'XP',
    triggers,
    ...more,
  })
  const overdraftOf = (points: Systems, said: Said) => {
    const all = rules({ points })
    const entry = dateEntry(nobody, toEntry(said, 0))
    const overdraft = findOverdraft(all, nobody, decide(all, nobody, entry), entry)
    return overdraft === null ? null : [overdraft.system.key, overdraft.total, overdraft.left]
  }
  const laps = (value: number): Said => ({ at, metric: 'laps', value })

  test('the first system that is short, which counts its own awards only', () => {
    const points = { gems: system([{ ...creation, points: 100 }]), xp: system([creation, spend]) }
    expect(overdraftOf(points, laps(1))).toBeNull()
    expect(overdraftOf(points, laps(2))).toEqual(['xp', 10, -2])
  })

  test('a system that clipped what creation pays, as it was clipped', () => {
    expect(overdraftOf({ xp: system([creation, creation, spend], { maxPoints: 5 }) }, laps(1))).toEqual(['xp', 5, -1])
  })
})

test('Points that time pays use no cap where an event may be refused', () => {
  const game = rules({
    points: {
      xp: {
        name: 'XP',
        cap: { points: 10, per: 'day' },
        triggers: [
          { type: 'time', every: { hours: 1 }, points: 10 },
          { type: 'metric', metric: 'laps', threshold: 1, points: 10 },
          { type: 'metric', metric: 'laps', threshold: 1, points: -15, blockIfOutOfPoints: true },
        ],
      },
    },
  })
  const { state } = given(game, [{ at, isProfileOnly: true }])
  const entry = toEntry({ at: '2026-03-10T13:00:00Z', metric: 'laps', value: 1 }, 1)
  expect(refuse(game, state, dateEntry(state, entry))).toBeNull()
})
