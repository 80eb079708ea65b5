import { GamificationError } from '../../src/errors.ts'
import type { Storage, StoredGame } from '../../src/storage/storage.ts'
import { keyCalls } from './api-keys.ts'
import { audits } from './audit.ts'
import { freeze } from './freeze.ts'
import { countRanks, pageOfGroup, readEntries } from './leaderboards.ts'
import { newOutbox } from './outbox.ts'
import { createTransactions, outboxes } from './outbox-calls.ts'
import { overviews } from './overview.ts'
import { reads } from './read.ts'
import { runTransaction } from './transaction.ts'
import { checkConstraints, idOf, type Memory, toLoadedUser, writeSave } from './write.ts'

/**
 * Keeps everything in this process, for tests and for trying out. This storage is the reference for all others: every
 * call does its work in one synchronous piece. Stored values are frozen, so that they can be shared with every caller
 * and are never copied.
 */
export function memory(): Storage {
  const kept: Memory = {
    games: [],
    users: new Map(),
    entries: new Map(),
    counters: new Map(),
    keys: new Map(),
    outbox: newOutbox(),
    writes: 0,
  }
  let closed = false

  const open = (): Memory => {
    if (closed) throw new GamificationError('closed', 'The storage was closed.')
    return kept
  }

  const transactions = createTransactions(open)
  return storageBy()

  function storageBy(deadline?: number): Storage {
    return {
      deadlineMs: null,
      until: storageBy,
      migrate: async () => {
        open()
        return { applied: [] }
      },
      checkWritable: async () => {
        open()
        return { now: null }
      },
      games: async () => [...open().games],
      addGame: async (game) => addGame(open(), game),
      commit: async (requests, decide) => {
        const { games, users } = open()
        const entryIds = new Set<string>()
        const loaded = requests.map((request) => toLoadedUser(users.get(idOf(request)), request))
        const answers = decide(loaded, games.length)
        if (answers.length !== requests.length) {
          throw new GamificationError('internal', `decide answered ${answers.length} of ${requests.length} users.`)
        }
        const saves = requests.flatMap((request, index) => {
          const save = answers[index]
          return save ? [{ key: request, save: freeze(save) }] : []
        })
        // Every check comes before the first write, and no write can fail: so all of it is stored, or nothing.
        for (const { key, save } of saves) checkConstraints(kept, key, save, entryIds)
        const stored = saves.map(({ key: { tenant, user }, save }) => {
          return { tenant, user, ranks: countRanks(kept, { tenant, user }, save.ranks) }
        })
        for (const { key, save } of saves) writeSave(kept, key, save)
        return { failures: [], rounds: [{ users: stored, asOf: 'before' }] }
      },
      ...reads(open),
      ...keyCalls(open),
      leaderboardPage: async (tenant, key, page) => pageOfGroup(open(), tenant, key, page),
      leaderboardEntries: async (tenant, leaderboard, run, users) =>
        readEntries(open(), tenant, leaderboard, run, users),
      ranks: async (user, requests) => countRanks(open(), user, requests),
      transaction: async (work) => runTransaction(open(), work),
      joinTransaction: () => {
        throw new GamificationError('storage_unusable', 'memory() has no transactions that could be joined.')
      },
      ...audits(open),
      ...outboxes(open),
      openTransaction: (work) => transactions(work, deadline),
      ...overviews(open),
      close: async () => {
        closed = true
      },
    }
  }
}

function addGame({ games }: Memory, game: StoredGame): boolean {
  if (game.epoch > games.length + 1) {
    throw new GamificationError('internal', `Epoch ${game.epoch} does not follow epoch ${games.length}.`)
  }
  if (game.epoch <= games.length) return false
  // A copy, so that the caller's own object is not frozen.
  games.push(freeze(structuredClone(game)))
  return true
}
