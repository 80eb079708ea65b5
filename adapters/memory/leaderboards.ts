import { comparePositions, type Position } from '../../src/rules/position.ts'
import type { MethodsOf } from '../../src/sql/calls.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { RankAnswer, RankedGroup, RankRequest, Storage } from '../../src/storage/storage.ts'
import { idOf, type Memory } from './write.ts'

interface Line extends Position {
  readonly name: string | null
}

/**
 * Every entry that counts at `at`, best first. Sorts the entries each time, because other storages are compared with
 * this plain result.
 */
function sortLines({ users }: Memory, tenant: string, key: RankedGroup, at: number): readonly Line[] {
  const lines: Line[] = []
  for (const { key: owner, state, leaderboards } of users.values()) {
    if (owner.tenant !== tenant) continue
    for (const row of leaderboards.values()) {
      if (row.leaderboard !== key.leaderboard || row.run !== key.run || row.group !== key.group) continue
      if (row.until !== null && row.until <= at) continue
      lines.push({ user: owner.user, name: state.profile.name, value: row.value, reachedAt: row.reachedAt })
    }
  }
  return lines.sort(comparePositions)
}

export function countRanks(
  memory: Memory,
  { tenant, user }: UserKey,
  requests: readonly RankRequest[],
): readonly RankAnswer[] {
  return requests.map((request) => {
    const { limit, margin, at, positions } = request
    const lines = sortLines(memory, tenant, request, at)
    const before = positions.map(
      (position) =>
        lines.filter((line) => comparePositions(line, { ...position, user }) < 0).slice(0, most(limit, margin)).length,
    )
    if (limit === null) return { before, last: [], first: 0 }
    const first = Math.max(0, limit - 1 - margin)
    const last = lines
      .slice(first, limit + margin)
      .map(({ value, reachedAt, user: id }) => ({ value, reachedAt, user: id }))
    return { before, last, first }
  })
}

function most(limit: number | null, margin: number): number {
  return limit === null ? Number.POSITIVE_INFINITY : limit + margin
}

type Calls = Pick<Storage, 'leaderboardPage' | 'leaderboardEntries' | 'ranks'>

export const MEMORY_LEADERBOARDS: MethodsOf<Memory, Calls> = {
  leaderboardPage: (memory, tenant, key, { limit, at, offset, count, around }) => {
    const lines = sortLines(memory, tenant, key, at).slice(0, limit ?? undefined)
    const position = around === undefined ? 0 : lines.findIndex(({ user }) => user === around)
    if (position === -1) return []
    const first = position + offset
    return lines
      .map((line, index) => ({ ...line, rank: index + 1 }))
      .slice(Math.max(0, first), Math.max(0, first + count))
  },
  leaderboardEntries: ({ users }, tenant, leaderboard, run, ids) =>
    [...new Set(ids)].flatMap((id) => {
      const user = users.get(idOf({ tenant, user: id }))
      const row = [...(user?.leaderboards.values() ?? [])].find(
        (entry) => entry.leaderboard === leaderboard && entry.run === run,
      )
      if (user === undefined || row === undefined) return []
      const { leaderboard: _, ...entry } = row
      return [{ user: id, name: user.state.profile.name, ...entry }]
    }),
  ranks: countRanks,
}
