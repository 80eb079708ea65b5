// A counter is the sum of its slots. The schema, the function `save` and the commits of a process share these numbers.

import { randomInt } from 'node:crypto'

/** How many slots processes use for one counter. Transactions that stay open use slots beyond, which a later save adds up. */
export const SLOTS = 16
const MOST_SLOTS = 2 ** 47

/** A slot of its own, so that no other process waits for a transaction that may stay open for long. */
export function randomSlot(): number {
  return randomInt(SLOTS, MOST_SLOTS)
}
