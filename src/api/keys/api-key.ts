import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A key as it is handed out, and what is kept of it. */
export interface NewApiKey {
  readonly prefix: string
  /** `{prefix}.{body}`. */
  readonly key: string
  /** SHA-256 of the body, in hex. */
  readonly hash: string
}

// 32 characters, so that a random byte picks each equally often; without letters that are read as digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BODY_BYTES = 32
const FULL_KEY = /^(app_[0-9a-z]{12}|[0-9a-z]{8})\.([A-Za-z0-9_-]{43})$/
/** What the body of an unknown key is compared with. */
const NO_HASH = '0'.repeat(64)

export function newAdminKey(): NewApiKey {
  return newKey(randomText(8))
}

export function newApplicationKey(): NewApiKey {
  return newKey(`app_${randomText(12)}`)
}

function newKey(prefix: string): NewApiKey {
  const body = randomBytes(BODY_BYTES).toString('base64url')
  return { prefix, key: `${prefix}.${body}`, hash: hashOf(body) }
}

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
}

function hashOf(body: string): string {
  return hash('sha256', body, 'hex')
}

/** The parts of a full key; null when it is none. */
export function parseApiKey(key: unknown): { readonly prefix: string; readonly body: string } | null {
  const [, prefix, body] = typeof key === 'string' ? (FULL_KEY.exec(key) ?? []) : []
  return prefix === undefined || body === undefined ? null : { prefix, body }
}

/** In constant time, also where there is no hash to compare with. */
export function isBodyOf(body: string, hash: string | null): boolean {
  const isSame = timingSafeEqual(Buffer.from(hashOf(body), 'hex'), Buffer.from(hash ?? NO_HASH, 'hex'))
  return isSame && hash !== null
}
