/** Where in a sorted list the first item is that does not come before a place; its length: all of them do. */
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

/** The first items that are wanted, at most so many; the rest is not looked at. */
export function firstOf<T>(items: Iterable<T>, isWanted: (item: T) => boolean, most: number): T[] {
  const found: T[] = []
  if (most <= 0) return found
  for (const item of items) {
    if (isWanted(item)) found.push(item)
    if (found.length >= most) break
  }
  return found
}
