import type { HeldStorage } from '../../src/storage.ts'
import { freeze } from './freeze.ts'
import { countRanks } from './leaderboards.ts'
import { readLog, readSnapshot, readUser } from './read.ts'
import { checkConstraints, idOf, type Memory, writeSave } from './write.ts'

/** Saves of `work` are written when `work` is done, and never when it throws. */
export function hold<T>(memory: Memory, work: (held: HeldStorage) => T | Promise<T>): T | Promise<T> {
  const writes: (() => void)[] = []
  const entryIds = new Set<string>()
  const done = (result: T): T => {
    for (const write of writes) write()
    return result
  }
  const result = work({
    attempt: (attempted) => attempted(),
    games: () => [...memory.games],
    lockUser: (key, options = {}) => readUser(memory, key, options),
    readLog: (key, options = {}) => readLog(memory, key, options),
    readSnapshot: (key, until) => readSnapshot(memory, key, until),
    save: (key, { version }, decided) => {
      if ((memory.users.get(idOf(key))?.version ?? 0) !== version) return null
      const save = freeze(decided)
      checkConstraints(memory, key, save, entryIds)
      writes.push(() => writeSave(memory, key, save))
      return countRanks(memory, key, save.ranks)
    },
  })
  // Where `work` waited for nothing, no other call comes between it and its writes.
  return result instanceof Promise ? result.then(done) : done(result)
}
