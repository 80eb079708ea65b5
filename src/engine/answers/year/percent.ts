import { add } from '../../../rules/total.ts'

/** The change against the sum before in percent, in two decimals: 100 where that was 0, and 0 where both are 0. */
export function percentChange(now: number, before: number): number {
  if (before === 0) return now === 0 ? 0 : 100
  return roundTo2((add(now, -before) / Math.abs(before)) * 100)
}

/** Numbers beyond the safe integers are cut off at these. */
export function roundTo2(number: number): number {
  const most = Number.MAX_SAFE_INTEGER
  return Math.max(-most, Math.min(most, Math.round(number * 100) / 100)) + 0
}
