import type { RunningTotal } from './state.ts'

/** Values and totals stay within this magnitude (decisions, section 2). */
export const GREATEST_TOTAL = 1e15

const ZERO: RunningTotal = { total: 0, highest: 0 }
const EXACT_INTEGER = 999_999_999_999_999

/** A decimal of 15 significant digits. */
export function roundTo15Digits(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) <= EXACT_INTEGER) return value + 0
  return Number(value.toPrecision(15)) + 0
}

/** The total after a value was added. //=> add(0.2, 0.1) is 0.3 */
export function add(total: number, value: number): number {
  return roundTo15Digits(total + value)
}

export function addTo(running: RunningTotal | undefined, value: number): RunningTotal {
  const { total, highest } = running ?? ZERO
  const sum = add(total, value)
  return { total: sum, highest: Math.max(highest, sum) }
}

export function isWithinBounds(total: number): boolean {
  return Math.abs(total) <= GREATEST_TOTAL
}

/**
 * How many full steps fit in a total of at least 0, both taken as the decimals they print as; at most as many as can be
 * counted. //=> fullSteps(0.3, 0.1) is 3, though 0.3 / 0.1 is not
 */
export function fullSteps(total: number, step: number): number {
  const quotient = total / step
  // Within 15 digits the division of two integers never rounds up to the next one.
  if (Number.isInteger(total) && Number.isInteger(step)) return Math.floor(quotient)
  if (quotient > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  const nearest = Math.round(quotient)
  // Far from an integer the rounding of the division cannot reach it.
  if (Math.abs(quotient - nearest) > 1e-9 * Math.max(1, nearest)) return Math.floor(quotient)
  return Number(countSteps(total, step))
}

/** How many full steps more fit in `to` than in `from`. */
export function newSteps(from: number, to: number, step: number): number {
  if (to / step <= Number.MAX_SAFE_INTEGER) return fullSteps(to, step) - fullSteps(from, step)
  return Math.min(Number(countSteps(to, step) - countSteps(from, step)), Number.MAX_SAFE_INTEGER)
}

function countSteps(total: number, step: number): bigint {
  const [scaledTotal, scaledStep] = toCommonScale(total, step)
  return scaledTotal / scaledStep
}

function toCommonScale(left: number, right: number): readonly [bigint, bigint] {
  const a = toDecimal(left)
  const b = toDecimal(right)
  const exponent = Math.min(a.exponent, b.exponent)
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent)]
}

function toDecimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const fraction = mantissa.split('.')[1] ?? ''
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(exponent) - fraction.length }
}
