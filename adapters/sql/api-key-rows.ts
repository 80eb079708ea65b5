import type { AdminKeyChange, StoredKey } from '../../src/storage.ts'
import type { ApiKeysTable } from './tables.ts'

export function toKeyRow(key: StoredKey): ApiKeysTable {
  const { id, prefix, hash, owner, status, createdAt, lastUsedAt, can, expiresAt } = key
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
    can: can === null ? null : JSON.stringify(can),
    expires_at: expiresAt,
  }
}

/** null: the row's kind and owner contradict each other, so it is no key. */
export function toStoredKey(row: ApiKeysTable): StoredKey | null {
  const { id, prefix, hash, status, created_at, last_used_at, can, expires_at } = row
  const owner = ownerOf(row)
  if (owner === undefined) return null
  const times = { createdAt: created_at, lastUsedAt: last_used_at, expiresAt: expires_at }
  return { id, prefix, hash, owner, status, can: toCan(can), ...times }
}

/** A list that cannot be read allows nothing, not everything. */
function toCan(text: string | null): StoredKey['can'] {
  if (text === null) return null
  try {
    const can: unknown = JSON.parse(text)
    return Array.isArray(can) && can.every((item) => typeof item === 'string') ? can : []
  } catch {
    return []
  }
}

/**
 * The owner of a key: null for an admin key, undefined where the kind contradicts the owner. Only the kind makes an
 * admin key, so an application key that lost its user does not become one.
 */
function ownerOf({ kind, tenant_id: tenant, user_id: user }: ApiKeysTable): StoredKey['owner'] | undefined {
  if (kind === 'admin') return tenant === null && user === null ? null : undefined
  if (kind !== 'application' || tenant === null || user === null) return undefined
  return { tenant, user }
}

export interface AdminKeyColumns {
  readonly id: string
  readonly prefix: string | null
  readonly hash: string | null
  readonly status: ApiKeysTable['status'] | null
  readonly last_used_at: number | null
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
