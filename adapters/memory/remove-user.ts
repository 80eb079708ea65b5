import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { countsOf } from '../sql/user-counts.ts'
import { freeze } from './freeze.ts'
import { removeOf } from './outbox.ts'
import { checkConstraints, count, entryIdOf, idOf, type Memory, writeSave } from './write.ts'

/** What `removeUser` would answer now. Every check comes before the first write. */
export function checkRemoval(memory: Memory, key: UserKey, options: RemoveUserOptions): RemovedUser {
  const { version, replacement = { epoch: memory.games.length, users: [] } } = options
  const { tenant } = key
  const versionOf = (user: string): number => memory.users.get(idOf({ tenant, user }))?.version ?? 0
  const others = replacement.users.filter(({ user }) => user !== key.user)
  const isOther = version !== undefined && version !== versionOf(key.user)
  if (isOther || others.some((each) => each.version !== versionOf(each.user))) return 'changed'
  if (replacement.epoch !== memory.games.length) return 'changed'
  const [rest, ids] = [without(memory, goneWith(memory, key, options)), new Set<string>()]
  for (const { user, save } of replacement.users) checkConstraints(rest, { tenant, user }, save, ids)
  return memory.users.has(idOf(key)) ? 'removed' : 'unknown'
}

export function removeUser(memory: Memory, key: UserKey, options: RemoveUserOptions): RemovedUser {
  const { keepsNames = false, replacement } = options
  const saves = freeze(replacement?.users ?? [])
  if (checkRemoval(memory, key, options) === 'changed') return 'changed'
  const removed = goneWith(memory, key, options).map((each) => remove(memory, each, keepsNames))
  for (const { user, save } of saves) writeSave(memory, { tenant: key.tenant, user }, save)
  return removed.some((isRemoved) => isRemoved) ? 'removed' : 'unknown'
}

function goneWith(memory: Memory, key: UserKey, { keepsNames = false }: RemoveUserOptions): readonly UserKey[] {
  return keepsNames ? [key] : [key, ...otherNamesOf(memory, key)]
}

/** Users who are other names of a user, directly or by way of another name. */
export function otherNamesOf(memory: Memory, { tenant, user }: UserKey): readonly UserKey[] {
  const names = [...memory.users.values()].filter(({ key, state }) => {
    return key.tenant === tenant && state.mergedInto === user
  })
  return names.flatMap(({ key }) => [key, ...otherNamesOf(memory, key)])
}

function without(memory: Memory, gone: readonly UserKey[]): Memory {
  const [users, entries] = [new Map(memory.users), new Map(memory.entries)]
  for (const key of gone) {
    for (const { id } of users.get(idOf(key))?.log ?? []) entries.delete(entryIdOf(key.tenant, id))
    users.delete(idOf(key))
  }
  return { ...memory, users, entries }
}

function remove(memory: Memory, key: UserKey, keepsNames: boolean): boolean {
  const user = memory.users.get(idOf(key))
  const isRest = !keepsNames && removeRest(memory, key)
  if (user === undefined) return isRest
  for (const { id } of user.log) memory.entries.delete(entryIdOf(key.tenant, id))
  memory.users.delete(idOf(key))
  for (const change of countsOf(user.state, -1)) count(memory, key.tenant, change)
  return true
}

/** Removes the keys, messages and deliveries of a user, which `keepsNames` would keep. */
function removeRest({ keys, outbox }: Memory, key: UserKey): boolean {
  const own = [...keys.values()].filter(({ owner }) => owner !== null && idOf(owner) === idOf(key))
  for (const { prefix } of own) keys.delete(prefix)
  return removeOf(outbox, key) || own.length > 0
}
