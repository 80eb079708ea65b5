import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { LeaderboardRow } from '../../../src/storage/rows.ts'
import type { Decide, LeaderboardPage, RankedGroup, RankRequest, Storage } from '../../../src/storage/storage.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'

/** The changes of a commit to one user. */
export interface Change {
  readonly user: string
  readonly put?: readonly LeaderboardRow[]
  readonly remove?: readonly LeaderboardRow[]
  readonly standings?: readonly RankRequest[]
}

/** A SQLite file and the reference: both are given the same, and each call fails if they do not answer the same. */
export interface BesideMemory {
  /** Changes of different users, in one commit; `byOther`: by another process, as far as the file can tell. */
  commit(changes: readonly Change[], options?: { unlimited?: readonly string[]; byOther?: boolean }): Promise<void>
  page(key: RankedGroup, page: LeaderboardPage): Promise<void>
  standings(user: string, requests: readonly RankRequest[]): Promise<void>
  close(): Promise<void>
}

export async function openBesideMemory(file: string): Promise<BesideMemory> {
  const open = (): Storage => sqlite(file, { synchronous: 'NORMAL' })
  const [tested, other, reference] = [open(), open(), memory()]
  for (const storage of [tested, other, reference]) await storage.migrate()

  async function compare<T>(call: (storage: Storage) => Promise<T>, storage: Storage = tested): Promise<void> {
    const [actual, expected] = [await call(storage), await call(reference)]
    // Many are compared, and `toEqual` is slow.
    if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
  }

  return {
    commit: (changes, { unlimited = [], byOther = false } = {}) => {
      const requests = changes.map(({ user }) => ({ tenant: '', user, lookups: [] }))
      const decide: Decide = (users) =>
        users.map((loaded, index) => {
          const { put = [], remove = [], standings = [] } = changes[index] ?? {}
          return saveOf(loaded, { leaderboards: { put, remove }, unlimited, ranks: standings })
        })
      return compare((storage) => storage.commit(requests, decide), byOther ? other : tested)
    },
    page: (key, page) => compare((storage) => storage.leaderboardPage('', key, page)),
    standings: (user, requests) => compare((storage) => storage.ranks({ tenant: '', user }, requests)),
    close: async () => {
      for (const storage of [tested, other, reference]) await storage.close()
    },
  }
}
