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
/** How many more may be under way. */
export interface Room {
  readonly total: number
  readonly of: (receiver: string) => number
}

/** Claims deliveries that are due. */
export function createClaim(
  { storage, now, leaseNow, secretBox, logger }: WebhooksContext,
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
    if (secretBox === null) {
      tell('', 'There are webhooks, and no option webhooks.secretKey: this process delivers to none.')
      return null
    }
    const secrets = openSecrets(webhook, secretBox, at)
    if (secrets === null)
      tell(webhook.id, 'The secret of a webhook cannot be opened with the option webhooks.secretKey.')
    return secrets
  }

  return async ({ total, of }) => {
    const at = now()
    const time = leaseNow()
    const known = new Map<string, Omit<Claimed, 'claim' | 'delivery'>>()
    // Read each time: a webhook may have been disabled.
    for (const webhook of await registry.list()) {
      const secrets = of(receiverOf(webhook.id)) > 0 ? secretsOf(webhook, at) : null
      if (secrets !== null) known.set(receiverOf(webhook.id), { webhook, secrets })
    }
    if (known.size === 0 || total <= 0) return []
    // One alone is claimed without a look before.
    const all = [...known.keys()]
    const due = new Set(all.length === 1 ? all : await storage.dueReceivers(all, { now: at, leaseNow: time }))
    const claimed: Claimed[] = []
    for (const [receiver, to] of known) {
      const limit = Math.min(of(receiver), total - claimed.length)
      if (!due.has(receiver) || limit <= 0) continue
      const claim = randomUUID()
      const inOrder = to.webhook.order === 'user'
      const options = { claim, until: time + CLAIM_MS, now: at, leaseNow: time, inOrder, limit }
      const deliveries = await storage.claimDeliveries(receiver, options)
      claimed.push(...deliveries.map((delivery) => ({ ...to, claim, delivery })))
    }
    return claimed
  }
}
