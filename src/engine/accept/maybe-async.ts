/** At once where everything is in the process, with a promise where something has to be waited for. */
export type Eventually<T> = T | Promise<T>

/** `await` for both. What `next` throws is thrown, or rejects, accordingly. */
export function chain<A, B>(value: Eventually<A>, next: (value: A) => Eventually<B>): Eventually<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
