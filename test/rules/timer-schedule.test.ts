// What falls come to that are clipped one by one, found without going through all of them.

import { expect, test } from 'vitest'
import { addPayments, type Schedule } from '../../src/rules/time-points.ts'

const HOUR = 3_600_000

/** Schedule every so many hours; `seen` counts how often one is looked at. */
function hourly(points: number, hours: number, count: number, seen?: { looks: number }): Schedule {
  const step = hours * HOUR
  return {
    count,
    at: (k) => k * step,
    get points() {
      if (seen !== undefined) seen.looks += 1
      return points
    },
    evenFrom: () => ({ step, last: count }),
  }
}

/** The same falls, but from the k-th on they come so many hours later, as days do after clocks have gone back. */
function delayed({ points, count, at }: Schedule, from: number, hours: number): Schedule {
  const step = at(2) - at(1)
  return {
    points,
    count,
    at: (k) => at(k) + (k < from ? 0 : hours * HOUR),
    evenFrom: (k) => ({ step, last: k < from ? Math.min(from - 1, count) : count }),
  }
}

/** The same falls, whose times are not known to be even. */
function uneven({ points, count, at }: Schedule): Schedule {
  return { points, count, at, evenFrom: (k) => ({ step: 1, last: k }) }
}

test('falls of one kind stop at the bounds', () => {
  expect(addPayments([hourly(3, 1, 10)], 0, 100)).toEqual([30])
  expect(addPayments([hourly(3, 1, 10)], 80, 100)).toEqual([20])
  expect(addPayments([hourly(-3, 1, 10)], 20, 100)).toEqual([-20])
  expect(addPayments([hourly(3, 1, 10)], 120, 100)).toEqual([0])
})

test('falls of two kinds are clipped in the order in which they fall', () => {
  // +5 each hour, -8 every two: 5, 10, 2, 7, 10 (of 12), 2 …
  expect(addPayments([hourly(5, 1, 4), hourly(-8, 2, 2)], 0, 10)).toEqual([18, -16])
})

test('a total above the maximum, which a newer game has lowered, falls and is not raised before it is below', () => {
  // 104 of at most 100, then +5 each hour, -8 every two: 104, 104, 96, 100 (of 101), 100, 92.
  expect(addPayments([hourly(5, 1, 4), hourly(-8, 2, 2)], 104, 100)).toEqual([4, -16])
  expect(addPayments([uneven(hourly(5, 1, 4)), uneven(hourly(-8, 2, 2))], 104, 100)).toEqual([4, -16])
  expect(addPayments([hourly(5, 1, 400), hourly(-8, 2, 200)], 10_000, 100)).toEqual([0, -1_600])
})

test('of two at one instant the first in the order falls first', () => {
  expect(addPayments([hourly(5, 1, 1), hourly(-8, 1, 1)], 10, 10)).toEqual([0, -8])
  expect(addPayments([hourly(-8, 1, 1), hourly(5, 1, 1)], 10, 10)).toEqual([-8, 5])
})

test('what is worth nothing, or has not dueCount, takes no part', () => {
  expect(addPayments([hourly(0, 1, 4), hourly(5, 1, 0), hourly(2, 3, 2)], 1, 100)).toEqual([0, 0, 4])
})

test('ten years of two kinds are no more work than some days', () => {
  const seen = { looks: 0 }
  const gains = addPayments([hourly(1, 1, 87_600, seen), hourly(-30, 24, 3_650, seen)], 0, 50)
  // Each day brings 24 and takes as much: but for the first, at whose end 23 or 24 are there.
  expect(gains).toEqual([87_600, -87_600])
  expect(seen.looks).toBeLessThan(500)
})

test('a slow rise to the bound is no more work either', () => {
  const seen = { looks: 0 }
  const gains = addPayments([hourly(2, 1, 87_600, seen), hourly(-47, 24, 3_650, seen)], 0, 1_000)
  expect(gains[0]).toBeDefined()
  expect((gains[0] ?? 0) + (gains[1] ?? 0)).toBe(953)
  expect(seen.looks).toBeLessThan(500)
})

test('a day of 25 hours among others is one day', () => {
  const days = hourly(-1, 24, 118)
  for (let from = 1; from <= 118; from += 1) {
    // More comes than goes from the first award on, so that nothing is clipped.
    expect(addPayments([hourly(5, 5, 563), delayed(days, from, 1)], 1, 100_000), `day ${from}`).toEqual([2_815, -118])
  }
})

test('whatever the falls, skipping rounds comes to the same as going through each', () => {
  let seed = 20_260_309
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  for (let round = 0; round < 400; round += 1) {
    const kinds = 2 + random(3)
    const length = 50 + random(400)
    // To the last digit also at the greatest total that there is.
    const greatest = random(3) === 0 ? Number.MAX_SAFE_INTEGER : 1 + random(60)
    const falls = Array.from({ length: kinds }, () => {
      const hours = 1 + random(6)
      const even = hourly(random(31) - 15, hours, Math.floor(length / hours))
      return random(2) === 0 ? even : delayed(even, 1 + random(even.count), random(4))
    })
    const total = greatest - random(Math.min(greatest, 60) + 1)
    expect(addPayments(falls, total, greatest), `round ${round}`).toEqual(
      addPayments(falls.map(uneven), total, greatest),
    )
  }
})
