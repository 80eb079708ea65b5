// The sum of awards that are clipped one by one.

import { expect, test } from 'vitest'
import { addPayments, type Schedule } from '../../src/rules/payments.ts'

const HOUR = 3_600_000

/** Awards every so many hours. */
function hourly(points: number, hours: number, count: number): Schedule {
  return { points, count, at: (k) => k * hours * HOUR }
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
  expect(addPayments([hourly(5, 1, 400), hourly(-8, 2, 200)], 10_000, 100)).toEqual([0, -1_600])
})

test('a debt in a wallet rises by what is paid, and not at once to 0', () => {
  expect(addPayments([hourly(1, 1, 3)], -4, 100)).toEqual([3])
  expect(addPayments([hourly(5, 1, 3)], -4, 8)).toEqual([12])
})

test('of two at one instant the first in the order falls first', () => {
  expect(addPayments([hourly(5, 1, 1), hourly(-8, 1, 1)], 10, 10)).toEqual([0, -8])
  expect(addPayments([hourly(-8, 1, 1), hourly(5, 1, 1)], 10, 10)).toEqual([-8, 5])
})

test('what is worth nothing, or has not dueCount, takes no part', () => {
  expect(addPayments([hourly(0, 1, 4), hourly(5, 1, 0), hourly(2, 3, 2)], 1, 100)).toEqual([0, 0, 4])
})

test('ten years of two kinds come to what each day brings', () => {
  // Each day adds 24 and takes as many, except the first, at whose end there are 23 or 24.
  expect(addPayments([hourly(1, 1, 87_600), hourly(-30, 24, 3_650)], 0, 50)).toEqual([87_600, -87_600])
})

test('a slow rise to the bound ends below it by what the last award takes', () => {
  const [risen = 0, fallen = 0] = addPayments([hourly(2, 1, 87_600), hourly(-47, 24, 3_650)], 0, 1_000)
  expect(risen + fallen).toBe(953)
})

test('a day of 25 hours among others is one day', () => {
  for (let from = 1; from <= 118; from += 1) {
    const at = (k: number): number => k * 24 * HOUR + (k < from ? 0 : HOUR)
    // More comes than goes from the first award on, so that nothing is clipped.
    const gains = addPayments([hourly(5, 5, 563), { points: -1, count: 118, at }], 1, 100_000)
    expect(gains, `day ${from}`).toEqual([2_815, -118])
  }
})
