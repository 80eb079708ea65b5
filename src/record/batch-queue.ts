import { setImmediate } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isAboutAll } from '../errors.ts'
import { NEVER, waitedTooLong } from '../runtime/deadline.ts'
import type { BatchCaller } from '../runtime/tracing.ts'

/**
 * Takes at most `most` items. If more wait, it takes one of each owner in turn, so that no owner waits behind all items
 * of another. The turns continue in `left`, and the items of one owner stay in their order.
 */
export function takeInTurn<Item>(waiting: readonly Item[], most: number, ownerOf: (item: Item) => string): Taken<Item> {
  if (waiting.length <= most) return { taken: waiting, left: [] }
  const taken: Item[] = []
  const shares = Map.groupBy(waiting, ownerOf)
  for (const [owner, own] of shares) {
    if (taken.length === most) break
    taken.push(...own.splice(0, 1))
    shares.delete(owner)
    // The iteration comes to it again after all the others.
    if (own.length > 0) shares.set(owner, own)
  }
  return { taken, left: [...shares.values()].flat() }
}

interface Taken<Item> {
  readonly taken: readonly Item[]
  readonly left: Item[]
}

/** Takes at most `most` items, owner by owner, so that a batch has few owners. The items of one owner stay in their order. */
export function takeTogether<Item>(
  waiting: readonly Item[],
  most: number,
  ownerOf: (item: Item) => string,
): Taken<Item> {
  const together = [...Map.groupBy(waiting, ownerOf).values()].flat()
  return { taken: together.slice(0, most), left: together.slice(most) }
}

/** Runs a batch. Resolves with one result for each item, in order. A rejection splits the batch, unless it is about all. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

export interface Queue<Item, Result> {
  push(item: Item): Promise<Result>
  drained(): Promise<void>
  isIdle(): boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  /** Rejects it at its deadline, because a batch may take longer than it can wait. */
  readonly timer: NodeJS.Timeout | undefined
  isOver: boolean
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

function msUntil(deadline: number): number {
  return Math.min(Math.max(0, deadline - performance.now()), LONGEST_TIMER_MS)
}

/**
 * Runs items in batches of at most `most`, one after the other. A batch has the items of one turn of the event loop, or
 * the items that came during the previous batch; each owner gets a share of it. An item whose deadline passes before
 * its turn is rejected as `unavailable`, and never run.
 */
export function createQueue<Item extends { readonly deadline: number; readonly caller?: BatchCaller }, Result>(
  run: RunBatch<Item, Result>,
  most: number,
  ownerOf: (item: Item) => string = () => '',
  take: typeof takeInTurn = takeInTurn,
): Queue<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false
  const idle: (() => void)[] = []

  async function runNext(): Promise<void> {
    const { taken, left } = take(waiting, most, ({ item }) => ownerOf(item))
    waiting = left
    for (const { timer } of taken) clearTimeout(timer)
    await runAndAnswer(taken)
    if (waiting.length > 0) {
      // A storage in the process takes no turn of the event loop. Timers and requests get theirs here.
      setImmediate(() => void runNext())
      return
    }
    isRunning = false
    for (const resolve of idle.splice(0)) resolve()
  }

  /** An unexpected failure splits the batch until the command that caused it is alone. */
  async function runAndAnswer(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    const batch = rejectOverdue(taken)
    const [first] = batch
    if (first === undefined) return
    // Without this, all batches of a busy process would seem to belong to the call that found the queue idle.
    const { caller } = first.item
    const runAll = (): ReturnType<typeof run> => run(batch.map(({ item }) => item))
    try {
      const results = await (caller === undefined ? runAll() : caller.run(runAll))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      if (batch.length === 1 || isAboutAll(error)) {
        for (const { reject } of batch) reject(error)
        return
      }
      const half = Math.ceil(batch.length / 2)
      await runAndAnswer(batch.slice(0, half))
      // A storage in the process takes no turn of the event loop, and each half may take as long as a batch.
      await nextTurn()
      await runAndAnswer(batch.slice(half))
    }
  }

  function rejectOverdue(taken: readonly Waiting<Item, Result>[]): readonly Waiting<Item, Result>[] {
    const now = performance.now()
    return taken.filter((each) => {
      if (!each.isOver && each.item.deadline > now) return true
      each.reject(waitedTooLong())
      return false
    })
  }

  return {
    push: (item) =>
      new Promise<Result>((resolve, reject) => {
        const end = (): void => {
          each.isOver = true
          reject(waitedTooLong())
        }
        const timer = isRunning && item.deadline !== NEVER ? setTimeout(end, msUntil(item.deadline)).unref() : undefined
        const each = { item, resolve, reject, timer, isOver: false }
        waiting.push(each)
        if (isRunning) return
        isRunning = true
        setImmediate(() => void runNext())
      }),
    isIdle: () => !isRunning,
    drained: () => (isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  }
}
