import { GamificationError } from '../../src/errors.ts'
import { bound, closed, type MethodsOf, waited } from '../../src/sql/calls.ts'
import { savesOf } from '../../src/sql/row-changes.ts'
import type { Eventually } from '../../src/storage/steps.ts'
import {
  type CommitReport,
  type Decide,
  SEEN_EVERY_MS,
  type Storage,
  type StorageTransaction,
  type StoredGame,
  type UserRequest,
} from '../../src/storage/storage.ts'
import { MEMORY_KEYS } from './api-keys.ts'
import { MEMORY_AUDIT } from './audit.ts'
import { freeze } from './freeze.ts'
import { countRanks, MEMORY_LEADERBOARDS } from './leaderboards.ts'
import { newOutbox } from './outbox.ts'
import { createOpenTransactions, MEMORY_OUTBOX } from './outbox-calls.ts'
import { MEMORY_OVERVIEW } from './overview.ts'
import { MEMORY_READS, readLog, readSnapshot, readStoredUser } from './read.ts'
import { checkConstraints, checkRemoval, idOf, type Memory, removeUser, toLoadedUser, writeSave } from './write.ts'

type Own = 'name' | 'deadlineMs' | 'auditsAtOnce' | 'until' | 'joinTransaction' | 'openTransaction' | 'close'

const CALLS: MethodsOf<Memory, Omit<Storage, Own>> = {
  migrate: () => ({ applied: [] }),
  checkTables: () => ({ now: null }),
  checkWritable: () => ({ now: null }),
  games: ({ games }) => [...games],
  addGame,
  seeGame: (memory, fingerprint, { now }) => {
    const isSeen = memory.seenAt > now - SEEN_EVERY_MS && memory.seenAt <= now
    if (memory.games.at(-1)?.fingerprint === fingerprint && !isSeen) memory.seenAt = now
  },
  gameSilence: ({ games, seenAt }, { now }) => (games.length === 0 ? 0 : Math.max(0, now - seenAt)),
  commit,
  transaction: runTransaction,
  ...MEMORY_READS,
  ...MEMORY_KEYS,
  ...MEMORY_LEADERBOARDS,
  ...MEMORY_AUDIT,
  ...MEMORY_OUTBOX,
  ...MEMORY_OVERVIEW,
}

/**
 * Keeps everything in this process, for tests and for trying out. This storage is the reference for all others: every
 * call does its work in one synchronous piece. Stored values are frozen, so that they can be shared with every caller
 * and are never copied.
 */
export function memory(): Storage {
  const kept: Memory = {
    games: [],
    seenAt: 0,
    users: new Map(),
    entries: new Map(),
    counters: new Map(),
    keys: new Map(),
    outbox: newOutbox(),
    writes: 0,
  }
  let isClosed = false

  const open = (): Memory => {
    if (isClosed) throw closed()
    return kept
  }

  const calls = bound(open, CALLS)
  const openTransaction = createOpenTransactions(open)
  const storageBy = (deadline?: number): Storage => ({
    ...calls,
    name: 'memory',
    deadlineMs: null,
    auditsAtOnce: 1,
    until: storageBy,
    openTransaction: (work) => openTransaction(work, deadline),
    joinTransaction: () => {
      throw new GamificationError('storage_unusable', 'memory() has no transactions that could be joined.')
    },
    close: async () => {
      isClosed = true
    },
  })
  return storageBy()
}

function commit(memory: Memory, requests: readonly UserRequest[], decide: Decide): CommitReport {
  const { games, users } = memory
  const entryIds = new Set<string>()
  const loaded = requests.map((request) => toLoadedUser(users.get(idOf(request)), request))
  const saves = savesOf(requests, decide(loaded, games.length)).map(({ user, save }) => {
    return { key: user, save: freeze(save) }
  })
  // Every check comes before the first write, and no write can fail: so all of it is stored, or nothing.
  for (const { key, save } of saves) checkConstraints(memory, key, save, entryIds)
  const stored = saves.map(({ key: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks(memory, { tenant, user }, save.ranks) }
  })
  for (const { key, save } of saves) writeSave(memory, key, save)
  return { failures: [], saveGroups: [{ users: stored, asOf: 'before' }] }
}

function addGame(memory: Memory, game: StoredGame): boolean {
  const { games } = memory
  if (game.epoch > games.length + 1) {
    throw new GamificationError('internal', `Epoch ${game.epoch} does not follow epoch ${games.length}.`)
  }
  if (game.epoch <= games.length) return false
  // A copy, so that the caller's own object is not frozen.
  games.push(freeze(structuredClone(game)))
  memory.seenAt = game.createdAt
  return true
}

/** Writes the saves of `work` when it returns, and nothing when it throws. Throws `internal` for a promise. */
function runTransaction<T>(memory: Memory, work: (tx: StorageTransaction) => Eventually<T>): T {
  const writes: (() => void)[] = []
  const entryIds = new Set<string>()
  const result = work({
    games: () => [...memory.games],
    lockUser: (key, options = {}) => readStoredUser(memory, key, options),
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
