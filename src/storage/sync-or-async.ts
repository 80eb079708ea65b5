/** A value where the database is in the process, a promise where a call has to wait for it. */
export type Eventually<T> = T | Promise<T>

/**
 * `await` for values and promises alike: for a value `next` runs at once. An error of `next` is thrown, or rejects, in
 * the same way.
 */
export function chain<A, B>(value: Eventually<A>, next: (value: A) => Eventually<B>): Eventually<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
