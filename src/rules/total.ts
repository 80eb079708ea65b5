import type { Aggregation } from './game.ts'
import type { RunningTotal } from './state.ts'

export const GREATEST_TOTAL = 1e15

const DIGITS = 15
export function roundTo15Digits(value: number): number {
  return add(0, value)
}

/**
 * The sum of two numbers, both taken as the decimals they print as, rounded to 15 significant digits.
 * //=> add(-1.1, 1.2) is 0.1, though -1.1 + 1.2 is not
 */
export function add(total: number, value: number): number {
  const sum = total + value
  // Up to 1e15 no whole number has more digits than are kept.
  if (Number.isSafeInteger(total) && Number.isSafeInteger(value) && Math.abs(sum) <= GREATEST_TOTAL) return sum + 0
  const [left, right, exponent] = toCommonScale(total, value)
  return fromDecimal(left + right, exponent)
}

/** Rounded to 15 digits; a half goes away from 0. */
function fromDecimal(digits: bigint, exponent: number): number {
  const excess = String(digits < 0n ? -digits : digits).length - DIGITS
  if (excess <= 0) return Number(`${digits}e${exponent}`) + 0
  const unit = 10n ** BigInt(excess)
  const half = digits < 0n ? -unit / 2n : unit / 2n
  return Number(`${(digits + half) / unit}e${exponent + excess}`) + 0
}

/** The aggregate of the values that led to `total` and of one more. `total`: undefined before the first value. */
export function aggregate(aggregation: Aggregation, total: number | undefined, value: number): number {
  switch (aggregation) {
    case 'sum':
    case 'distinct':
      return add(total ?? 0, value)
    case 'max':
      return total === undefined ? value : Math.max(total, value)
    case 'min':
      return total === undefined ? value : Math.min(total, value)
    case 'last':
      return value
    default:
      return aggregation satisfies never
  }
}

export function addTo(aggregation: Aggregation, running: RunningTotal | undefined, value: number): RunningTotal {
  const total = aggregate(aggregation, running?.total, value)
  return { total, highest: Math.max(running?.highest ?? 0, total) }
}

export function isWithinBounds(total: number): boolean {
  return Math.abs(total) <= GREATEST_TOTAL
}

/**
 * How many full multiples fit in a total of at least 0. Both are taken as the decimals that they print as.
 * //=> fullMultiples(0.3, 0.1) is 3, though 0.3 / 0.1 is not
 */
export function fullMultiples(total: number, step: number): number {
  const quotient = total / step
  // The division of two such integers never rounds up to the next one.
  if (Number.isSafeInteger(total) && Number.isSafeInteger(step)) return Math.floor(quotient)
  if (quotient > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return Number(countMultiples(total, step))
}

export function newMultiples(from: number, to: number, step: number): number {
  if (to / step <= Number.MAX_SAFE_INTEGER) return fullMultiples(to, step) - fullMultiples(from, step)
  return Math.min(Number(countMultiples(to, step) - countMultiples(from, step)), Number.MAX_SAFE_INTEGER)
}

function countMultiples(total: number, step: number): bigint {
  const [scaledTotal, scaledStep] = toCommonScale(total, step)
  return scaledTotal / scaledStep
}

function toCommonScale(left: number, right: number): readonly [left: bigint, right: bigint, exponent: number] {
  const a = toDecimal(left)
  const b = toDecimal(right)
  const exponent = Math.min(a.exponent, b.exponent)
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent), exponent]
}

/** A number as the decimal it prints as: `digits` × 10 to the power of `exponent`. */
export function toDecimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const fraction = mantissa.split('.')[1] ?? ''
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(exponent) - fraction.length }
}
