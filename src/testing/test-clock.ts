import { checkOptions, invalidOption } from '../options.ts'

/** A day is 24 hours, even on a day with a clock change. For a local time, name the instant itself. */
export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

export interface TestClock {
  /** The `clock` that `createGamification` takes. */
  readonly now: () => Date
  set(instant: string | Date): void
  /** Moves the clock; a negative duration moves it back. */
  advance(duration: Duration): void
}

/** A clock that does not move until a test sets or moves it. */
export function createTestClock(start: string | Date): TestClock {
  let now = toInstant(start)
  return {
    now: () => new Date(now),
    set: (instant) => {
      now = toInstant(instant)
    },
    advance: (duration) => {
      checkDuration(duration)
      now += toMilliseconds(duration)
    },
  }
}

const WITH_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/

/** Throws for a text without an offset: it would mean another instant on every machine. */
export function toInstant(instant: string | Date): number {
  const isNamed = typeof instant !== 'string' || WITH_OFFSET.test(instant)
  const at = isNamed ? new Date(instant).getTime() : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new RangeError(`Write the instant ${JSON.stringify(instant)} as '2026-03-01T09:00:00Z' or with an offset.`)
}

/** Throws for a duration that names no unit that there is: no time would pass. */
export function checkDuration(duration: Duration): void {
  checkOptions('duration', duration, ['days', 'hours', 'minutes', 'seconds'])
  for (const [name, value] of Object.entries(duration)) {
    if (value !== undefined && !Number.isFinite(value)) throw invalidOption(name, 'a number', value)
  }
}

export function toMilliseconds({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000
}
