import type { Context } from '../runtime/context.ts'
import type { Storage } from '../storage/storage.ts'
import { readSubscription, SUBSCRIPTION } from './stored-subscription.ts'

/** The tenant in a message. `null`: the game has no tenants, or the message is about all of them. */
export function visibleTenant(tenant: string, isMultiTenant: boolean): string | null {
  return isMultiTenant && tenant !== '' ? tenant : null
}

const PLACED_AT_ONCE = 1_000

/** Gives a position to every stored message. Returns the newest position. */
export async function placeAll(storage: Pick<Storage, 'placeMessages' | 'newestPosition'>): Promise<number> {
  let given = PLACED_AT_ONCE
  while (given === PLACED_AT_ONCE) given = await storage.placeMessages(PLACED_AT_ONCE)
  return storage.newestPosition()
}

const DAY_MS = 86_400_000
/** How long messages are kept after every subscription has read them. */
const MESSAGES_MS = 7 * DAY_MS
/** How long finished and dead deliveries are kept. */
const DELIVERIES_MS = 30 * DAY_MS
const MOST_AT_ONCE = 1_000
const MOST_ROUNDS = 20

/** Removes messages and deliveries that are no longer needed. */
export async function removeOld({ storage, now }: Context): Promise<void> {
  const head = await placeAll(storage)
  const documents = await storage.documents(SUBSCRIPTION)
  const upTo = Math.min(head, ...documents.map((document) => readSubscription(document).position))
  await inRounds(() => storage.removeMessages(upTo, now() - MESSAGES_MS, MOST_AT_ONCE))
  await inRounds(() => storage.removeDeliveries(now() - DELIVERIES_MS, MOST_AT_ONCE))
}

async function inRounds(remove: () => Promise<number>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if ((await remove()) < MOST_AT_ONCE) return
  }
}
