import type { Context } from '../engine/types.ts'
import { placeAll } from './positions.ts'
import { readSubscription, SUBSCRIPTION } from './stored-subscription.ts'

const DAY_MS = 86_400_000
/** How long messages stay that every subscription has behind it. */
const MESSAGES_MS = 7 * DAY_MS
/** How long deliveries stay that are done, or were given up. */
const DELIVERIES_MS = 30 * DAY_MS
const MOST_AT_ONCE = 1_000
const MOST_ROUNDS = 20

/** Removes what nobody asks for any more. */
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
