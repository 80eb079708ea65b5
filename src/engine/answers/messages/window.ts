import type { Instant } from '../../../rules/calendar.ts'

const WINDOW_MS = 15 * 60_000

/** The quarter of an hour of UTC in which things that change are told together: when it ends, which also is its name. */
export function windowEnd(at: Instant): Instant {
  return (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS
}
