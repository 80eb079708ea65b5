/** Numbers that look like chance and are the same each time: a linear congruential generator over 32 bits. */
export interface Random {
  /** From 0 on, below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The low bits of such a generator repeat soon, so they are mixed with the high ones.
    const mixed = Math.imul(state ^ (state >>> 16), 2_246_822_519) >>> 0
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: ([first, ...others]) => {
      const place = Math.floor(next() * (others.length + 1))
      return others[place - 1] ?? first
    },
  }
}
