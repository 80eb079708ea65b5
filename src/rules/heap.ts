/** An item with a next instant, which is infinite if the item is over. `index` decides between equal instants. */
export interface Upcoming {
  readonly next: number
  readonly index: number
}

/** Sorts a list in place. `sinkFirst` then keeps its earliest item first. */
export function makeHeap<Item extends Upcoming>(items: Item[]): Item[] {
  return items.sort((left, right) => (isBefore(left, right) ? -1 : 1))
}

/** Restores the order after the first item got a later instant: no item is earlier than the one at half its place. */
export function sinkFirst<Item extends Upcoming>(heap: Item[]): void {
  let index = 0
  for (;;) {
    const parent = heap[index]
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
    const isRight = left !== undefined && right !== undefined && isBefore(right, left)
    const child = isRight ? right : left
    if (parent === undefined || child === undefined || !isBefore(child, parent)) return
    heap[index] = child
    index = 2 * index + (isRight ? 2 : 1)
    heap[index] = parent
  }
}

function isBefore(left: Upcoming, right: Upcoming): boolean {
  return left.next < right.next || (left.next === right.next && left.index < right.index)
}
