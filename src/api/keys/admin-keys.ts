import { GamificationError } from '../../errors.ts'
import { checkNoOptions } from '../../options.ts'
import { wrapErrors } from '../../runtime/damage.ts'
import type { AdminKeyChange, Storage, StoredKey } from '../../storage/storage.ts'
import { parse, text } from '../input.ts'
import { toInstantText } from '../users/answer.ts'
import { newAdminKey } from './api-key.ts'
import type { AdminKey, CreatedAdminKey } from './types.ts'

/** Admin keys of the account: one opens every tenant's users and the admin API. */
export interface AdminKeysApi {
  /** Makes a key, unless there are 3, revoked ones included: then `too_many_admin_keys`. */
  create(): Promise<CreatedAdminKey>
  /** The oldest first. */
  list(): Promise<readonly AdminKey[]>
  /** Gives the key another prefix and body; the old ones are invalid at once. A revoked key stays revoked. */
  rotate(id: string): Promise<CreatedAdminKey>
  /** Makes the key invalid at once, until it is reactivated. */
  revoke(id: string): Promise<AdminKey>
  /** Makes a revoked key valid again, with the prefix and body it had. */
  reactivate(id: string): Promise<AdminKey>
  /** For good. */
  delete(id: string): Promise<void>
}

/** The most admin keys an account has. */
const MOST_ADMIN_KEYS = 3

const keyId = text(255)

export interface AdminKeysContext {
  readonly storage: Storage
  readonly now: () => number
  readonly newId: (now: number) => string
}

export function createAdminKeys({ storage, now, newId }: AdminKeysContext): AdminKeysApi {
  const change = (id: unknown, changes: AdminKeyChange): Promise<StoredKey> =>
    wrapErrors(
      'outcome_unknown',
      async () => (await storage.updateAdminKey(parse(keyId, id, 'admin key id'), changes)) ?? unknown(id),
    )

  return {
    create: (...given: readonly unknown[]) =>
      wrapErrors('outcome_unknown', async () => {
        checkNoOptions('adminKeys.create', given)
        const { key, prefix, hash } = newAdminKey()
        const createdAt = now()
        const status = 'active'
        const stored: StoredKey = {
          id: newId(createdAt),
          prefix,
          hash,
          owner: null,
          status,
          createdAt,
          lastUsedAt: null,
          can: null,
          expiresAt: null,
        }
        if (await storage.addAdminKey(stored, MOST_ADMIN_KEYS)) return { ...toAdminKey(stored), key }
        const message = `There are ${MOST_ADMIN_KEYS} admin keys, the most an account has: rotate or delete one of them.`
        throw new GamificationError('too_many_admin_keys', message)
      }),
    list: () => wrapErrors('internal', async () => (await storage.adminKeys()).map(toAdminKey)),
    rotate: async (id) => {
      const { key, prefix, hash } = newAdminKey()
      return { ...toAdminKey(await change(id, { prefix, hash })), key }
    },
    revoke: async (id) => toAdminKey(await change(id, { status: 'revoked' })),
    reactivate: async (id) => toAdminKey(await change(id, { status: 'active' })),
    delete: (id) =>
      wrapErrors('outcome_unknown', async () => {
        if (!(await storage.removeAdminKey(parse(keyId, id, 'admin key id')))) unknown(id)
      }),
  }
}

function unknown(id: unknown): never {
  throw new GamificationError('unknown_admin_key', `There is no admin key with the id ${JSON.stringify(id)}.`)
}

function toAdminKey({ id, prefix, status, createdAt, lastUsedAt }: StoredKey): AdminKey {
  const lastUsed = lastUsedAt === null ? null : toInstantText(lastUsedAt)
  return { id, prefix, status, created: toInstantText(createdAt), lastUsed }
}
