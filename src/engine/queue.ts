import { isGamificationError } from '../errors.ts'

/** Runs a batch. Resolves with one result for each item, in order; a rejection is about all of them. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

export interface Queue<Item, Result> {
  push(item: Item): Promise<Result>
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>
  isIdle(): boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Natural batching: the first item that waits schedules one turn of the event loop, and what has come by then is run
 * together, at most `most` at a time, one batch after the other. No timer: a lone item waits for that turn only.
 */
export function createQueue<Item, Result>(
  run: RunBatch<Item, Result>,
  most: number,
  isAboutAll: (error: unknown) => boolean,
): Queue<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false
  const idle: (() => void)[] = []

  async function runNext(): Promise<void> {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    const behind = new Set(waiting)
    const outage = await settleBatch(batch)
    if (outage !== null) {
      // These have waited as long as the batch did, for the same that is not there.
      for (const item of waiting) if (behind.has(item)) item.reject(outage.error)
      waiting = waiting.filter((item) => !behind.has(item))
    }
    if (waiting.length > 0) {
      // A storage in the process answers without a turn of the event loop: timers and requests get theirs here.
      setImmediate(() => void runNext())
      return
    }
    isRunning = false
    for (const resolve of idle.splice(0)) resolve()
  }

  /** A failure nobody foresaw splits the batch until the culprit stands alone. Answers what every other would meet too. */
  async function settleBatch(batch: readonly Waiting<Item, Result>[]): Promise<{ readonly error: unknown } | null> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
      return null
    } catch (error) {
      if (batch.length === 1 || isAboutAll(error)) {
        for (const { reject } of batch) reject(error)
        return isGamificationError(error) && error.code === 'unavailable' ? { error } : null
      }
      const half = Math.ceil(batch.length / 2)
      const first = await settleBatch(batch.slice(0, half))
      return (await settleBatch(batch.slice(half))) ?? first
    }
  }

  return {
    push: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (isRunning) return
        isRunning = true
        setImmediate(() => void runNext())
      }),
    isIdle: () => !isRunning,
    drained: () => (isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  }
}
