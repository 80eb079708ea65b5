import { GamificationError } from '../../src/errors.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { CHUNK, type Counters, type Storage, type StoredGame } from '../../src/storage/storage.ts'
import {
  addAdminKey,
  addApplicationKeys,
  adminKeys,
  applicationKeys,
  findKey,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from './api-keys.ts'
import { audits } from './audit.ts'
import { freeze } from './freeze.ts'
import { countRanks, readEntries, readPage } from './leaderboards.ts'
import { newOutbox } from './outbox.ts'
import { createTransactions, outboxes } from './outbox-calls.ts'
import { awardValues, eventValues, overviews } from './overview.ts'
import {
  clearTenant,
  compareText,
  eventsBy,
  findEntries,
  findOwners,
  findUsers,
  heldEvents,
  listBoosts,
  listTenants,
  longestStreaks,
  readEvents,
  readLog,
  readPointsTotals,
  readSnapshot,
  readUser,
} from './read.ts'
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
      readUser: async (key, options = {}) => readUser(open(), key, options),
      readLog: async (key, options = {}) => readLog(open(), key, options),
      readSnapshot: async (key, until) => readSnapshot(open(), key, until),
      readEvents: async (key, options = {}) => readEvents(open(), key, options),
      eventValues: async (tenant, options = {}) => eventValues(open(), tenant, options),
      awardValues: async (tenant, options = {}) => awardValues(open(), tenant, options),
      findEntries: async (tenant, ids) => findEntries(open(), tenant, ids),
      eventsBy: async (tenant, by, options = {}) => eventsBy(open(), tenant, by, options),
      heldEvents: async (tenant, options = {}) => heldEvents(open(), tenant, options),
      counters: async (tenant) => readCounters(open(), tenant),
      pointsTotals: async (tenant, system, options = {}) => readPointsTotals(open(), tenant, system, options),
      longestStreaks: async (tenant, by, options = {}) => longestStreaks(open(), tenant, by, options),
      leaderboardPage: async (tenant, key, page) => readPage(open(), tenant, key, page),
      leaderboardEntries: async (tenant, leaderboard, run, users) =>
        readEntries(open(), tenant, leaderboard, run, users),
      ranks: async (user, requests) => countRanks(open(), user, requests),
      findOwners: async (tenant, of, ids) => findOwners(open(), tenant, of, ids),
      listBoosts: async (tenant, page) => listBoosts(open(), tenant, page),
      findKey: async (prefix) => findKey(open(), prefix),
      adminKeys: async () => adminKeys(open()),
      applicationKeys: async (tenant, options = {}) => applicationKeys(open(), tenant, options),
      addAdminKey: async (key, most) => addAdminKey(open(), key, most),
      addApplicationKeys: async (keys) => addApplicationKeys(open(), keys),
      updateAdminKey: async (id, change) => updateAdminKey(open(), id, change),
      removeAdminKey: async (id) => removeAdminKey(open(), id),
      removeApplicationKeys: async (tenant, ids) => removeApplicationKeys(open(), tenant, ids),
      findUsers: async (tenant, options = {}) => findUsers(open(), tenant, options),
      tenants: async (options = {}) => listTenants(open(), options),
      clearTenant: async (tenant) => clearTenant(open(), tenant),
      transaction: async (work) => runTransaction(open(), work),
      joinTransaction: () => {
        throw new GamificationError('storage_unusable', 'memory() has no transactions that could be joined.')
      },
      listUsers: async ({ after, limit = CHUNK } = {}) => listUsers(open(), after, limit),
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

function readCounters({ counters }: Memory, tenant: string): Counters {
  return [...(counters.get(tenant)?.values() ?? [])]
    .map((counter) => ({ ...counter }))
    .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key))
}

function listUsers({ users }: Memory, after: UserKey | undefined, limit: number): UserKey[] {
  const compare = (a: UserKey, b: UserKey): number => compareText(a.tenant, b.tenant) || compareText(a.user, b.user)
  return [...users.values()]
    .map(({ key }) => ({ ...key }))
    .filter((key) => after === undefined || compare(key, after) > 0)
    .sort(compare)
    .slice(0, limit)
}
