import { createHmac, randomBytes } from 'node:crypto'

/** How secrets of Standard Webhooks begin; what follows is base64. */
const PREFIX = 'whsec_'
const FEWEST_BYTES = 24
const MOST_BYTES = 64
const NEW_BYTES = 32
/** A secret that is not base64, as another service gave it. */
const PLAIN = /^[\x21-\x7e]{24,255}$/

export const SECRET_RULE: string = `must be ${PREFIX} and ${FEWEST_BYTES} to ${MOST_BYTES} bytes as base64, or 24 to 255 visible ASCII characters`

/** A secret that nobody has had. */
export function newSecret(): string {
  return PREFIX + randomBytes(NEW_BYTES).toString('base64')
}

/** The bytes that a secret signs with; null: it can be none. */
export function readSecret(secret: string): Uint8Array | null {
  if (!secret.startsWith(PREFIX)) return PLAIN.test(secret) ? Buffer.from(secret, 'ascii') : null
  const given = secret.slice(PREFIX.length)
  const bytes = Buffer.from(given, 'base64')
  // Buffer passes over what is no base64; nobody else would take such a secret.
  if (bytes.toString('base64') !== given) return null
  return bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES ? bytes : null
}

export interface Signed {
  /** The same on every try. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** As it is sent, byte for byte. */
  readonly body: string
}

/** The header `webhook-signature`: one signature for each secret, the newest first. */
export function signatures({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = readSecret(secret)
      if (key === null) throw new RangeError('A secret that can be none was stored.')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}

/** The signature as the hosted service makes it: of the body alone, by the text of the secret. */
export function serviceSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}
