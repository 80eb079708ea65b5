import { setImmediate } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isGamificationError } from '../errors.ts'
import type { BatchCaller } from '../runtime/context.ts'
import { NEVER, waitedTooLong } from '../runtime/deadline.ts'

/** Waiting items. */
export interface FairQueue<Item> {
  readonly length: number
  push(item: Item): void
  /**
   * Takes at most `most` items. If more wait, it takes one of each owner in turn, so that no owner waits behind all items
   * of another. The items of one owner stay in their order.
   */
  take(most: number): readonly Item[]
  /** Takes out the items for which `isGone` holds. */
  remove(isGone: (item: Item) => boolean): readonly Item[]
}

/** `ownerOf` is called only if more items wait than are taken. */
export function createFairQueue<Item>(ownerOf: (item: Item) => string): FairQueue<Item> {
  let arrived: Item[] = []
  /** The items of each owner, in the order of the turns. */
  const shares = new Map<string, Item[]>()
  let shared = 0

  function share(items: readonly Item[]): void {
    for (const item of items) {
      const owner = ownerOf(item)
      const own = shares.get(owner)
      if (own === undefined) shares.set(owner, [item])
      else own.push(item)
    }
    shared += items.length
  }

  function takeInTurn(most: number): readonly Item[] {
    const taken: Item[] = []
    for (const [owner, own] of shares) {
      if (taken.length === most) break
      taken.push(...own.splice(0, 1))
      shares.delete(owner)
      // The iteration comes to it again after all the others.
      if (own.length > 0) shares.set(owner, own)
    }
    shared -= taken.length
    return taken
  }

  return {
    get length() {
      return arrived.length + shared
    },
    push: (item) => void arrived.push(item),
    take: (most) => {
      const items = arrived
      arrived = []
      if (shared === 0 && items.length <= most) return items
      share(items)
      return takeInTurn(most)
    },
    remove: (isGone) => {
      const items = [...[...shares.values()].flat(), ...arrived]
      arrived = []
      shares.clear()
      shared = 0
      // The turns stay as they were, because the first item of each owner keeps its place.
      share(items.filter((item) => !isGone(item)))
      return items.filter(isGone)
    },
  }
}

/** True for errors that splitting a batch cannot mend. */
export function isAboutAll(error: unknown): boolean {
  return isGamificationError(error) && error.code !== 'internal' && error.code !== 'user_damaged'
}

/** Runs a batch. Resolves with one result for each item, in order. A rejection is about all of them. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

export interface Queue<Item, Result> {
  push(item: Item): Promise<Result>
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>
  isIdle(): boolean
}

export interface QueueOptions<Item> {
  /** How many items a batch holds. */
  readonly most: number
  /** If more items wait than a batch holds, each owner gets a share of it. Default: in the order of arrival. */
  readonly ownerOf?: (item: Item) => string
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The shortest time between two checks of the deadlines of waiting items. */
const LOOK_MS = 20
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Runs items in batches of at most `most`, one batch after the other. A batch has the items that came within one turn of
 * the event loop, or while the batch before was under way. An item whose deadline passes before its turn is rejected as
 * `unavailable`, and never run.
 */
export function createQueue<Item extends { readonly deadline: number; readonly caller?: BatchCaller }, Result>(
  run: RunBatch<Item, Result>,
  { most, ownerOf = () => '' }: QueueOptions<Item>,
): Queue<Item, Result> {
  const line = createFairQueue<Waiting<Item, Result>>(({ item }) => ownerOf(item))
  let isRunning = false
  let timer: NodeJS.Timeout | null = null
  const idle: (() => void)[] = []

  async function runNext(): Promise<void> {
    await runAndAnswer(line.take(most))
    if (line.length > 0) {
      // A storage in the process takes no turn of the event loop. Timers and requests get theirs here.
      setImmediate(() => void runNext())
      return
    }
    isRunning = false
    for (const resolve of idle.splice(0)) resolve()
  }

  /** An unexpected failure splits the batch until the command that caused it is alone. */
  async function runAndAnswer(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    const batch = rejectLate(taken)
    const [first] = batch
    if (first === undefined) return
    // Without this, all batches of a busy process would seem to belong to the call that found the queue idle.
    const inCall = first.item.caller?.run ?? ((work) => work())
    try {
      const results = await inCall(() => run(batch.map(({ item }) => item)))
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

  function rejectLate(taken: readonly Waiting<Item, Result>[]): readonly Waiting<Item, Result>[] {
    const now = performance.now()
    if (taken.every(({ item }) => item.deadline > now)) return taken
    return taken.filter(({ item, reject }) => {
      if (item.deadline > now) return true
      reject(waitedTooLong())
      return false
    })
  }

  /** One timer for all waiting items, because a batch may take longer than they can wait. */
  function watch(deadline: number): void {
    if (timer !== null || deadline === NEVER) return
    const wait = Math.max(LOOK_MS, Math.min(deadline - performance.now(), LONGEST_TIMER_MS))
    timer = setTimeout(() => {
      timer = null
      const now = performance.now()
      let next = NEVER
      const isLate = ({ item }: Waiting<Item, Result>): boolean => {
        if (item.deadline > now) next = Math.min(next, item.deadline)
        return item.deadline <= now
      }
      for (const { reject } of line.remove(isLate)) reject(waitedTooLong())
      watch(next)
    }, wait)
    timer.unref()
  }

  return {
    push: (item) =>
      new Promise<Result>((resolve, reject) => {
        line.push({ item, resolve, reject })
        if (isRunning) {
          watch(item.deadline)
          return
        }
        isRunning = true
        setImmediate(() => void runNext())
      }),
    isIdle: () => !isRunning,
    drained: () => (isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  }
}
