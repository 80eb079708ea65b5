/** How many items a list has if the caller names no limit. */
export const CHUNK = 1_000

/** A part of a list: at most `limit` items after a place, or from its start. */
export interface Page<Place> {
  readonly after?: Place
  readonly limit?: number
}
