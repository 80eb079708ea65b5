import { setTimeout as sleep } from 'node:timers/promises'
import { BUSY, isBusy } from './errors.ts'

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

/**
 * Runs `attempt` until nobody else holds the database, or throws its last error once `end` (by `performance.now()`) has
 * passed. Between attempts the event loop is free; pauses are random, so that processes do not meet again.
 */
export async function retryWhileHeld<T>(end: number, attempt: () => T | Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error
      await sleep(pause * (0.5 + Math.random()))
    }
  }
}

export interface WriterTurns {
  /**
   * Rejects with `BUSY` where its turn has not come by `end`. A turn whose attempt answers with a promise lasts until it
   * settles.
   */
  run<T>(end: number, attempt: () => T | Promise<T>): Promise<T>
  /** Whether nobody waits for a turn or has one. */
  isIdle(): boolean
}

/**
 * Lets writers try one at a time, in the order of their calls. Each try may stand still for a moment inside SQLite; many
 * at once would add up to a long one.
 */
export function createWriterTurns(): WriterTurns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function leave(): void {
    waiting -= 1
  }

  return {
    run: (end, attempt) => {
      const isFirst = waiting === 0
      let isGivenUp = false
      waiting += 1
      const turn = last.then(async () => {
        // Timers are of whole milliseconds: whoever was told that the time is over has no turn, whatever the clock says.
        if (isGivenUp || (!isFirst && performance.now() >= end)) throw BUSY
        return await retryWhileHeld(end, attempt)
      })
      const before = last
      last = turn.then(leave, leave)
      const giveUp = (): void => {
        isGivenUp = true
      }
      return isFirst ? turn : inTime(end, before, turn, giveUp)
    },
    isIdle: () => waiting === 0,
  }
}

/**
 * Waits for a turn no longer than until `end`, because a transaction before it may stay open for longer; then calls
 * `giveUp`.
 */
async function inTime<T>(end: number, before: Promise<unknown>, turn: Promise<T>, giveUp: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<true>((resolve) => {
    const onTime = (): void => {
      giveUp()
      resolve(true)
    }
    timer = setTimeout(onTime, Math.max(0, end - performance.now()))
  })
  try {
    if ((await Promise.race([before, late])) !== true) return await turn
    turn.catch(() => undefined)
    throw BUSY
  } finally {
    clearTimeout(timer)
  }
}
