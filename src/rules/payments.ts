import type { Instant } from './calendar.ts'
import { makeHeap, sinkFirst } from './heap.ts'

/** Awards of one trigger that fall due. */
export interface Schedule {
  /** The points of each award; negative points are taken away. */
  readonly points: number
  readonly count: number
  /** The instant at which the k-th award is due, from 1. */
  at(k: number): number
}

/**
 * The points that the awards of each of `all` gave or took, in its order. At equal instants the first of `all` comes
 * first. A total above `greatest`, as after a newer game with a lower maximum, only falls. A total below 0, which is the
 * debt of a wallet, only rises.
 */
export function addPayments(all: readonly Schedule[], total: number, greatest: number): readonly number[] {
  if (isFree(all, total, greatest)) return all.map(({ count, points }) => count * points)
  const open = all.map(({ at, count, points }, index) => {
    return { at, count, points, index, done: 0, next: count > 0 ? at(1) : NEVER, gained: 0 }
  })
  const heap = makeHeap([...open])
  let rising = open.filter(({ count, points }) => count > 0 && points > 0).length
  let falling = open.filter(({ count, points }) => count > 0 && points < 0).length
  let sum = total
  for (let [first] = heap; first !== undefined && first.next < NEVER; [first] = heap) {
    const canMove = (rising > 0 && sum < greatest) || (falling > 0 && sum > 0)
    if (!canMove) break
    const { points } = first
    const free = sum + points
    const clipped = free > greatest ? Math.max(greatest, Math.min(sum, free)) : Math.max(Math.min(0, sum), free)
    first.gained += clipped - sum
    sum = clipped
    first.done += 1
    const isOver = first.done === first.count
    if (isOver && points > 0) rising -= 1
    if (isOver && points < 0) falling -= 1
    first.next = isOver ? NEVER : first.at(first.done + 1)
    sinkFirst(heap)
  }
  return open.map(({ gained }) => gained)
}

const NEVER: Instant = Number.POSITIVE_INFINITY

/** True if no order of the awards could clip any. */
function isFree(all: readonly Schedule[], total: number, greatest: number): boolean {
  let up = total
  let down = total
  for (const { count, points } of all) {
    if (points > 0) up += count * points
    else down += count * points
  }
  return up <= greatest && down >= Math.min(0, total)
}
