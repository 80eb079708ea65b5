import { comparePlaces, isSamePlace, type PlaceColumns, type RankedColumns } from '../sql/leaderboard-places.ts'

export type TopPlace = PlaceColumns & Pick<RankedColumns, 'until'>

/** The first entries of a group, so that where somebody stands among them need not be counted. */
export interface Top {
  /** Those that count at `at`, best first; null where there are fewer of them than are known to be needed. */
  placesAt(at: number, needed: number): readonly PlaceColumns[] | null
  remove(place: TopPlace): void
  put(place: TopPlace): void
  readonly length: number
}

/** A top grows with what is put into it; beyond this its end is cut off. */
const MOST_PLACES = 4_000

/** `loaded`: as they counted at `since`; fewer than were asked for are all there are. */
export function createTop(loaded: readonly TopPlace[], asked: number, since: number): Top {
  let places = [...loaded]
  let isWhole = places.length < asked
  /** What did not count at this moment is not there. */
  let from = since
  /** Until then all places count. */
  let complete = places.reduce((least, { until }) => Math.min(least, until ?? least), Number.POSITIVE_INFINITY)

  return {
    placesAt: (at, needed) => {
      if (at < from) return null
      if (at >= complete) {
        places = places.filter(({ until }) => until === null || until > at)
        complete = places.reduce((least, { until }) => Math.min(least, until ?? least), Number.POSITIVE_INFINITY)
        from = at
      }
      return isWhole || places.length >= needed ? places : null
    },
    remove: (place) => {
      const index = indexOf(places, place)
      const found = places[index]
      if (found !== undefined && isSamePlace(found, place)) places.splice(index, 1)
    },
    put: (place) => {
      const index = indexOf(places, place)
      // What comes after the last one is not known.
      if (index === places.length && !isWhole) return
      places.splice(index, 0, place)
      if (place.until !== null) complete = Math.min(complete, place.until)
      if (places.length <= MOST_PLACES) return
      places.pop()
      isWhole = false
    },
    get length() {
      return places.length
    },
  }
}

/** How many of the places come before one. */
export function indexOf(places: readonly PlaceColumns[], place: PlaceColumns): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = places[middle]
    if (other !== undefined && comparePlaces(other, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}
