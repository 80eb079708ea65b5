/** The numbers of the lines that became items, by the items' places: as far as they follow each other, one is kept. */
export interface LineNumbers {
  /** The line of the next item; lines come in ascending order. */
  add(line: number): void
  lineOf(index: number): number
}

interface Stretch {
  readonly index: number
  readonly line: number
}

export function createLineNumbers(): LineNumbers {
  const stretches: Stretch[] = []
  let count = 0
  let expected = -1

  return {
    add: (line) => {
      if (line !== expected) stretches.push({ index: count, line })
      expected = line + 1
      count += 1
    },
    lineOf: (index) => {
      let low = 0
      let high = stretches.length - 1
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((stretches[middle]?.index ?? 0) <= index) low = middle
        else high = middle - 1
      }
      const { index: from, line } = stretches[low] ?? { index: 0, line: 0 }
      return line + index - from
    },
  }
}
