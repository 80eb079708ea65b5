import { GamificationError } from '../../src/errors.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import { CHUNK, type KeyStorage, type StoredKey } from '../../src/storage/storage.ts'
import { freeze } from './freeze.ts'
import { pageOf } from './read.ts'
import { type Memory, otherNamesOf } from './write.ts'

type Id = Pick<StoredKey, 'id'>

export function keyCalls(open: () => Memory): KeyStorage {
  const adminKeys = (): readonly StoredKey[] => [...open().keys.values()].filter(({ owner }) => owner === null)
  return {
    findKey: async (prefix) => open().keys.get(prefix) ?? null,
    adminKeys: async () => adminKeys().toSorted((a, b) => a.createdAt - b.createdAt || compareCodePoints(a.id, b.id)),
    applicationKeys: async (tenant, { user, after, limit = CHUNK } = {}) => {
      const key = { tenant, user: user ?? '' }
      const names = new Set([key, ...otherNamesOf(open(), key)].map((name) => name.user))
      const keys = [...open().keys.values()].filter(({ owner }) => {
        return owner?.tenant === tenant && (user === undefined || names.has(owner.user))
      })
      const compare = (a: Id, b: Id): number => compareCodePoints(a.id, b.id)
      return pageOf<Id, StoredKey>(keys, compare, { after: after === undefined ? after : { id: after }, limit })
    },
    addAdminKey: async (key, most) => {
      if (key.owner !== null) fail(`The admin key ${key.id} has an owner`)
      if (adminKeys().length >= most) return false
      addKeys(open(), [key])
      return true
    },
    addApplicationKeys: async (keys) => {
      for (const { id, owner } of keys) if (owner === null) fail(`The application key ${id} has no owner`)
      addKeys(open(), keys)
    },
    updateAdminKey: async (id, change) => {
      const known = adminKeys().find((key) => key.id === id)
      if (known === undefined) return null
      const { keys } = open()
      const { prefix = known.prefix, hash = known.hash, status = known.status, lastUsedAt } = change
      if (prefix !== known.prefix && keys.has(prefix)) fail(`There is a key with the prefix ${prefix} already`)
      const changed = freeze({ ...known, prefix, hash, status, lastUsedAt: latest(known.lastUsedAt, lastUsedAt) })
      keys.delete(known.prefix)
      keys.set(prefix, changed)
      return changed
    },
    removeAdminKey: async (id) => {
      const known = adminKeys().find((key) => key.id === id)
      return known !== undefined && open().keys.delete(known.prefix)
    },
    removeApplicationKeys: async (tenant, ids) => {
      const { keys } = open()
      const prefixes = new Map<string, string>()
      for (const { id, prefix, owner } of keys.values()) if (owner?.tenant === tenant) prefixes.set(id, prefix)
      return ids.filter((id) => {
        const prefix = prefixes.get(id)
        return prefix !== undefined && keys.delete(prefix)
      })
    },
  }
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

function latest(known: number | null, given: number | undefined): number | null {
  if (given === undefined) return known
  return known === null ? given : Math.max(known, given)
}

function fail(what: string): never {
  throw new GamificationError('internal', `${what}.`)
}
