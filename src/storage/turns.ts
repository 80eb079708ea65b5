/** Runs work in turns, in the order of the calls. */
export interface Turns {
  /**
   * Runs `work` when its turn comes, and settles as it does. Rejects without running it if the turn has not come by
   * `deadline` (by `performance.now()`; default: none).
   */
  take<T>(work: () => Promise<T>, deadline?: number): Promise<T>
  /** True if no work runs or waits. */
  isIdle(): boolean
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** At most `most` calls run at once. `overdue` makes the error of a turn that did not come by its deadline. */
export function createTurns(
  most: number,
  overdue: () => unknown = () => new RangeError('The turn did not come by its deadline'),
): Turns {
  /** Each starts the work of one call. */
  const waiting = new Set<() => void>()
  let running = 0

  function wait(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(start)
      if (deadline === Number.POSITIVE_INFINITY) return
      const giveUp = (): void => {
        if (waiting.delete(start)) reject(overdue())
      }
      timer = setTimeout(giveUp, Math.min(Math.max(0, deadline - performance.now()), LONGEST_TIMER_MS))
    })
  }

  /** A call that ends passes its turn on, so that no later call overtakes the waiting ones. */
  function passOn(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    take: async (work, deadline = Number.POSITIVE_INFINITY) => {
      const isFree = running < most
      if (isFree) running += 1
      await (isFree ? undefined : wait(deadline))
      try {
        if (performance.now() >= deadline) throw overdue()
        return await work()
      } finally {
        passOn()
      }
    },
    isIdle: () => running === 0,
  }
}
