import type { Storage, StoredKey } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { ANN, NOON } from './samples.ts'

export const IN_ACME: UserKey = { tenant: 'acme', user: 'ann' }

export const adminKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  id,
  prefix: `prefix-${id}`,
  hash: `hash-${id}`,
  owner: null,
  status: 'active',
  createdAt: NOON,
  lastUsedAt: null,
  can: null,
  expiresAt: null,
  ...changes,
})

export const applicationKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey =>
  adminKey(id, { prefix: `app_${id}`, owner: ANN, ...changes })

/** Which of the prefixes a key is found by. */
export async function found(storage: Storage, ...prefixes: string[]): Promise<string[]> {
  const keys = await Promise.all(prefixes.map((prefix) => storage.findKey(prefix)))
  return prefixes.filter((_, index) => keys[index] !== null)
}
