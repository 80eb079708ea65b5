/**
 * Where the library says what nobody is told by an answer: the details first and then the message, as pino, Fastify's
 * logger and bunyan take them. An error is among the details as `err`, with its cause. `console` may be given too.
 */
export interface Logger {
  warn(details: { readonly [name: string]: unknown }, message: string): void
  error(details: { readonly [name: string]: unknown }, message: string): void
}

interface Printing {
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
}

/** The host's logger, of which nothing is thrown: when it fails there is nobody to tell. Absent: silence. */
export function toLogger(given?: Logger): Logger {
  const target: Printing | undefined = given
  // It prints what it is given, in that order.
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
