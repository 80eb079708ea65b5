// Pages and positions as a storage answers them, beside a plain sort of the entries in the table.

import { expect } from 'vitest'
import type { RankedGroup, Storage } from '../../../src/storage/storage.ts'
import type { Query } from './leaderboards-counts.ts'

const PAGE = 500

interface Entry extends RankedGroup {
  readonly user: string
  readonly value: number
  readonly reachedAt: number
}

interface RankOptions {
  /** How many rank, by leaderboard; the others have no limit. */
  readonly limits?: { readonly [leaderboard: string]: number }
  /** The users whose places are read. */
  readonly asked?: (user: string) => boolean
}

const byPlace = (a: Entry, b: Entry): number =>
  b.value - a.value || a.reachedAt - b.reachedAt || Buffer.compare(Buffer.from(a.user), Buffer.from(b.user))

/** Expects every page, and the place of each user that is asked about; returns how many entries there are. */
export async function expectRanksOfEntries(
  storage: Storage,
  query: Query,
  schema: string,
  { limits = {}, asked = () => true }: RankOptions = {},
): Promise<number> {
  const entries = await query<{ [Name in keyof Entry]: Entry[Name] }>(
    `select leaderboard, run, group_key as group, user_id as user, 0 - minus_value as value, reached_at::float8 as "reachedAt"
      from "${schema}".leaderboard_entries where tenant_id = '' and until is null`,
  )
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const name = JSON.stringify([entry.leaderboard, entry.run, entry.group])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [entry])
    else group.push(entry)
  }
  for (const group of groups.values()) {
    const limit = limits[group[0]?.leaderboard ?? ''] ?? null
    await expectPages(storage, group.sort(byPlace), limit)
    await expectPlaces(storage, group, limit, asked)
  }
  return entries.length
}

async function expectPages(storage: Storage, group: readonly Entry[], limit: number | null): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const read: unknown[] = []
  for (let offset = 0; offset < group.length; offset += PAGE) {
    const page = await storage.leaderboardPage('', first, { limit, at: 0, offset, count: PAGE })
    read.push(...page.map(({ user, rank, value, reachedAt }) => ({ user, rank, value, reachedAt })))
  }
  const expected = group.slice(0, limit ?? group.length)
  const { leaderboard, run, group: name } = first
  expect([leaderboard, run, name, read]).toEqual([
    leaderboard,
    run,
    name,
    expected.map(({ user, value, reachedAt }, index) => ({ user, rank: index + 1, value, reachedAt })),
  ])
}

async function expectPlaces(
  storage: Storage,
  group: readonly Entry[],
  limit: number | null,
  asked: (user: string) => boolean,
): Promise<void> {
  const wrong: string[] = []
  for (const [index, entry] of group.entries()) {
    const { leaderboard, run, group: name, user, value, reachedAt } = entry
    if (!asked(user)) continue
    const key = { leaderboard, run, group: name }
    const request = { ...key, limit, at: 0, margin: 0, positions: [{ value, reachedAt }] }
    const [standing] = await storage.ranks({ tenant: '', user }, [request])
    const before = standing?.before[0]
    if (before !== Math.min(index, limit ?? index)) wrong.push(`${before} instead of ${index} before ${user}`)
    const [own] = await storage.leaderboardPage('', key, { limit, at: 0, offset: 0, count: 1, around: user })
    const rank = index < (limit ?? group.length) ? index + 1 : undefined
    if (own?.rank !== rank) wrong.push(`the rank of ${user} is ${own?.rank} instead of ${rank}`)
  }
  expect(wrong).toEqual([])
}
