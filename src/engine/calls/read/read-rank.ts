import type { Instant } from '../../../rules/calendar.ts'
import type { Leaderboard } from '../../../rules/game.ts'
import type { LeaderboardEntry } from '../../../rules/state.ts'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { isAlive } from '../../ranks/moves.ts'

/** Where a user's entry of a leaderboard ranks now; null: its streak has expired, or it is beyond the limit. */
export async function readRank(
  storage: Storage,
  user: UserKey,
  { key, maxParticipants: limit }: Leaderboard,
  entry: LeaderboardEntry,
  at: Instant,
): Promise<number | null> {
  if (!isAlive(entry, at)) return null
  const { run, group, value, reachedAt } = entry
  const request = { leaderboard: key, run, group, limit, at, slack: 0, positions: [{ value, reachedAt }] }
  const [rank] = await storage.ranks(user, [request])
  const before = rank?.before[0]
  if (before === undefined) throw new RangeError('A position that was asked about has no answer')
  return limit === null || before < limit ? before + 1 : null
}
