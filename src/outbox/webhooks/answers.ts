import { toInstantText } from '../../engine/answers/user.ts'
import type { Webhook, WebhookDelivery, WebhookTry } from '../../engine/answers/wire/webhooks.ts'
import type { Delivery } from '../../storage-outbox.ts'
import { toldTenant } from '../told-tenant.ts'
import type { StoredWebhook } from './stored-webhook.ts'
import { readTries } from './tries.ts'

/** Without anything of its secrets. */
export function toWebhook(stored: StoredWebhook, deliveries: Webhook['deliveries']): Webhook {
  const { id, name, url, types, order, serviceSignature, allowInternal, disabled, createdAt } = stored
  return {
    id,
    name,
    url,
    types,
    order,
    serviceSignature,
    allowInternal,
    status: disabled === null ? 'active' : 'disabled',
    disabled: disabled === null ? null : { at: toInstantText(disabled.at), because: disabled.because },
    created: toInstantText(createdAt),
    deliveries,
  }
}

export function toWebhookDelivery(delivery: Delivery, multiTenant: boolean): WebhookDelivery {
  const { messageId: id, type, at, tenant, user, state, tries, nextAt } = delivery
  return {
    id,
    type,
    at: toInstantText(at),
    tenant: toldTenant(tenant, multiTenant),
    userId: user,
    state,
    tries,
    nextTryAt: state !== 'waiting' || nextAt === null ? null : toInstantText(nextAt),
    lastTry: lastTryOf(delivery),
  }
}

function lastTryOf({ log }: Delivery): WebhookTry | null {
  const { tries, answer } = readTries(log)
  const last = tries.at(-1)
  if (last === undefined) return null
  return { at: toInstantText(last.at), status: last.status, durationMs: last.ms, error: last.error, answer }
}
