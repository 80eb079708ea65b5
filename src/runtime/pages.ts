import { setImmediate as nextTurn } from 'node:timers/promises'

/** A call may run for this many milliseconds before it yields to the event loop. */
const MOST_MS = 10

/** Yields to the event loop if the call has run for long enough since the last time. */
export type YieldTurn = () => Promise<void> | undefined

/** Creates one pause for all parts of a call, so that many short parts yield too. The pause throws the reason of an abort. */
export function createPause(signal?: AbortSignal): YieldTurn {
  let since = performance.now()
  const yieldTurn = async (): Promise<void> => {
    await nextTurn()
    signal?.throwIfAborted()
    since = performance.now()
  }
  return () => (performance.now() - since < MOST_MS ? undefined : yieldTurn())
}

/** The place after which a read in parts continues; empty for the first part. */
export interface After<Place> {
  readonly after?: Place
}

/**
 * Continues after the last item of each page, up to a page with fewer than `size` items. Yields between them, see
 * `createPause`.
 */
export async function* readPages<Item, Place>(
  size: number,
  read: (after: After<Place>) => Promise<readonly Item[]>,
  placeOf: (last: Item) => Place,
  first: After<Place> = {},
): AsyncGenerator<Item> {
  const pause = createPause()
  let after = first
  for (;;) {
    await pause()
    const page = await read(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    after = { after: placeOf(last) }
  }
}
