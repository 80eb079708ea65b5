import { type ErrorCode, GamificationError } from '../errors.ts'
import { describeGiven, hasMethods } from '../options.ts'
import type { Logger } from './context.ts'

const WANTED = 'give createGamification a clock that returns the Date of now, as () => new Date()'

export function readClock(clock: () => Date, code: ErrorCode): number {
  const now: unknown = ask('clock', clock, code, WANTED)
  const at = hasMethods(now, ['getTime']) ? (now as Date).getTime() : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new GamificationError(code, `The clock returned ${describeGiven(now)}: ${WANTED}.`)
}

export function readId(ids: () => string): string {
  const id: unknown = ask('function ids', ids, 'internal', WANTED_IDS)
  if (typeof id === 'string' && id !== '') return id
  throw new GamificationError('internal', `The function ids returned ${describeGiven(id)}: ${WANTED_IDS}.`)
}

function ask<T>(what: string, given: () => T, code: ErrorCode, wanted: string): T {
  try {
    return given()
  } catch (cause) {
    throw new GamificationError(code, `The ${what} threw an error: ${wanted}.`, { cause })
  }
}

const WANTED_IDS = 'give createGamification one that returns a new UUID, as () => crypto.randomUUID()'

interface Printing {
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
}

/**
 * The host's logger. Its own errors are ignored, because there is nowhere to report them. Without `given`, nothing is
 * logged.
 */
export function toLogger(given?: Logger): Logger {
  const target: Printing | undefined = given
  // `console` prints its arguments in their order.
  const isConsole = given === globalThis.console
  const log =
    (level: 'warn' | 'error'): Logger['warn'] =>
    (details, message) => {
      try {
        target?.[level](...(isConsole ? [message, details] : [details, message]))
      } catch {}
    }
  return { warn: log('warn'), error: log('error') }
}
