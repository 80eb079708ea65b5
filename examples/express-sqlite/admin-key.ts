import { createHash, randomUUID } from 'node:crypto'
import type { DefinedGame, Gamification, Storage } from 'laurels'
import { addAdminKey } from '../../src/sql/api-keys.ts'

/** The state of the admin key at the start of the server. `made` has the full key, which is shown only once. */
export type FirstKey =
  | { readonly type: 'made'; readonly key: string }
  | { readonly type: 'given' }
  | { readonly type: 'refused' }
  | { readonly type: 'earlier' }

/** The full key in the environment, or undefined. Throws if it is malformed; the error does not contain it, because it is a secret. */
export function readGivenKey(given: string | undefined): string | undefined {
  if (given === undefined || given === '' || /^adm_[0-9a-z]{4}\.[A-Za-z0-9_-]{43}$/.test(given))
    return given || undefined
  throw new Error('LAURELS_ADMIN_KEY is no admin key: adm_, 4 of 0-9a-z, a dot, and 32 random bytes as base64url.')
}

/**
 * The first admin key of a database: the given one, or a new one. If the database has keys, none is added. So a key that was
 * rotated, revoked or deleted does not return at the next start.
 */
export async function ensureFirstKey<G extends DefinedGame>(
  gamification: Gamification<G>,
  storage: Storage,
  given: string | undefined,
): Promise<FirstKey> {
  if (given === undefined) {
    if ((await gamification.adminKeys.list()).length > 0) return { type: 'earlier' }
    return { type: 'made', key: (await gamification.adminKeys.create()).key }
  }
  const [prefix = '', body = ''] = given.split('.')
  const hash = createHash('sha256').update(body).digest('hex')
  const createdAt = Date.now()
  const never = { lastUsedAt: null, can: null, expiresAt: null }
  const key = { id: randomUUID(), prefix, hash, owner: null, status: 'active', createdAt, ...never } as const
  // At most 1: if several processes start at once, only one adds it.
  const isKnown = (await addAdminKey(storage, key, 1)) || (await gamification.authenticate(given))?.kind === 'admin'
  return { type: isKnown ? 'given' : 'refused' }
}
