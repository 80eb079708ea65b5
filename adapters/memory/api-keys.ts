import { GamificationError } from '../../src/errors.ts'
import { type AdminKeyChange, type ApplicationKeysOptions, CHUNK, type StoredKey } from '../../src/storage/storage.ts'
import { freeze } from './freeze.ts'
import { compareText } from './read.ts'
import { type Memory, otherNamesOf } from './write.ts'

export function findKey({ keys }: Memory, prefix: string): StoredKey | null {
  return keys.get(prefix) ?? null
}

export function adminKeys({ keys }: Memory): StoredKey[] {
  return [...keys.values()]
    .filter(({ owner }) => owner === null)
    .sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id))
}

export function applicationKeys(
  memory: Memory,
  tenant: string,
  { user, after, limit = CHUNK }: ApplicationKeysOptions,
): StoredKey[] {
  const key = { tenant, user: user ?? '' }
  const names = new Set([key, ...otherNamesOf(memory, key)].map((name) => name.user))
  return [...memory.keys.values()]
    .filter(({ owner }) => owner?.tenant === tenant && (user === undefined || names.has(owner.user)))
    .filter(({ id }) => after === undefined || compareText(id, after) > 0)
    .sort((a, b) => compareText(a.id, b.id))
    .slice(0, limit)
}

export function addAdminKey(memory: Memory, key: StoredKey, most: number): boolean {
  if (key.owner !== null) fail(`The admin key ${key.id} has an owner`)
  if (adminKeys(memory).length >= most) return false
  addKeys(memory, [key])
  return true
}

export function addApplicationKeys(memory: Memory, keys: readonly StoredKey[]): void {
  for (const { id, owner } of keys) if (owner === null) fail(`The application key ${id} has no owner`)
  addKeys(memory, keys)
}

function addKeys({ keys }: Memory, added: readonly StoredKey[]): void {
  const ids = new Set([...keys.values()].map(({ id }) => id))
  const prefixes = new Set(keys.keys())
  for (const { id, prefix } of added) {
    if (ids.has(id) || prefixes.has(prefix)) fail(`The key ${id} is there already, or its prefix ${prefix}`)
    ids.add(id)
    prefixes.add(prefix)
  }
  for (const key of added) keys.set(key.prefix, freeze(key))
}

export function updateAdminKey(memory: Memory, id: string, change: AdminKeyChange): StoredKey | null {
  const { keys } = memory
  const known = adminKeys(memory).find((key) => key.id === id)
  if (known === undefined) return null
  const { prefix = known.prefix, hash = known.hash, status = known.status, lastUsedAt } = change
  if (prefix !== known.prefix && keys.has(prefix)) fail(`There is a key with the prefix ${prefix} already`)
  const changed = freeze({ ...known, prefix, hash, status, lastUsedAt: latest(known.lastUsedAt, lastUsedAt) })
  keys.delete(known.prefix)
  keys.set(prefix, changed)
  return changed
}

function latest(known: number | null, given: number | undefined): number | null {
  if (given === undefined) return known
  return known === null ? given : Math.max(known, given)
}

export function removeAdminKey(memory: Memory, id: string): boolean {
  const known = adminKeys(memory).find((key) => key.id === id)
  return known !== undefined && memory.keys.delete(known.prefix)
}

export function removeApplicationKeys({ keys }: Memory, tenant: string, ids: readonly string[]): string[] {
  const prefixes = new Map<string, string>()
  for (const { id, prefix, owner } of keys.values()) if (owner?.tenant === tenant) prefixes.set(id, prefix)
  return ids.filter((id) => {
    const prefix = prefixes.get(id)
    return prefix !== undefined && keys.delete(prefix)
  })
}

function fail(what: string): never {
  throw new GamificationError('internal', `${what}.`)
}
