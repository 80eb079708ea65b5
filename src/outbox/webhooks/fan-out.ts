import type { Storage } from '../../storage.ts'
import type { Delivery, PlacedMessage } from '../../storage-outbox.ts'
import { placeAll } from '../messages.ts'
import { NO_LOG } from './answers.ts'
import { type Registered, toCheckpointDocument } from './registry.ts'
import { receiverOf, type StoredWebhook } from './stored-webhook.ts'

const MOST_MESSAGES = 100
/** In one transaction. */
const MOST_DELIVERIES = 1_000
/** How far the checkpoint may be behind where there is nothing for any webhook. */
const MOST_BEHIND = 1_000

/**
 * Makes deliveries of the next messages, one for each webhook that wants it, in one step with the checkpoint. Answers
 * how many messages there were; 0: there are no more, or another process was faster.
 */
export async function fanOut(storage: Storage, { checkpoint, webhooks }: Registered, now: number): Promise<number> {
  if (checkpoint === null) return 0
  const active = webhooks.filter(({ disabled }) => disabled === null)
  // Asked before the messages are read, so that every message up to this position is seen.
  const head = await placeAll(storage)
  if (head <= checkpoint.position) return 0
  const limit = Math.max(1, Math.min(MOST_MESSAGES, Math.floor(MOST_DELIVERIES / Math.max(1, active.length))))
  const { types } = checkpoint
  const messages = types.length === 0 ? [] : await storage.readMessages({ after: checkpoint.position, types, limit })
  if (messages.length === 0 && head - checkpoint.position < MOST_BEHIND) return 0
  const position = messages.length < limit ? Math.max(head, messages.at(-1)?.position ?? 0) : messages.at(-1)?.position
  const next = { ...checkpoint, position: position ?? head }
  const isWritten = await storage.transact(async (tx) => {
    if (!(await tx.putDocument(toCheckpointDocument(next)))) return false
    await tx.putDeliveries(messages.flatMap((message) => deliveriesOf(message, active, now)))
    return true
  })
  return isWritten ? messages.length : 0
}

function deliveriesOf(
  { id, type, at, tenant, user, data, position }: PlacedMessage,
  webhooks: readonly StoredWebhook[],
  now: number,
): readonly Delivery[] {
  return webhooks
    .filter(({ types, from }) => position > from && types.includes(type))
    .map(
      (webhook): Delivery => ({
        receiver: receiverOf(webhook.id),
        position,
        messageId: id,
        type,
        at,
        tenant,
        user,
        data,
        state: 'waiting',
        tries: 0,
        nextAt: now,
        log: NO_LOG,
      }),
    )
}
