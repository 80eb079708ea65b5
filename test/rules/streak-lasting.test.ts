import { describe, expect, test } from 'vitest'
import type { Freezes, UserState } from '../../src/rules/state.ts'
import { given, rules } from '../support/given.ts'
import { aliveUntil } from '../support/streak-end.ts'

const weekly = (interval: number) =>
  rules({
    streak: { frequency: 'weekly', metrics: { words: {} }, freezes: { initial: 1, max: 3, autoEarn: { interval } } },
  })

/** A Wednesday, in the week from the 9th to the 15th. */
const NOW = '2026-03-11T12:00:00Z'
/** The 20,523rd day is that Wednesday. */
const TODAY = 20_523

function stateOf(game: ReturnType<typeof weekly>, freezes?: Freezes): UserState {
  const state = given(game, [{ at: NOW, value: 1 }]).states.at(-1)
  if (state === undefined) throw new RangeError('There is a state')
  return freezes === undefined ? state : { ...state, freezes }
}

const text = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString())

describe('A weekly streak that nobody extends any more', () => {
  test('lasts for ever where a freeze is there and each week earns one', () => {
    const game = weekly(7)
    expect(aliveUntil(game, stateOf(game))).toBeNull()
  })

  test('ends with the second week that is missed where the next freeze comes after it', () => {
    const game = weekly(8)
    expect(text(aliveUntil(game, stateOf(game, { count: 0, nextEarned: TODAY + 60 })))).toBe('2026-03-23T00:00:00.000Z')
    expect(text(aliveUntil(game, stateOf(game, { count: 1, nextEarned: TODAY + 60 })))).toBe('2026-03-30T00:00:00.000Z')
  })

  test('is not saved by freezes that begin to be earned too late', () => {
    const game = weekly(5)
    expect(text(aliveUntil(game, stateOf(game, { count: 1, nextEarned: TODAY + 60 })))).toBe('2026-03-30T00:00:00.000Z')
    expect(text(aliveUntil(game, stateOf(game, { count: 2, nextEarned: TODAY + 60 })))).toBe('2026-04-06T00:00:00.000Z')
    expect(aliveUntil(game, stateOf(game, { count: 1, nextEarned: TODAY + 5 }))).toBeNull()
  })
})
