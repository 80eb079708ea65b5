/**
 * The value of a promise; rejects with the error of `overdue` if there is none by `end` (by `performance.now()`). A value
 * that comes later goes to `onOverdue`.
 */
export async function inTime<T>(
  end: number,
  promise: Promise<T>,
  overdue: () => Error,
  onOverdue: (value: T) => void = () => undefined,
): Promise<T> {
  if (end === Number.POSITIVE_INFINITY) return promise
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const over = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      isOver = true
      reject(overdue())
    }
    timer = setTimeout(giveUp, Math.max(0, end - performance.now()))
  })
  promise.then(
    (value) => isOver && onOverdue(value),
    () => undefined,
  )
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}
