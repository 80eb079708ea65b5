import type { Delivery } from '../../storage-outbox.ts'
import { toldTenant } from '../told-tenant.ts'
import { serviceSignature, signatures } from './signature.ts'
import type { StoredWebhook } from './stored-webhook.ts'

/** A delivery as it is sent. */
export interface Parcel {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * Made anew for each try: the time is signed, so that a receiver may refuse what is old. `secrets`: the newest first.
 */
export function toParcel(
  { messageId, type, at, tenant, user, data }: Delivery,
  webhook: Pick<StoredWebhook, 'serviceSignature'>,
  {
    secrets,
    now,
    multiTenant,
  }: { readonly secrets: readonly string[]; readonly now: number; readonly multiTenant: boolean },
): Parcel {
  const payload: unknown = JSON.parse(data)
  const message = {
    id: messageId,
    type,
    at: new Date(at).toISOString(),
    tenant: toldTenant(tenant, multiTenant),
    userId: user,
    data: payload,
  }
  const beside = webhook.serviceSignature && typeof payload === 'object' ? payload : {}
  const body = JSON.stringify({ ...beside, ...message })
  const timestamp = Math.floor(now / 1_000)
  const [newest] = secrets
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'laurels-webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id: messageId, timestamp, body }, secrets),
      ...(webhook.serviceSignature && newest !== undefined
        ? { 'x-trophy-signature': serviceSignature(body, newest) }
        : {}),
    },
  }
}
