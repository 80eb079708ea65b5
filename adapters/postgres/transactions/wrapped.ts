/**
 * The errors that libraries threw, by the answer of Postgres in them: a host that begins again looks for its library's
 * error.
 */
const thrown = new WeakMap<Error, unknown>()

/** Returns the answer of Postgres that is in a library's error, and remembers that error by it. */
export function unwrapped(error: unknown, answer: Error): Error {
  thrown.set(answer, error)
  return answer
}

/** The error that the host's library threw; the given error where no other is remembered. */
export function asThrown(error: unknown): unknown {
  return (error instanceof Error ? thrown.get(error) : undefined) ?? error
}
