import { findKey, type StoredKey } from '../../sql/api-keys.ts'
import type { Storage } from '../../storage/storage.ts'
import { ANN, NOON } from './samples.ts'

export const adminKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  ...{ id, prefix: `prefix-${id}`, hash: `hash-${id}`, owner: null, status: 'active', createdAt: NOON },
  ...{ lastUsedAt: null, can: null, expiresAt: null },
  ...changes,
})

export const applicationKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey =>
  adminKey(id, { prefix: `app_${id}`, owner: ANN, ...changes })

export async function found(storage: Storage, ...prefixes: string[]): Promise<string[]> {
  const keys = await Promise.all(prefixes.map((prefix) => findKey(storage, prefix)))
  return prefixes.filter((_, index) => keys[index] !== null)
}
