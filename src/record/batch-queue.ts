import { setImmediate } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isGamificationError } from '../errors.ts'
import { NEVER, waitedTooLong } from '../runtime/deadline.ts'

/** Items that wait for their turns. */
export interface FairQueue<Item> {
  readonly length: number
  push(item: Item): void
  /**
   * Takes at most `most` items: all of them, in the order of arrival, where there are no more; else one of each owner
   * in turn, so that no owner waits behind all items of another. The items of one owner stay in their order.
   */
  take(most: number): readonly Item[]
  /** Takes out the items for which `isGone` holds. */
  remove(isGone: (item: Item) => boolean): readonly Item[]
}

interface Node<Item> {
  readonly item: Item
  next: Node<Item> | null
}

interface Share<Item> {
  first: Node<Item>
  last: Node<Item>
}

/** Each item costs the same however many wait. `ownerOf` is asked only where more wait than are taken. */
export function createFairQueue<Item>(ownerOf: (item: Item) => string): FairQueue<Item> {
  let arrived: Item[] = []
  /** In the order of the turns. */
  const shares = new Map<string, Share<Item>>()
  let shared = 0

  function share(items: readonly Item[]): void {
    for (const item of items) {
      const owner = ownerOf(item)
      const node: Node<Item> = { item, next: null }
      const own = shares.get(owner)
      if (own === undefined) shares.set(owner, { first: node, last: node })
      else {
        own.last.next = node
        own.last = node
      }
    }
    shared += items.length
  }

  function takeInTurn(most: number): readonly Item[] {
    const taken: Item[] = []
    for (const [owner, own] of shares) {
      if (taken.length === most) break
      const { item, next } = own.first
      taken.push(item)
      shares.delete(owner)
      if (next === null) continue
      own.first = next
      // The iteration comes to it again after all the others.
      shares.set(owner, own)
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
      const items = [...itemsOf(shares.values()), ...arrived]
      arrived = []
      shares.clear()
      shared = 0
      const gone: Item[] = []
      const stay: Item[] = []
      for (const item of items) (isGone(item) ? gone : stay).push(item)
      // The turns stay as they were: the first item of each owner stands in the order of the turns.
      share(stay)
      return gone
    },
  }
}

function* itemsOf<Item>(shares: Iterable<Share<Item>>): Generator<Item> {
  for (const { first } of shares) {
    for (let node: Node<Item> | null = first; node !== null; node = node.next) yield node.item
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
  /** How many came before it. */
  readonly order: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Waiting items are looked at for deadlines that have passed no more often than this. */
const LOOK_MS = 20
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Natural batching: the first item that waits schedules one turn of the event loop, and what has come by then is run
 * together, at most `most` at a time, one batch after the other. A lone item waits for that turn only, without a timer.
 * An item that is past its deadline before its turn is rejected as `unavailable`, and never run.
 */
export function createQueue<Item extends { readonly deadline: number }, Result>(
  run: RunBatch<Item, Result>,
  { most, ownerOf = () => '' }: QueueOptions<Item>,
): Queue<Item, Result> {
  const line = createFairQueue<Waiting<Item, Result>>(({ item }) => ownerOf(item))
  let pushed = 0
  let isRunning = false
  let timer: NodeJS.Timeout | null = null
  const idle: (() => void)[] = []

  async function runNext(): Promise<void> {
    const batch = line.take(most)
    const last = pushed
    const outage = await runAndAnswer(batch)
    if (outage !== null) {
      // Items without a deadline have waited as long as the batch did, for the same storage that is not there.
      const isBehind = ({ item, order }: Waiting<Item, Result>): boolean => order < last && item.deadline === NEVER
      for (const { reject } of line.remove(isBehind)) reject(outage.error)
    }
    if (line.length > 0) {
      // A storage in the process answers without a turn of the event loop: timers and requests get theirs here.
      setImmediate(() => void runNext())
      return
    }
    isRunning = false
    for (const resolve of idle.splice(0)) resolve()
  }

  /**
   * An unforeseen failure splits the batch until the command that caused it is alone. Returns the error that every other item
   * would meet too.
   */
  async function runAndAnswer(taken: readonly Waiting<Item, Result>[]): Promise<{ readonly error: unknown } | null> {
    const batch = rejectLate(taken)
    if (batch.length === 0) return null
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
      const first = await runAndAnswer(batch.slice(0, half))
      // Each part may take as long as a batch, on a storage in the process without a turn of the event loop.
      await nextTurn()
      return (await runAndAnswer(batch.slice(half))) ?? first
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

  /** One timer for all that wait: a batch may take longer than they have. */
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
        line.push({ item, order: pushed, resolve, reject })
        pushed += 1
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
