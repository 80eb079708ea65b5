/** A value if the database is in the process, a promise if a call has to wait for it. */
export type Eventually<T> = T | Promise<T>

/**
 * `await` for values and promises alike: for a value `next` runs at once. An error of `next` is thrown, or rejects, in
 * the same way.
 */
export function chain<A, B>(value: Eventually<A>, next: (value: A) => Eventually<B>): Eventually<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}

const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 100

/**
 * How many milliseconds to wait before each next try for something that others hold. Pauses grow, and are random, so that
 * processes do not meet again.
 */
export function growingPauses(): () => number {
  let pause = FIRST_PAUSE_MS / 2
  return () => {
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    return pause * (0.5 + Math.random())
  }
}
