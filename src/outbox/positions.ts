import type { Storage } from '../storage.ts'

const PLACED_AT_ONCE = 1_000

/** Gives positions to whatever is stored, and answers the newest. */
export async function placeAll(storage: Pick<Storage, 'placeMessages' | 'newestPosition'>): Promise<number> {
  let given = PLACED_AT_ONCE
  while (given === PLACED_AT_ONCE) given = await storage.placeMessages(PLACED_AT_ONCE)
  return storage.newestPosition()
}
