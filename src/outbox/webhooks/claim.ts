import { randomUUID } from 'node:crypto'
import type { Delivery } from '../../storage-outbox.ts'
import type { WebhooksContext } from './context.ts'
import type { Registry } from './registry.ts'
import { openSecrets } from './secrets.ts'
import { receiverOf, type StoredWebhook } from './stored-webhook.ts'

/** A delivery that no other process attempts until the claim ends. */
export interface Claimed {
  readonly claim: string
  readonly delivery: Delivery
  readonly webhook: StoredWebhook
  /** What signs, the newest first. */
  readonly secrets: readonly string[]
}

/** Longer than an attempt and storing its result. If the process dies, other processes wait this long. */
const CLAIM_MS = 60_000
/** More deliveries than are claimed at once: several processes look for them at the same time. */
const LOOKED_AT = 64

/** How many more may be under way. */
export interface Room {
  readonly total: number
  readonly of: (receiver: string) => number
}

/** Claims deliveries that are due. */
export function createClaim(
  { storage, now, leaseNow, vault, logger }: WebhooksContext,
  registry: Registry,
): (room: Room) => Promise<readonly Claimed[]> {
  const told = new Set<string>()
  const tell = (id: string, message: string): void => {
    if (told.has(id)) return
    told.add(id)
    logger.error({ webhook: id }, message)
  }

  /** null: this process cannot sign for it; another may. */
  function secretsOf(webhook: StoredWebhook, at: number): readonly string[] | null {
    if (webhook.disabled !== null) return []
    if (vault === null) {
      tell('', 'There are webhooks, and no option webhooks.secretKey: this process delivers to none.')
      return null
    }
    const secrets = openSecrets(webhook, vault, at)
    if (secrets === null)
      tell(webhook.id, 'The secret of a webhook cannot be opened with the option webhooks.secretKey.')
    return secrets
  }

  return async ({ total, of }) => {
    const webhooks = new Map<string, Omit<Claimed, 'claim' | 'delivery'>>()
    const at = now()
    for (const webhook of await registry.list()) {
      const secrets = of(receiverOf(webhook.id)) > 0 ? secretsOf(webhook, at) : null
      if (secrets !== null) webhooks.set(receiverOf(webhook.id), { webhook, secrets })
    }
    if (webhooks.size === 0) return []
    const receivers = [...webhooks.keys()]
    const inOrder = receivers.filter((receiver) => webhooks.get(receiver)?.webhook.order === 'user')
    const time = leaseNow()
    const limit = Math.max(total, LOOKED_AT)
    const due = await storage.dueDeliveries(at, { limit, inOrder, receivers, leaseNow: time })
    const claimed: Claimed[] = []
    for (const [receiver, webhook] of webhooks) {
      const found = due.filter((each) => each.receiver === receiver)
      const most = Math.min(of(receiver), total - claimed.length)
      if (found.length === 0 || most <= 0) continue
      const claim = randomUUID()
      const options = { claim, until: time + CLAIM_MS, now: at, leaseNow: time, limit: most }
      const deliveries = await storage.claimDeliveries(found, options)
      claimed.push(...deliveries.map((delivery) => ({ ...webhook, claim, delivery })))
    }
    return claimed
  }
}
