import { Decimal } from 'decimal.js'
import { describe, expect, test } from 'vitest'
import { add, addTo, fullMultiples, isWithinBounds, roundTo15Digits } from '../../src/rules/total.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'

const seed = seedOfRun()

const Exact = Decimal.clone({ precision: 1000, rounding: Decimal.ROUND_HALF_UP })

/**
 * Values of every size up to 1e15, down to the smallest: whole, with a few decimal places, or with all that they need.
 */
function randomNumber(random: () => number): number {
  const sign = random() < 0.5 ? -1 : 1
  const kind = random()
  if (kind < 0.2) return sign * Math.floor(random() * 10 ** Math.floor(random() * 16))
  if (kind < 0.7) return sign * Number((random() * 10 ** Math.floor(random() * 10)).toFixed(Math.floor(random() * 7)))
  if (kind < 0.9) return sign * random() * 10 ** (15 - Math.floor(random() * 30))
  return sign * Math.min(1e15, random() * 10 ** (15 - Math.floor(random() * 340)))
}

describe('A sum', () => {
  test.each([
    [0.1, 0.2, 0.3],
    [0.3, -0.3, 0],
    [1e15, 0, 1e15],
    [999_999_999_999_999, 1, 1e15],
    [999_999_999_999_999, 0.6, 1e15],
    [123_456_789.123_456, 0.000_000_4, 123_456_789.123_456],
    [123_456_789.123_456, 0.000_000_6, 123_456_789.123_457],
    [1e-300, 1e-300, 2e-300],
    [1e15, 1e-300, 1e15],
    [-1.1, 1.2, 0.1],
    [100, -99.9, 0.1],
    [100.1, -100, 0.1],
    [12_345_678_901_234.5, 0.05, 12_345_678_901_234.6],
    [12_345_678_901_234.5, 0.049_999_9, 12_345_678_901_234.5],
    [999_999_999_999_999, 0.499_999_999_999_999_9, 999_999_999_999_999],
    [9_999_999_999.99, -9_999_999_999.98, 0.01],
    [0.123_456_789_012_345_68, -0.123_456_789_012_345, 0.000_000_000_000_000_68],
    [1e15, -0.5, 1e15],
    [1e15, -0.6, 999_999_999_999_999],
    [1.5e-323, -5e-324, 1e-323],
    [2.2250738585072014e-308, -2.225073858507201e-308, 5e-324],
    [9_007_199_254_740_991, 2, 9_007_199_254_740_990],
  ])('of %d and %d is %d: a decimal of 15 digits', (total, value, expected) => {
    expect(add(total, value)).toBe(expected)
  })

  test.each([
    [-0, -0],
    [0, -0],
    [1, -1],
  ])('of %d and %d is 0, and never -0', (total, value) => {
    expect(Object.is(add(total, value), 0)).toBe(true)
  })

  test('of ten times 0.1 is 1, of a thousand times 0.001 is 1, of 1,000,000 times 0.01 is 10,000', () => {
    const times = (count: number, value: number) => {
      let total = 0
      for (let index = 0; index < count; index += 1) total = add(total, value)
      return total
    }
    expect(times(10, 0.1)).toBe(1)
    expect(times(1000, 0.001)).toBe(1)
    expect(times(1_000_000, 0.01)).toBe(10_000)
    expect(times(3, -1.1)).toBe(-3.3)
  })

  test('that is smaller than any number is 0, from below too', () => {
    expect(add(7.34698435062e-313, -7.3469843506e-313)).toBe(0)
    expect(add(7.3469843506e-313, -7.34698435062e-313)).toBe(0)
  })

  test(`is that of exact decimals, whatever their size (seed ${seed})`, () => {
    const random = createRandom(seed)
    const wrong: string[] = []
    for (let index = 0; index < (SOAK ? 1_000_000 : 30_000); index += 1) {
      const left = randomNumber(random)
      const right = random() < 0.3 ? -left * (1 + random() / 10 ** Math.floor(random() * 16)) : randomNumber(random)
      const expected = new Exact(left).plus(right).toSignificantDigits(15).toNumber() + 0
      if (!Object.is(add(left, right), expected)) wrong.push(`${left} + ${right}: ${add(left, right)}, not ${expected}`)
    }
    expect(wrong.slice(0, 10)).toEqual([])
  })

  test('is rounded after each addition, not in the end', () => {
    // Each 0.4 alone is lost beside a total of 15 digits; together they would not be.
    expect(add(add(add(123_456_789_012_345, 0.4), 0.4), 0.4)).toBe(123_456_789_012_345)
  })

  test.each([
    [0.1 + 0.2, 0.3],
    [123_456_789_012_345.67, 123_456_789_012_346],
    [-0, 0],
    [1e15 + 4, 1e15],
    [1e15 + 6, 1e15 + 10],
  ])('%d is rounded to %d', (value, expected) => {
    expect(roundTo15Digits(value)).toBe(expected)
  })
})

