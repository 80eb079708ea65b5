import { GamificationError } from '../../src/errors.ts'
import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { countsOf } from '../sql/user-counts.ts'
import { freeze } from './freeze.ts'
import { checkSave, count, entryIdOf, idOf, type Memory, writeSave } from './write.ts'

export function removeUser(memory: Memory, key: UserKey, { version, replacement }: RemoveUserOptions): RemovedUser {
  const user = memory.users.get(idOf(key))
  const isOther = version !== undefined && version !== (user?.version ?? 0)
  if (isOther || (replacement !== undefined && replacement.epoch !== memory.games.length)) return 'changed'
  if (replacement !== undefined && memory.users.has(idOf({ tenant: key.tenant, user: replacement.user }))) {
    throw new GamificationError('internal', `There is a user ${JSON.stringify(replacement.user)} already.`)
  }
  const ownKeys = [...memory.keys.values()].filter(({ owner }) => owner !== null && idOf(owner) === idOf(key))
  if (user === undefined && ownKeys.length === 0) return 'unknown'

  for (const { prefix } of ownKeys) memory.keys.delete(prefix)
  for (const { id } of user?.log ?? []) memory.entries.delete(entryIdOf(key.tenant, id))
  memory.users.delete(idOf(key))
  for (const change of user === undefined ? [] : countsOf(user.state, -1)) count(memory, key.tenant, change)
  if (replacement !== undefined) {
    const [other, save] = [{ tenant: key.tenant, user: replacement.user }, freeze(replacement.save)]
    checkSave(memory, other, save, new Set())
    writeSave(memory, other, save)
  }
  return 'removed'
}
