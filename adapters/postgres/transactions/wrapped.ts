/** The errors of libraries, by what Postgres answered: a host that begins again looks for its library's own. */
const thrown = new WeakMap<Error, unknown>()

/** The answer of Postgres in an error that a library has made of it. */
export function unwrapped(error: unknown, answer: Error): Error {
  thrown.set(answer, error)
  return answer
}

/** What the host's library threw; the error itself where that was it. */
export function asThrown(error: unknown): unknown {
  return (error instanceof Error ? thrown.get(error) : undefined) ?? error
}
