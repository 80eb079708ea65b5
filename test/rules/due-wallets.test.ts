import { describe, expect, test } from 'vitest'
import { nextDue, timeBrings } from '../../src/rules/due.ts'
import type { Game } from '../../src/rules/game.ts'
import type { UserState } from '../../src/rules/state.ts'
import { type Act, coins, earn, hold, play, spend, visit } from '../support/wallets.ts'

const WARNED = { after: { days: 30 }, roundTo: 'day', warn: { days: 7 } } as const

/** The messages by time until an instant, each as `pointsExpiring 40 at 2026-02-02T00:00`. */
function brought(game: Game, acts: readonly Act[], until: string): readonly string[] {
  const { state } = play(game, acts)
  return timeBrings(game, state, state.at, Date.parse(until)).map(({ at, change }) => {
    const amount = 'points' in change ? change.points : 'amount' in change ? change.amount : ''
    return `${change.type} ${amount} at ${new Date(at).toISOString().slice(0, 16)}`
  })
}

const dueOf = (game: Game, state: UserState): string | null => {
  const due = nextDue(game, state, state.at)
  return due === null ? null : new Date(due).toISOString()
}

describe('expiring points', () => {
  test('are announced at the local midnight some days before, and again when they are gone', () => {
    const acts = [visit('2026-01-10T08:00:00Z', 'Europe/Berlin'), earn('2026-01-10', 40), earn('2026-01-12', 60)]
    expect(brought(coins({ expires: WARNED }), acts, '2026-03-01T00:00:00Z')).toEqual([
      'pointsExpiring 40 at 2026-02-01T23:00',
      'pointsExpiring 60 at 2026-02-03T23:00',
      'pointsMoved 40 at 2026-02-08T23:00',
      'pointsMoved 60 at 2026-02-10T23:00',
    ])
  })

  test('are announced without the points that were spent', () => {
    const acts = [earn('2026-01-10', 40), spend('2026-01-11', 'order', 25)]
    expect(brought(coins({ expires: WARNED }), acts, '2026-02-05T00:00:00Z')).toEqual([
      'pointsExpiring 15 at 2026-02-02T00:00',
    ])
  })

  test('are announced with pending points that are available by then', () => {
    const game = coins({ expires: WARNED, pending: { days: 14 } })
    const { state } = play(game, [earn('2026-01-10', 40)])
    expect(dueOf(game, state)).toBe('2026-02-02T00:00:00.000Z')
    expect(brought(game, [earn('2026-01-10', 40)], '2026-02-10T00:00:00Z')).toEqual([
      'pointsExpiring 40 at 2026-02-02T00:00',
      'pointsMoved 40 at 2026-02-09T00:00',
    ])
  })

  test('are not announced while they are held, and expire after the grace', () => {
    const acts = [earn('2026-01-10', 40), hold('2026-01-11', 'cart', 40, '2026-03-01T12:00:00Z')]
    expect(brought(coins({ expires: WARNED, refundGrace: { days: 10 } }), acts, '2026-04-01T00:00:00Z')).toEqual([
      'pointsExpiring 40 at 2026-03-04T00:00',
      'pointsMoved 40 at 2026-03-11T00:00',
    ])
  })

  test('cause nothing if they never expire, and only the expiry without a warning', () => {
    const acts = [earn('2026-01-10', 40)]
    const never = coins()
    expect(dueOf(never, play(never, acts).state)).toBeNull()
    const unwarned = coins({ expires: { after: { days: 30 }, roundTo: 'day' } })
    expect(brought(unwarned, acts, '2026-03-01T00:00:00Z')).toEqual(['pointsMoved 40 at 2026-02-09T00:00'])
  })
})

test('points by time are due while the balance is below maxPoints', () => {
  const daily = { type: 'time', every: { days: 1 }, points: 10 } as const
  const game = coins({ maxPoints: 20, triggers: [daily] })
  const acts = [visit('2026-01-10')]
  expect(brought(game, acts, '2026-02-01T00:00:00Z').filter((text) => text.startsWith('pointsAwarded'))).toEqual([
    'pointsAwarded  at 2026-01-11T00:00',
    'pointsAwarded  at 2026-01-12T00:00',
  ])
  const spent = play(game, [...acts, spend('2026-01-20', 'order', 5)]).state
  expect(dueOf(game, spent)).toBe('2026-01-21T00:00:00.000Z')
})
