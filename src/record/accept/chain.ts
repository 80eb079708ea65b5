import type { Eventually } from '../../runtime/context.ts'

/**
 * `await` for a value and for a promise alike: for a value `next` runs at once. What it throws is thrown, or rejects,
 * accordingly.
 */
export function chain<A, B>(value: Eventually<A>, next: (value: A) => Eventually<B>): Eventually<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
