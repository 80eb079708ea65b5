import type { LeaderboardWithRankings } from '../../../src/api/leaderboards/types.ts'

/** Ranks by user id, as they were shown before. */
export type KnownRanks = ReadonlyMap<string, number>

/** A user who was not there before is `entered`; null: it is not known how it was. */
export type Change = number | 'entered' | null

/** No more ranks are remembered. */
const MOST_REMEMBERED = 5_000

/** Ranks of another leaderboard, or of another run of it, say nothing about these. */
export function isSameRun(one: LeaderboardWithRankings, other: LeaderboardWithRankings): boolean {
  return one.id === other.id && one.start === other.start
}

/** What was known before, and what is shown now. */
export function remember(known: KnownRanks, { rankings }: LeaderboardWithRankings): KnownRanks {
  const ranks = new Map(known)
  for (const { userId, rank } of rankings) ranks.set(userId, rank)
  return ranks.size > MOST_REMEMBERED ? new Map(rankings.map(({ userId, rank }) => [userId, rank])) : ranks
}

/**
 * By how many places a user went up, or with a negative number down. Of a user who was not shown before it is known where
 * the user's present place was shown, and somebody else had it.
 */
export function changeOf(known: KnownRanks, userId: string, rank: number): Change {
  const before = known.get(userId)
  if (before !== undefined) return before - rank
  return [...known.values()].includes(rank) ? 'entered' : null
}
