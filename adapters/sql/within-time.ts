import { GamificationError } from '../../src/errors.ts'

/**
 * The result of `work`; rejects with `unavailable` where there is none by `end` (by `performance.now()`), and then
 * waits for `work` no longer.
 */
export async function withinTime<T>(work: () => Promise<T>, end: number): Promise<T> {
  const left = end - performance.now()
  if (left <= 0) throw tookTooLong()
  if (left === Number.POSITIVE_INFINITY) return await work()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tookTooLong()), left)
  })
  try {
    return await Promise.race([work(), over])
  } finally {
    clearTimeout(timer)
  }
}

function tookTooLong(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The transaction took longer than the time that it had, and was undone: do less in one, or give it more time.',
  )
}
