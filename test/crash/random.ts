/** Numbers that look random and are the same in every run (mulberry32): a failing run can be repeated. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** True in about `share` of the calls. */
  chance(share: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
  }
}

/** `SEED`; without it another one in each soak, and otherwise always the same. It belongs into the name of the test. */
export function seedOfSoak(fixed: number): number {
  if (process.env.SEED !== undefined) return Number(process.env.SEED)
  return process.env.SOAK === '1' ? Date.now() % 2 ** 31 : fixed
}
