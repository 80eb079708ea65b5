import type { Instant } from '../../../rules/calendar.ts'

const WINDOW_MS = 15 * 60_000

/**
 * The end of the quarter of an hour of UTC that an instant lies in. Pieces of one quarter are merged into one message.
 */
export function windowEnd(at: Instant): Instant {
  return (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS
}
