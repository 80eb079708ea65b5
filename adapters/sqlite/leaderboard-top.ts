import {
  comparePositionColumns,
  isSamePosition,
  type PositionColumns,
  type RankedColumns,
} from '../sql/leaderboard-positions.ts'

export type TopPosition = PositionColumns & Pick<RankedColumns, 'until'>

/** The first entries of a group, so that where somebody stands among them need not be counted. */
export interface Top {
  /** Those that count at `at`, best first; null where there are fewer of them than are known to be needed. */
  positionsAt(at: number, needed: number): readonly PositionColumns[] | null
  remove(position: TopPosition): void
  put(position: TopPosition): void
  readonly length: number
}

/** A top grows with what is put into it; beyond this its end is cut off. */
const MOST_POSITIONS = 4_000

/** `loaded`: as they counted at `since`; fewer than were asked for are all there are. */
export function createTop(loaded: readonly TopPosition[], asked: number, since: number): Top {
  let positions = [...loaded]
  let isWhole = positions.length < asked
  /** What did not count at this moment is not there. */
  let from = since
  /** Until then all positions count. */
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
      // What comes after the last one is not known.
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
