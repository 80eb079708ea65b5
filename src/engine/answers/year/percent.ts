import { add } from '../../../rules/total.ts'

/** Against the sum before, in two decimals: 100 where that was nothing, 0 where there is nothing now either. */
export function percentChange(now: number, before: number): number {
  if (before === 0) return now === 0 ? 0 : 100
  return roundTo2((add(now, -before) / Math.abs(before)) * 100)
}

/** At most what is an integer for certain. */
export function roundTo2(number: number): number {
  const most = Number.MAX_SAFE_INTEGER
  return Math.max(-most, Math.min(most, Math.round(number * 100) / 100)) + 0
}
