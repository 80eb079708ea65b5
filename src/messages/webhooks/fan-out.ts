import { type Delivery, putDeliveries } from '../../sql/deliveries.ts'
import { loadMessages } from '../../sql/messages.ts'
import { putDocument } from '../../sql/outbox.ts'
import type { PlacedMessage } from '../../storage/outbox.ts'
import type { Storage } from '../../storage/storage.ts'
import { assignAllPositions, deliveryOf, toDocument } from '../stored-subscription.ts'
import { NO_LOG } from './deliver.ts'
import type { Registered } from './registry.ts'
import { type StoredWebhook, webhookReceiver } from './stored-webhook.ts'

const MOST_MESSAGES = 100
const MOST_DELIVERIES = 1_000
/** How far the checkpoint may lag behind if no message is for a webhook. */
const MOST_BEHIND = 1_000

/** Creates the deliveries of the next messages. Returns 0 if there are no more, or if another process was faster. */
export async function fanOut(storage: Storage, { checkpoint, webhooks }: Registered, now: number): Promise<number> {
  if (checkpoint === null) return 0
  const active = webhooks.filter(({ disabled }) => disabled === null)
  // Read before the messages, so that the read below sees every message up to this position.
  const head = await assignAllPositions(storage)
  if (head <= checkpoint.position) return 0
  const limit = Math.max(1, Math.min(MOST_MESSAGES, Math.floor(MOST_DELIVERIES / Math.max(1, active.length))))
  const { types } = checkpoint
  const messages = types.length === 0 ? [] : await loadMessages(storage, { after: checkpoint.position, types, limit })
  if (messages.length === 0 && head - checkpoint.position < MOST_BEHIND) return 0
  const position = messages.length < limit ? Math.max(head, messages.at(-1)?.position ?? 0) : messages.at(-1)?.position
  const next = { ...checkpoint, position: position ?? head }
  const deliveries = messages.flatMap((message) => deliveriesOf(message, active, now))
  const isWritten = await storage.transaction(function* (tx) {
    if (!(yield* putDocument(tx, toDocument(next)))) return false
    yield* putDeliveries(tx, deliveries)
    return true
  })
  return isWritten ? messages.length : 0
}

function deliveriesOf(message: PlacedMessage, webhooks: readonly StoredWebhook[], now: number): readonly Delivery[] {
  return webhooks
    .filter(({ types, from }) => message.position > from && types.includes(message.type))
    .map(({ id }) => {
      return { ...deliveryOf(message, webhookReceiver(id)), state: 'waiting', attempts: 0, nextAt: now, log: NO_LOG }
    })
}
