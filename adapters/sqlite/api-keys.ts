import { GamificationError } from '../../src/errors.ts'
import type { AdminKeyChange, ApplicationKeysOptions, StoredKey } from '../../src/storage.ts'
import { toAdminKeyColumns, toKeyRow, toStoredKey } from '../sql/api-key-rows.ts'
import { firstKeys, toKeysRead } from '../sql/api-keys.ts'
import type { ApiKeysTable } from '../sql/tables.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'
import { otherNamesOf } from './remove-user.ts'

const { apiKeys } = queries

export function findKey(connection: Connection, prefix: string): StoredKey | null {
  const row = connection.get(apiKeys.find, { prefix })
  return row === undefined ? null : toStoredKey(row)
}

export function loadAdminKeys(connection: Connection): readonly StoredKey[] {
  return connection.all(apiKeys.admins, {}).flatMap((row) => toStoredKey(row) ?? [])
}

export function loadApplicationKeys(
  connection: Connection,
  tenant: string,
  options: ApplicationKeysOptions,
): readonly StoredKey[] {
  const { user } = options
  const read = toKeysRead(tenant, options)
  if (user === undefined) return toStoredKeys(connection.all(apiKeys.ofTenant, read))
  const names = [{ tenant, user }, ...otherNamesOf(connection, { tenant, user })]
  const rows = names.flatMap((name) => connection.all(apiKeys.ofUser, { ...read, user_id: name.user }))
  return toStoredKeys(firstKeys(rows, read))
}

function toStoredKeys(rows: readonly ApiKeysTable[]): readonly StoredKey[] {
  return rows.flatMap((row) => toStoredKey(row) ?? [])
}

/** Counts and inserts in the transaction of the caller, in which nobody else can write. */
export function addAdminKey(connection: Connection, key: StoredKey, most: number): boolean {
  if (key.owner !== null) throw new GamificationError('internal', `The admin key ${key.id} has an owner.`)
  if ((connection.get(apiKeys.countAdmins, {})?.count ?? 0) >= most) return false
  connection.run(apiKeys.insert, toKeyRow(key))
  return true
}

export function addApplicationKeys(connection: Connection, keys: readonly StoredKey[]): void {
  for (const key of keys) {
    // Without an owner it would be an admin key beyond the limit.
    if (key.owner === null) throw new GamificationError('internal', `The application key ${key.id} has no owner.`)
    connection.run(apiKeys.insert, toKeyRow(key))
  }
}

export function updateAdminKey(connection: Connection, id: string, change: AdminKeyChange): StoredKey | null {
  const [row] = connection.all(apiKeys.updateAdmin, toAdminKeyColumns(id, change))
  return row === undefined ? null : toStoredKey(row)
}

export function removeAdminKey(connection: Connection, id: string): boolean {
  return connection.run(apiKeys.removeAdmin, { id }) === 1
}

export function removeApplicationKeys(connection: Connection, tenant: string, ids: readonly string[]): string[] {
  return ids.filter((id) => connection.run(apiKeys.removeApplication, { id, tenant_id: tenant }) === 1)
}
