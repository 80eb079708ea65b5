import type { DefinedGame, Gamification } from 'laurels'

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
  given: string | undefined,
): Promise<FirstKey> {
  const { adminKeys } = gamification
  if (given === undefined) {
    if ((await adminKeys.list()).length > 0) return { type: 'earlier' }
    return { type: 'made', key: (await adminKeys.create()).key }
  }
  const isKnown = (await adminKeys.createFirst(given)) || (await gamification.authenticate(given))?.kind === 'admin'
  return { type: isKnown ? 'given' : 'refused' }
}
