/** Items that wait for their turns. */
export interface FairQueue<Item> {
  readonly length: number
  push(item: Item): void
  /**
   * Takes at most `most` items: all of them, in the order of arrival, where there are no more; else one of each owner
   * in turn, so that nobody waits behind all items of somebody else. The items of one owner stay in their order.
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
