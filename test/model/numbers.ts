import { Decimal } from 'decimal.js'

// Numbers are decimals of 15 significant digits.

const Exact = Decimal.clone({ precision: 700, rounding: Decimal.ROUND_HALF_UP })

/** The exact sum of the decimals that the numbers are written as, rounded. */
export function add(a: number, b: number): number {
  return new Exact(a).plus(b).toSignificantDigits(15).toNumber() + 0 // + 0: no negative zero
}

function decimal(x: number): { digits: bigint; exponent: number } {
  const [mantissa = '0', exponent = '0'] = x.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** How many full thresholds are in the total (both at least 0), exactly: 0.3 has three times 0.1. */
export function thresholdsIn(total: number, threshold: number): bigint {
  const a = decimal(total)
  const b = decimal(threshold)
  const lowest = Math.min(a.exponent, b.exponent)
  const scaled = (d: { digits: bigint; exponent: number }) => d.digits * 10n ** BigInt(d.exponent - lowest)
  return scaled(a) / scaled(b)
}

/** At most as many as can be counted. */
export function newThresholds(from: number, to: number, threshold: number): number {
  return Math.min(Number(thresholdsIn(to, threshold) - thresholdsIn(from, threshold)), Number.MAX_SAFE_INTEGER)
}

/**
 * A whole number above 0, multiplied by decimals as written, and rounded once; `nearest` takes halves up. Nothing
 * between is rounded: 10 times 1.1 times 1.1 is 12.1.
 */
export function multiplied(whole: number | bigint, multipliers: number[], rounding: 'down' | 'up' | 'nearest'): number {
  let above = BigInt(whole)
  let below = 1n
  for (const multiplier of multipliers) {
    const { digits, exponent } = decimal(multiplier)
    above *= digits
    if (exponent < 0) below *= 10n ** BigInt(-exponent)
    else above *= 10n ** BigInt(exponent)
  }
  if (rounding === 'down') return Number(above / below)
  if (rounding === 'up') return Number((above + below - 1n) / below)
  return Number((2n * above + below) / (2n * below))
}
