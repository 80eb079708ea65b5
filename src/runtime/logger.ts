import type { Logger } from './context.ts'

interface Printing {
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
}

/** The host's logger. Its own errors are ignored, because there is nowhere to report them. Absent: no logging. */
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
