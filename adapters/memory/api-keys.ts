import { GamificationError } from '../../src/errors.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { MethodsOf } from '../../src/sql/calls.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { CHUNK, type KeyStorage, type StoredKey } from '../../src/storage/storage.ts'
import { freeze } from './freeze.ts'
import { pageOf } from './read.ts'
import { idOf, type Memory, otherNamesOf } from './write.ts'

type Id = Pick<StoredKey, 'id'>

const adminKeysIn = ({ keys }: Memory): readonly StoredKey[] => [...keys.values()].filter(({ owner }) => owner === null)
const compareIds = (a: Id, b: Id): number => compareCodePoints(a.id, b.id)

export const MEMORY_KEYS: MethodsOf<Memory, KeyStorage> = {
  findKey: ({ keys }, prefix) => keys.get(prefix) ?? null,
  adminKeys: (memory) => adminKeysIn(memory).toSorted((a, b) => a.createdAt - b.createdAt || compareIds(a, b)),
  applicationKeys: (memory, tenant, { user, after, limit = CHUNK } = {}) => {
    const key = { tenant, user: user ?? '' }
    const names = new Set([key, ...otherNamesOf(memory, key)].map((name) => name.user))
    const keys = [...memory.keys.values()].filter(({ owner }) => {
      return owner?.tenant === tenant && (user === undefined || names.has(owner.user))
    })
    return pageOf<Id, StoredKey>(keys, compareIds, { after: after === undefined ? after : { id: after }, limit })
  },
  addAdminKey: (memory, key, most) => {
    if (key.owner !== null) fail(`The admin key ${key.id} has an owner`)
    if (adminKeysIn(memory).length >= most) return false
    addKeys(memory, [key])
    return true
  },
  addApplicationKeys: (memory, keys) => {
    for (const { id, owner } of keys) if (owner === null) fail(`The application key ${id} has no owner`)
    const added = keys.filter(({ owner }) => owner !== null && !isOtherName(memory, owner))
    addKeys(memory, added)
    return added.map(({ id }) => id)
  },
  updateAdminKey: (memory, id, change) => {
    const known = adminKeysIn(memory).find((key) => key.id === id)
    if (known === undefined) return null
    const { keys } = memory
    const { prefix = known.prefix, hash = known.hash, status = known.status, lastUsedAt } = change
    if (prefix !== known.prefix && keys.has(prefix)) fail(`There is a key with the prefix ${prefix} already`)
    const changed = freeze({ ...known, prefix, hash, status, lastUsedAt: latest(known.lastUsedAt, lastUsedAt) })
    keys.delete(known.prefix)
    keys.set(prefix, changed)
    return changed
  },
  removeAdminKey: (memory, id) => {
    const known = adminKeysIn(memory).find((key) => key.id === id)
    return known !== undefined && memory.keys.delete(known.prefix)
  },
  removeApplicationKeys: ({ keys }, tenant, ids) =>
    ids.filter((id) => {
      const key = [...keys.values()].find(({ id: known, owner }) => known === id && owner?.tenant === tenant)
      return key !== undefined && keys.delete(key.prefix)
    }),
}

function isOtherName({ users }: Memory, owner: UserKey): boolean {
  return (users.get(idOf(owner))?.state.mergedInto ?? null) !== null
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
