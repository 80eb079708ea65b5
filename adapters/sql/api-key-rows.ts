import type { AdminKeyChange, StoredKey } from '../../src/storage.ts'
import type { AdminKeyColumns } from './api-keys.ts'
import type { ApiKeysTable } from './tables.ts'

export function toKeyRow({ id, prefix, hash, owner, status, createdAt, lastUsedAt }: StoredKey): ApiKeysTable {
  return {
    id,
    prefix,
    hash,
    tenant_id: owner?.tenant ?? null,
    user_id: owner?.user ?? null,
    kind: owner === null ? 'admin' : 'application',
    status,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  }
}

export function toStoredKey(row: ApiKeysTable): StoredKey {
  const { id, prefix, hash, tenant_id: tenant, user_id: user, status, created_at, last_used_at } = row
  const owner = tenant === null || user === null ? null : { tenant, user }
  return { id, prefix, hash, owner, status, createdAt: created_at, lastUsedAt: last_used_at }
}

export function toAdminKeyColumns(id: string, { prefix, hash, status, lastUsedAt }: AdminKeyChange): AdminKeyColumns {
  return {
    id,
    prefix: prefix ?? null,
    hash: hash ?? null,
    status: status ?? null,
    last_used_at: lastUsedAt ?? null,
  }
}
