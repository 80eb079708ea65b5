import { GamificationError } from '../../src/errors.ts'

/** Lets batches run one after the other, in the order of the calls. */
export interface BatchTurns {
  /** Rejects with `unavailable`, without running `work`, where the turn has not come by `deadline`. */
  take<T>(deadline: number, work: () => Promise<T>): Promise<T>
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

export function createBatchTurns(): BatchTurns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const leave = (): void => {
    waiting -= 1
  }

  return {
    take: (deadline, work) => {
      let state: 'waits' | 'runs' | 'refused' = 'waits'
      const turn = last.then(() => {
        if (state === 'refused' || performance.now() >= deadline) throw waitedTooLong()
        state = 'runs'
        return work()
      })
      const isAlone = waiting === 0
      waiting += 1
      last = turn.then(leave, leave)
      if (isAlone || deadline === Number.POSITIVE_INFINITY) return turn
      return new Promise((resolve, reject) => {
        const refuse = (): void => {
          if (state !== 'waits') return
          state = 'refused'
          reject(waitedTooLong())
        }
        const wait = Math.min(Math.max(0, deadline - performance.now()), LONGEST_TIMER_MS)
        const timer = setTimeout(refuse, wait)
        void turn.then(resolve, reject).finally(() => clearTimeout(timer))
      })
    },
  }
}

function waitedTooLong(): GamificationError {
  const message = 'The batch waited behind others until its deadline, and was not sent. Nothing was stored; try again.'
  return new GamificationError('unavailable', message)
}
