import type { LeaderboardKey, LeaderboardPage, Storage } from '../../storage.ts'
import type { LeaderboardRow } from '../../storage-rows.ts'
import { NOON, saveOf } from './samples.ts'

export const RUN = '2026-01-05 3f2a91c0'
export const KEY: LeaderboardKey = { leaderboard: 'weekly', run: RUN, group: '' }

/** An entry of the leaderboard `weekly`, which has no groups. */
export function row(value: number, changes: Partial<LeaderboardRow> = {}): LeaderboardRow {
  return { ...KEY, value, reachedAt: NOON, until: null, ...changes }
}

export interface Entered {
  readonly tenant?: string
  readonly name?: string
  readonly put?: readonly LeaderboardRow[]
  readonly remove?: readonly LeaderboardRow[]
  readonly unlimited?: readonly string[]
}

/** Stores rows of several users, by id, in one commit. */
export async function enter(storage: Storage, users: Readonly<Record<string, Entered>>): Promise<void> {
  const entered = Object.entries(users)
  await storage.commit(
    entered.map(([user, { tenant = '' }]) => ({ tenant, user, lookups: [] })),
    (loaded) =>
      loaded.map((user) => {
        const { name = null, put = [], remove = [], unlimited = [] } = users[user.user] ?? {}
        const save = saveOf(user, { leaderboards: { put, remove }, unlimited })
        return { ...save, after: { ...save.after, profile: { ...save.after.profile, name } } }
      }),
  )
}

/** Ids of a page, in order. */
export async function idsOf(
  storage: Storage,
  key: Partial<LeaderboardKey> & { readonly tenant?: string },
  page: Partial<LeaderboardPage> = {},
): Promise<readonly string[]> {
  const { tenant = '', ...changes } = key
  const asked = { limit: null, at: NOON, offset: 0, count: 1_000, ...page }
  return (await storage.leaderboardPage(tenant, { ...KEY, ...changes }, asked)).map(({ user }) => user)
}
