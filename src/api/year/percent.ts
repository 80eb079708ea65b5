import { add } from '../../rules/total.ts'

/** The change against the sum before in percent, in two decimals. From 0 it is 100 up, -100 down, or 0. */
export function percentChange(now: number, before: number): number {
  if (before === 0) return Math.sign(now) * 100 + 0
  return roundTo2((add(now, -before) / Math.abs(before)) * 100)
}

/** Halves are rounded away from 0. Numbers beyond the safe integers are cut off at these. */
export function roundTo2(number: number): number {
  const size = Math.min(Number.MAX_SAFE_INTEGER, Math.round(Math.abs(number) * 100) / 100)
  return Math.sign(number) * size + 0
}
