import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../../errors.ts'
import type { Context, KeyUses, Logger, ValidKeys } from '../../runtime/context.ts'
import type { KeyHolder } from '../../shapes/keys.ts'
import { findKey, updateAdminKey } from '../../sql/api-keys.ts'
import type { Storage } from '../../storage/storage.ts'
import { parseCapabilities } from './requests.ts'

// 32 characters, so that a random byte picks each equally often; without letters that are read as digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BODY_BYTES = 32
const FULL_KEY = /^(app_[0-9a-z]{12}|adm_[0-9a-z]{4})\.([A-Za-z0-9_-]{43})$/
/** An unknown key is compared with this hash. */
const NO_HASH = '0'.repeat(64)

/** A new key in full, and the hash that is stored. Scanners for secrets know both kinds by their first letters. */
export function newApiKey(kind: 'admin' | 'application'): { readonly [Part in 'prefix' | 'key' | 'hash']: string } {
  const prefix = kind === 'admin' ? `adm_${randomText(4)}` : `app_${randomText(12)}`
  const body = randomBytes(BODY_BYTES).toString('base64url')
  return { prefix, key: `${prefix}.${body}`, hash: hashOf(body) }
}

/** The parts of a full admin key. Throws `invalid_request`; the error does not contain the key, because it is a secret. */
export function readAdminKey(key: unknown): { readonly prefix: string; readonly hash: string } {
  const [, prefix, body] = typeof key === 'string' ? (FULL_KEY.exec(key) ?? []) : []
  if (prefix?.startsWith('adm_') && body !== undefined) return { prefix, hash: hashOf(body) }
  const message = 'The key is no admin key: adm_, 4 of 0-9a-z, a dot, and 32 random bytes as base64url.'
  throw new GamificationError('invalid_request', message)
}

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
}

function hashOf(body: string): string {
  return hash('sha256', body, 'hex')
}

/** In constant time, also if there is no hash to compare with. */
function isBodyOf(body: string, hash: string | null): boolean {
  const isSame = timingSafeEqual(Buffer.from(hashOf(body), 'hex'), Buffer.from(hash ?? NO_HASH, 'hex'))
  return isSame && hash !== null
}

/**
 * Returns the holder of a key. Returns `null` if the key is missing, malformed, unknown, rotated away, revoked, deleted
 * or expired, or has an unknown capability. The storage is asked within the deadline, for an admin key only if
 * `Storage.changes` has another value than before.
 */
export async function authenticate(context: Context, key: unknown, deadline: number): Promise<KeyHolder | null> {
  if (typeof key !== 'string') return null
  const asOf = context.storage.changes()
  const known = context.validKeys.get(key, asOf)
  if (known !== undefined) {
    context.keyUses.note(known.keyId, context.now())
    return known
  }
  const [, prefix, body] = FULL_KEY.exec(key) ?? []
  if (prefix === undefined || body === undefined) return null
  const stored = await findKey(context.storage.until(deadline), prefix)
  if (!isBodyOf(body, stored?.hash ?? null) || stored?.status !== 'active') return null
  const { id: keyId, owner, can, expiresAt } = stored
  if (expiresAt !== null && expiresAt <= context.now()) return null
  if (can !== null && parseCapabilities(can) === null) return null
  if (owner !== null) {
    const holder = { kind: 'application', keyId, tenant: owner.tenant, userId: owner.user } as const
    return can === null ? holder : { ...holder, can }
  }
  context.keyUses.note(keyId, context.now())
  const holder = { kind: 'admin', keyId } as const
  if (expiresAt === null) context.validKeys.put(key, asOf, holder)
  return holder
}

export function createValidKeys(): ValidKeys {
  const holders = new Map<string, KeyHolder>()
  let latest = 0
  return {
    get: (key, asOf) => {
      if (asOf !== latest) holders.clear()
      latest = asOf
      return holders.get(key)
    },
    put: (key, asOf, holder) => {
      if (asOf === latest) holders.set(key, holder)
    },
  }
}

const MINUTE = 60_000

export function createKeyUses(storage: Storage, logger: Logger): KeyUses {
  const minutes = new Map<string, number>()
  const writing = new Set<Promise<void>>()

  async function write(keyId: string, lastUsedAt: number): Promise<void> {
    try {
      // Wait until the call that used the key has continued.
      await nextTurn()
      await updateAdminKey(storage, keyId, { lastUsedAt })
    } catch (err) {
      logger.warn({ keyId, err }, 'The last use of an admin key could not be recorded.')
    }
  }

  return {
    note: (keyId, now) => {
      const minute = now - (now % MINUTE)
      if ((minutes.get(keyId) ?? Number.NEGATIVE_INFINITY) >= minute) return
      minutes.set(keyId, minute)
      const written = write(keyId, minute).finally(() => writing.delete(written))
      writing.add(written)
    },
    drained: async () => {
      await Promise.all(writing)
    },
  }
}
