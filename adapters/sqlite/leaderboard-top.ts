import {
  comparePositionColumns,
  isSamePosition,
  type PositionColumns,
  type RankedColumns,
} from '../sql/leaderboard-positions.ts'

export type TopPosition = PositionColumns & Pick<RankedColumns, 'until'>

/** The first entries of a group, kept so that a rank among them need not be counted by the database. */
export interface Top {
  /**
   * The entries that count at `at`, best first; null where fewer than `needed` are known, or `at` is before the moment
   * from which they are known.
   */
  positionsAt(at: number, needed: number): readonly PositionColumns[] | null
  remove(position: TopPosition): void
  put(position: TopPosition): void
  readonly length: number
}

/** A top grows with what is put into it; beyond this its end is cut off. */
const MOST_POSITIONS = 4_000

/** `loaded`: the first entries at `since`. Where they are fewer than `asked`, the group has no others. */
export function createTop(loaded: readonly TopPosition[], asked: number, since: number): Top {
  let positions = [...loaded]
  let isWhole = positions.length < asked
  /** Entries that did not count at this moment are not in the list. */
  let from = since
  /** Until this moment all positions in the list count. */
  let complete = positions.reduce((least, { until }) => Math.min(least, until ?? least), Number.POSITIVE_INFINITY)

  return {
    positionsAt: (at, needed) => {
      if (at < from) return null
      if (at >= complete) {
        positions = positions.filter(({ until }) => until === null || until > at)
        complete = positions.reduce((least, { until }) => Math.min(least, until ?? least), Number.POSITIVE_INFINITY)
        from = at
      }
      return isWhole || positions.length >= needed ? positions : null
    },
    remove: (position) => {
      const index = indexOf(positions, position)
      const found = positions[index]
      if (found !== undefined && isSamePosition(found, position)) positions.splice(index, 1)
    },
    put: (position) => {
      const index = indexOf(positions, position)
      // The entries after the last one are not known, so this one cannot be put among them.
      if (index === positions.length && !isWhole) return
      positions.splice(index, 0, position)
      if (position.until !== null) complete = Math.min(complete, position.until)
      if (positions.length <= MOST_POSITIONS) return
      positions.pop()
      isWhole = false
    },
    get length() {
      return positions.length
    },
  }
}

/** How many of the positions come before one. */
export function indexOf(positions: readonly PositionColumns[], position: PositionColumns): number {
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = positions[middle]
    if (other !== undefined && comparePositionColumns(other, position) < 0) low = middle + 1
    else high = middle
  }
  return low
}
