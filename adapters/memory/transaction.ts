import type { StorageTransaction } from '../../src/storage/storage.ts'
import type { Eventually } from '../../src/storage/sync-or-async.ts'
import { waited } from '../sql/calls.ts'
import { freeze } from './freeze.ts'
import { countRanks } from './leaderboards.ts'
import { readLog, readSnapshot, viewOf } from './read.ts'
import { checkConstraints, checkRemoval, idOf, type Memory, removeUser, writeSave } from './write.ts'

/** Writes the saves of `work` when it returns, and nothing when it throws. Throws `internal` for a promise. */
export function runTransaction<T>(memory: Memory, work: (tx: StorageTransaction) => Eventually<T>): T {
  const writes: (() => void)[] = []
  const entryIds = new Set<string>()
  const result = work({
    games: () => [...memory.games],
    lockUser: (key, options = {}) => viewOf(memory, key, options),
    readLog: (key, options = {}) => readLog(memory, key, options),
    readSnapshot: (key, until) => readSnapshot(memory, key, until),
    save: (key, { version }, decided) => {
      if ((memory.users.get(idOf(key))?.version ?? 0) !== version) return null
      const save = freeze(decided)
      checkConstraints(memory, key, save, entryIds)
      writes.push(() => writeSave(memory, key, save))
      return countRanks(memory, key, save.ranks)
    },
    removeUser: (key, options = {}) => {
      const outcome = checkRemoval(memory, key, options)
      if (outcome !== 'changed') writes.push(() => removeUser(memory, key, options))
      return outcome
    },
  })
  // Other calls could come between work that waits and its writes.
  if (result instanceof Promise) {
    result.catch(() => undefined)
    throw waited()
  }
  for (const write of writes) write()
  return result
}
