import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { LeaderboardRow } from '../../../src/storage/rows.ts'
import type {
  Decide,
  LeaderboardLine,
  LeaderboardPage,
  RankAnswer,
  RankedGroup,
  RankRequest,
  Storage,
} from '../../../src/storage/storage.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'

/** The changes of a commit to one user. */
export interface Change {
  readonly user: string
  readonly put?: readonly LeaderboardRow[]
  readonly remove?: readonly LeaderboardRow[]
  readonly standings?: readonly RankRequest[]
}

/** A SQLite file and a plain list: both are given the same, and each call fails if they do not answer the same. */
export interface BesideList {
  /** Changes of different users, in one commit; `byOther`: by another process, as far as the file can tell. */
  commit(changes: readonly Change[], options?: { unlimited?: readonly string[]; byOther?: boolean }): Promise<void>
  page(key: RankedGroup, page: LeaderboardPage): Promise<void>
  standings(user: string, requests: readonly RankRequest[]): Promise<void>
  close(): Promise<void>
}

export async function openBesideList(file: string): Promise<BesideList> {
  const open = (): Storage => sqlite(file, { synchronous: 'NORMAL' })
  const [tested, other] = [open(), open()]
  await tested.migrate()
  const list = createList()

  return {
    commit: async (changes, { unlimited = [], byOther = false } = {}) => {
      const requests = changes.map(({ user }) => ({ tenant: '', user, lookups: [] }))
      const decide: Decide = (users) =>
        users.map((loaded, index) => {
          const { put = [], remove = [], standings = [] } = changes[index] ?? {}
          return saveOf(loaded, { leaderboards: { put, remove }, unlimited, ranks: standings })
        })
      const report = await (byOther ? other : tested).commit(requests, decide)
      // The ranks of one commit are those before all of its saves.
      const users = changes.map(({ user, standings = [] }) => {
        return { tenant: '', user, ranks: standings.map((request) => list.rank(user, request)) }
      })
      for (const { user, put = [], remove = [] } of changes) list.save(user, remove, put)
      compare(report, { failures: [], saveGroups: [{ users, asOf: 'before' }] })
    },
    page: async (key, page) => compare(await tested.leaderboardPage('', key, page), list.page(key, page)),
    standings: async (user, requests) => {
      const expected = requests.map((request) => list.rank(user, request))
      compare(await tested.ranks({ tenant: '', user }, requests), expected)
    },
    close: async () => {
      for (const storage of [tested, other]) await storage.close()
    },
  }
}

function compare<T>(actual: T, expected: T): void {
  // Many are compared, and `toEqual` is slow.
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

interface Entry extends LeaderboardRow {
  readonly user: string
}

/** Entries without any index, sorted for each question. */
function createList() {
  const entries = new Map<string, Entry>()
  const keyOf = (user: string, { leaderboard, run }: LeaderboardRow): string => `${user} ${leaderboard} ${run}`
  const sorted = ({ leaderboard, run, group }: RankedGroup, at: number): readonly Entry[] =>
    [...entries.values()]
      .filter((entry) => entry.leaderboard === leaderboard && entry.run === run && entry.group === group)
      .filter(({ until }) => until === null || until > at)
      .sort(inOrder)
  return {
    save: (user: string, remove: readonly LeaderboardRow[], put: readonly LeaderboardRow[]): void => {
      for (const row of remove) entries.delete(keyOf(user, row))
      for (const row of put) entries.set(keyOf(user, row), { ...row, user })
    },
    rank: (user: string, request: RankRequest): RankAnswer => {
      const { limit, margin, at, positions } = request
      const all = sorted(request, at)
      const most = limit === null ? all.length : limit + margin
      const before = positions.map((position) => {
        const count = all.filter((entry) => inOrder(entry, { ...position, user }) < 0).length
        return Math.min(count, most)
      })
      if (limit === null) return { before, last: [], first: 0 }
      const first = Math.max(0, limit - 1 - margin)
      const last = all.slice(first, most).map(({ value, reachedAt, user }) => ({ value, reachedAt, user }))
      return { before, last, first }
    },
    page: (key: RankedGroup, { limit, at, offset, count, around }: LeaderboardPage): readonly LeaderboardLine[] => {
      const ranked = sorted(key, at)
        .slice(0, limit ?? undefined)
        .map(({ user, value, reachedAt }, index) => ({
          user,
          name: null,
          choice: null,
          value,
          reachedAt,
          rank: index + 1,
        }))
      const start = around === undefined ? 0 : ranked.findIndex(({ user }) => user === around)
      if (start === -1) return []
      return ranked.slice(Math.max(0, start + offset), Math.max(0, start + offset + count))
    },
  }
}

type Place = Pick<Entry, 'value' | 'reachedAt' | 'user'>

/** Higher values first, then the earlier instant, then the bytes of the id. */
function inOrder(left: Place, right: Place): number {
  return (
    right.value - left.value ||
    left.reachedAt - right.reachedAt ||
    Buffer.compare(Buffer.from(left.user), Buffer.from(right.user))
  )
}
