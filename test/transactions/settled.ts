import { setTimeout as sleep } from 'node:timers/promises'

/** Returns whether a promise settles within this many milliseconds. */
export async function settlesWithin(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, sleep(milliseconds, false)])
}

/** The code of what a promise rejects with, whosever error it is; `ok` when it does not. */
export async function codeOf(promise: unknown): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'ok'
}
