import type { Delivery } from '../../storage-outbox.ts'
import type { WebhooksContext } from './context.ts'
import type { Desk } from './desk.ts'
import type { Registry } from './registry.ts'
import { openSecrets } from './secrets.ts'
import { receiverOf, type StoredWebhook } from './stored-webhook.ts'

/** A delivery that nobody else tries for as long as a try may take. */
export interface Claimed {
  readonly delivery: Delivery
  readonly webhook: StoredWebhook
  /** What signs, the newest first. */
  readonly secrets: readonly string[]
}

/**
 * Longer than a try and the writing of what became of it; a process that dies meanwhile leaves it to others after that.
 */
const CLAIM_MS = 60_000

/** How many more may be under way. */
export interface Room {
  readonly total: number
  readonly of: (receiver: string) => number
}

/** Takes deliveries whose time has come, each for one process alone. */
export function createClaim(
  { storage, now, vault, logger }: WebhooksContext,
  registry: Registry,
  desk: Desk,
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
    const webhooks = new Map<string, Omit<Claimed, 'delivery'>>()
    const at = now()
    for (const webhook of await registry.list()) {
      const secrets = of(receiverOf(webhook.id)) > 0 ? secretsOf(webhook, at) : null
      if (secrets !== null) webhooks.set(receiverOf(webhook.id), { webhook, secrets })
    }
    if (webhooks.size === 0) return []
    const receivers = [...webhooks.keys()]
    const inOrder = receivers.filter((receiver) => webhooks.get(receiver)?.webhook.order === 'user')
    return desk.change(async () => {
      const due = await storage.dueDeliveries(at, { limit: total, inOrder, receivers })
      const taken = new Map<string, number>()
      const claimed = due.flatMap((stored): Claimed[] => {
        const known = webhooks.get(stored.receiver)
        const count = (taken.get(stored.receiver) ?? 0) + 1
        taken.set(stored.receiver, count)
        if (known === undefined || count > of(stored.receiver)) return []
        return [{ ...known, delivery: { ...stored, nextAt: at + CLAIM_MS } }]
      })
      return { deliveries: claimed.map(({ delivery }) => delivery), result: claimed }
    })
  }
}