describe('A running total', () => {
  test('keeps the highest it has been, at least 0', () => {
    expect(addTo('sum', undefined, 5)).toEqual({ total: 5, highest: 5 })
    expect(addTo('sum', undefined, -5)).toEqual({ total: -5, highest: 0 })
    expect(addTo('sum', { total: 5, highest: 9 }, 3)).toEqual({ total: 8, highest: 9 })
    expect(addTo('sum', { total: 5, highest: 9 }, 5)).toEqual({ total: 10, highest: 10 })
    expect(addTo('sum', { total: -5, highest: 0 }, 4)).toEqual({ total: -1, highest: 0 })
    expect(addTo('sum', { total: 0.2, highest: 0.2 }, 0.1)).toEqual({ total: 0.3, highest: 0.3 })
  })

  test('stays within 1e15, both ways, the bounds included', () => {
    expect([1e15, -1e15, 0, 999_999_999_999_999].map(isWithinBounds)).toEqual([true, true, true, true])
    expect([1_000_000_000_000_010, -1_000_000_000_000_010, 2e15].map(isWithinBounds)).toEqual([false, false, false])
    expect([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map(isWithinBounds)).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('Full steps', () => {
  test.each([
    [0.3, 0.1, 3],
    [0.899_999_999_999_999, 0.3, 2],
    [2.3, 0.1, 23],
    [1.005, 0.005, 201],
    [0.999_999_999_999_999, 0.1, 9],
    [2.999_999_999_999_99, 3, 0],
    [3, 3, 1],
    [9.999_999_999_999_99, 3.333_333_333_333_33, 3],
    [9.999_999_999_999_98, 3.333_333_333_333_33, 2],
    [0, 0.1, 0],
    [999_999_999_999_999, 1e15, 0],
    [1e15, 3, 333_333_333_333_333],
    [999_999_999_999_994, 7, 142_857_142_857_142],
    [999_999_999_999_993, 7, 142_857_142_857_141],
    [1e15, 0.5, 2_000_000_000_000_000],
    [999_999_999_999_999, 0.3, 3_333_333_333_333_330],
    [123_456_789.123_456, 0.000_001, 123_456_789_123_456],
    [2.999_999_999_999_99e-300, 1e-300, 2],
    [1.5e-323, 5e-324, 3],
  ])('of %d in steps of %d are %d', (total, step, expected) => {
    expect(fullMultiples(total, step)).toBe(expected)
  })

  test(`of a number of tenths, hundredths and so on are counted exactly (seed ${seed})`, () => {
    const random = createRandom(seed)
    const wrong: string[] = []
    for (let index = 0; index < (SOAK ? 2_000_000 : 100_000); index += 1) {
      const digits = Math.floor(random() * 7)
      const steps = 1 + Math.floor(random() * 10 ** (1 + Math.floor(random() * 7)))
      const size = 1 + Math.floor(random() * 1000)
      // Whole numbers whose point is moved, by writing them: nothing is divided here.
      const step = Number(`${size}e-${digits}`)
      const exact = Number(`${size * steps}e-${digits}`)
      const below = Number(`${size * steps - 1}e-${digits}`)
      if (fullMultiples(exact, step) !== steps) wrong.push(`${exact} / ${step}`)
      if (fullMultiples(below, step) !== steps - 1) wrong.push(`${below} / ${step}`)
    }
    expect(wrong.slice(0, 10)).toEqual([])
  })

  test(`never go down when the total goes up (seed ${seed})`, () => {
    const random = createRandom(seed)
    const wrong: string[] = []
    for (let run = 0; run < 200; run += 1) {
      const step = Number((random() * 10 ** (Math.floor(random() * 12) - 4)).toPrecision(3))
      let total = 0
      let steps = 0
      for (let index = 0; index < 100; index += 1) {
        total = add(total, Number((random() * step * 3).toPrecision(4)))
        const next = fullMultiples(total, step)
        if (next < steps) wrong.push(`${total} / ${step}: ${next} after ${steps}`)
        steps = next
      }
    }
    expect(wrong).toEqual([])
  })
})
