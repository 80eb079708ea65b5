/** The index of the first item that does not come before the sought place; the list's length where all items do. */
export function firstIndex<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let [from, until] = [0, sorted.length]
  while (from < until) {
    const middle = Math.floor((from + until) / 2)
    const item = sorted[middle]
    if (item !== undefined && isBefore(item)) from = middle + 1
    else until = middle
  }
  return from
}

/** At most `most` wanted items, from the start of `items`; items after the last of them are not read. */
export function firstOf<T>(items: Iterable<T>, isWanted: (item: T) => boolean, most: number): T[] {
  const found: T[] = []
  if (most <= 0) return found
  for (const item of items) {
    if (isWanted(item)) found.push(item)
    if (found.length >= most) break
  }
  return found
}
