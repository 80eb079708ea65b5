const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** After the first try, which is at once, the pauses before the others. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** How much longer a pause may be, so that what failed at one moment is not tried at one moment. */
const JITTER = 0.1
const LONGEST_WAIT_MS = 24 * HOUR

/**
 * How long to wait after `tries` tries that failed; null: there are no more. `retryAfterMs` is what the receiver asked
 * for, and makes a pause longer only. `random`: from 0 up to 1.
 */
export function pauseAfter(tries: number, retryAfterMs: number | null, random: number): number | null {
  const pause = PAUSES_MS[tries - 1]
  if (pause === undefined) return null
  const wanted = Math.max(pause, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS))
  return Math.round(wanted * (1 + JITTER * random))
}

/** The header `Retry-After`, of seconds or of a date; null: it says nothing. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  // Dates of HTTP name the day of the week; Date.parse would take much else.
  if (!/^[A-Z][a-z]+, .*GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** What became of one try. */
export type Judgement = 'delivered' | 'failed' | 'gone'

/** What a receiver's status means; null: there was no answer. */
export function judgeStatus(status: number | null): Judgement {
  if (status === null) return 'failed'
  if (status >= 200 && status <= 299) return 'delivered'
  return status === 410 ? 'gone' : 'failed'
}
