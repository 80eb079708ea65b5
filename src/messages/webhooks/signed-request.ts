import { createHmac, randomBytes } from 'node:crypto'
import { withServiceValues } from '../../answers/closed-enums.ts'
import { toPublicMessage } from '../../answers/message-draft.ts'
import { withWholeNumbers } from '../../answers/whole-numbers.ts'
import type { Delivery } from '../../sql/deliveries.ts'
import type { WebhooksContext } from './registry.ts'
import type { StoredWebhook } from './stored-webhook.ts'

const PREFIX = 'whsec_'
const FEWEST_BYTES = 24
const MOST_BYTES = 64
const NEW_BYTES = 32
/** A plain-text secret of another service. */
const PLAIN = /^[\x21-\x7e]{24,255}$/

export const SECRET_RULE: string = `must be ${PREFIX} and ${FEWEST_BYTES} to ${MOST_BYTES} bytes as base64, or 24 to 255 visible ASCII characters`

export function newSecret(): string {
  return PREFIX + randomBytes(NEW_BYTES).toString('base64')
}

/** The signing key of a secret. Returns `null` if the text is no valid secret. */
export function readSecret(secret: string): Uint8Array | null {
  if (!secret.startsWith(PREFIX)) return PLAIN.test(secret) ? Buffer.from(secret, 'ascii') : null
  const given = secret.slice(PREFIX.length)
  const bytes = Buffer.from(given, 'base64')
  // Buffer skips invalid base64, but other implementations reject such a secret.
  if (bytes.toString('base64') !== given) return null
  return bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES ? bytes : null
}

export interface Signed {
  /** The same on every attempt. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The sent body, byte for byte. */
  readonly body: string
}

/** The header `webhook-signature`: one signature for each secret, the newest first. */
export function signatures({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = readSecret(secret)
      if (key === null) throw new RangeError('A stored secret is not valid.')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}

/** The signature as the hosted service makes it: of the body alone, by the text of the secret. */
export function serviceSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}

export interface SignedRequest {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Each attempt is signed again, so that receivers can reject old requests. `secrets`: the newest first. */
export function toSignedRequest(
  delivery: Delivery,
  webhook: Pick<StoredWebhook, 'serviceSignature'>,
  {
    secrets,
    now,
    multiTenant,
    wholeNumbers,
  }: Pick<WebhooksContext, 'multiTenant' | 'wholeNumbers'> & {
    readonly secrets: readonly string[]
    readonly now: number
  },
): SignedRequest {
  const { messageId } = delivery
  const message = toPublicMessage({ ...delivery, id: messageId }, multiTenant)
  const own = wholeNumbers === null ? message.data : withWholeNumbers(message.data, wholeNumbers)
  const data = webhook.serviceSignature ? withServiceValues(own) : own
  const signature = webhook.serviceSignature && typeof data === 'object' ? data : {}
  const body = JSON.stringify({ ...signature, ...message, data })
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
