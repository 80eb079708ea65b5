import { toLeaderboard, toScoreHistory } from '../../answers/leaderboards.ts'
import { countParticipants, isAlive } from '../../record/ranks/ranks.ts'
import { type Instant, localDate } from '../../rules/calendar.ts'
import type { Leaderboard } from '../../rules/game.ts'
import { groupOf, isConcealed, rankedAt, toScore } from '../../rules/leaderboard.ts'
import { firstWith } from '../../rules/position.ts'
import { type LeaderboardEntry, zoneOf } from '../../rules/state.ts'
import { isHidden } from '../../rules/visibility.ts'
import type { Call } from '../../runtime/context.ts'
import type { UserLeaderboard } from '../../shapes/leaderboards.ts'
import { loadLeaderboardEntries } from '../../sql/leaderboards.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { RankRequest, Storage } from '../../storage/storage.ts'
import { findRun, knownLeaderboard } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type { ParsedUserLeaderboardRequest } from './requests.ts'
import { readScoredDays } from './scored-days.ts'

/** An entry of a user. The rank is that at the instant `at`. */
export interface Entered {
  readonly leaderboard: Leaderboard
  readonly entry: LeaderboardEntry
  readonly at: Instant
}

/**
 * The ranks of a user's entries, in their order, or `null` if the streak has expired, or the entry is beyond the limit.
 */
export async function readUserRanks(
  storage: Storage,
  user: UserKey,
  entered: readonly Entered[],
): Promise<readonly (number | null)[]> {
  const requests = entered.map(({ leaderboard: { key, maxParticipants, isShared }, entry, at }): RankRequest => {
    const { run, group, value, reachedAt } = entry
    const positions = [{ value, reachedAt }, ...(isShared ? [firstWith({ value })] : [])]
    return { leaderboard: key, run, group, limit: maxParticipants, at, margin: 0, positions }
  })
  const ranks = await storage.ranks(user, requests)
  return entered.map(({ leaderboard: { maxParticipants: limit }, entry, at }, index) => {
    // A user who shares a rank is ranked if the own position is within the limit.
    const [before, shared = before] = ranks[index]?.before ?? []
    if (before === undefined || shared === undefined) {
      throw new RangeError('A position that was asked about has no answer')
    }
    return isAlive(entry, at) && (limit === null || before < limit) ? shared + 1 : null
  })
}

export async function readRank(storage: Storage, user: UserKey, entered: Entered): Promise<number | null> {
  const [rank = null] = isAlive(entered.entry, entered.at) ? await readUserRanks(storage, user, [entered]) : []
  return rank
}

export async function readUserLeaderboard(
  call: Call,
  id: string,
  name: string,
  asked: ParsedUserLeaderboardRequest,
): Promise<UserLeaderboard> {
  const read = await readUser(call, id)
  const leaderboard = knownLeaderboard(read.game, name, asked.includePrivate)
  const today = localDate(zoneOf(read.state.profile), read.at)
  const run = findRun(leaderboard, asked.run, today)
  const at = rankedAt(leaderboard, call.now())
  const isUnshown = isConcealed(leaderboard, today)
  const isOff = isHidden(read.game, read.state.preferences, leaderboard)
  const users = isUnshown || isOff ? [] : [read.key.user]
  const [entry] = await loadLeaderboardEntries(call.storage, call.tenant, name, run.id, users)
  const rank = entry === undefined ? null : await readRank(call.storage, read.key, { leaderboard, entry, at })
  const value = entry === undefined || !isAlive(entry, at) ? null : toScore(leaderboard, entry.value)
  const group = entry?.group ?? groupOf(leaderboard, read.state.profile.attributes)
  const place = { leaderboard: name, run: run.id, group }
  const participants = isUnshown ? 0 : await countParticipants(call.storage, call.tenant, place, at)
  const days =
    asked.numEvents === 0 ? [] : await readScoredDays(call.storage, read, { leaderboard, run }, asked.numEvents)
  return {
    ...toLeaderboard(read.game, leaderboard, run, localDate('UTC', read.at)),
    rank,
    value,
    participants,
    ...(isOff ? { hidden: true } : {}),
    history: toScoreHistory(leaderboard, days, { rank, value }),
  }
}
