// The sums of consecutive dates match a plain walk over every window.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addOn, greatestAround } from '../../src/rules/limit.ts'
import type { DateSum } from '../../src/rules/state.ts'
import { seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()

interface Added {
  readonly date: number
  readonly value: number
}

/** The best window of all, walked from the first date to the last. */
function bestOf(events: readonly Added[], days: number): number {
  let best = 0
  for (let first = -days; first <= 70; first += 1) {
    const within = events.filter(({ date }) => date >= first && date < first + days)
    best = Math.max(
      best,
      within.reduce((sum, { value }) => sum + value, 0),
    )
  }
  return best
}

test(`the best window is that of a walk over all windows, while dates go back by at most two (seed ${SEED})`, () => {
  const event = fc.record({ back: fc.nat(2), forward: fc.nat(4), value: fc.integer({ min: 0, max: 20 }) })
  const property = fc.property(fc.array(event, { maxLength: 15 }), fc.integer({ min: 1, max: 31 }), (steps, days) => {
    let [today, best, sums]: [number, number, readonly DateSum[]] = [2, 0, []]
    const events: Added[] = []
    for (const { back, forward, value } of steps) {
      today += forward
      events.push({ date: today - back, value })
      sums = addOn(sums, today - back, value, days)
      best = Math.max(best, greatestAround(days, sums, today - back))
    }
    expect(best).toBe(bestOf(events, days))
  })
  fc.assert(property, { seed: SEED, numRuns: 500 })
})
