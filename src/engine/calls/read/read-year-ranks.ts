import { type Instant, localDate } from '../../../rules/calendar.ts'
import type { Leaderboard } from '../../../rules/game.ts'
import { isConcealed, isRunOf, type Run, rankedAt, runById, visibleLeaderboards } from '../../../rules/leaderboard.ts'
import { zoneOf } from '../../../rules/profile.ts'
import type { DateRange, RankRequest, Storage } from '../../../storage.ts'
import type { LeaderboardRow, UserKey } from '../../../storage-rows.ts'
import { toLeaderboard } from '../../answers/leaderboard.ts'
import type { YearRank } from '../../answers/year/wrapped.ts'
import { isAlive } from '../../ranks/moves.ts'
import { createPause } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import type { ReadUser } from './read-user.ts'

/** A leaderboard may have a run every day, and each rank is counted. */
const CHUNK = 10

interface Entered {
  readonly leaderboard: Leaderboard
  readonly run: Run
  readonly row: LeaderboardRow
  readonly at: Instant
}

/** Where a user, read with all leaderboards, stands now in the runs that share a date with a range. */
export async function readYearRanks(
  { storage, now }: Context,
  key: UserKey,
  read: ReadUser,
  range: DateRange,
  includePrivate: boolean,
): Promise<readonly YearRank[]> {
  const entered = enteredRuns(read, range, now(), includePrivate)
  const today = localDate('UTC', read.at)
  const yearRanks: YearRank[] = []
  const pause = createPause()
  for (let first = 0; first < entered.length; first += CHUNK) {
    await pause()
    const some = entered.slice(first, first + CHUNK)
    const ranks = await readRanks(storage, key, some)
    for (const [index, { leaderboard, run, row }] of some.entries()) {
      const told = {
        ...toLeaderboard(read.game, leaderboard, run, today),
        rank: ranks[index] ?? null,
        value: row.value,
      }
      yearRanks.push({ run, told })
    }
  }
  return yearRanks
}

/** In the game's order. Streaks that have expired have no rank. */
function enteredRuns(
  { game, state, view, at: readAt }: ReadUser,
  { from, to }: DateRange,
  now: Instant,
  includePrivate: boolean,
): readonly Entered[] {
  const today = localDate(zoneOf(state.profile), readAt)
  return visibleLeaderboards(game, includePrivate).flatMap((leaderboard) => {
    if (isConcealed(leaderboard, today)) return []
    const at = rankedAt(leaderboard, now)
    return view.leaderboards
      .filter((row) => row.leaderboard === leaderboard.key && isRunOf(leaderboard, row.run) && isAlive(row, at))
      .map((row): Entered => ({ leaderboard, run: runById(leaderboard, row.run), row, at }))
      .filter(({ run }) => run.from <= to && (run.to === null || run.to >= from))
  })
}

async function readRanks(
  storage: Storage,
  key: UserKey,
  entered: readonly Entered[],
): Promise<readonly (number | null)[]> {
  const requests = entered.map(({ leaderboard, row, at }): RankRequest => {
    const { run, group, value, reachedAt } = row
    const { key: name, maxParticipants: limit } = leaderboard
    return { leaderboard: name, run, group, limit, at, slack: 0, positions: [{ value, reachedAt }] }
  })
  const ranks = await storage.ranks(key, requests)
  return requests.map(({ limit }, index) => {
    const before = ranks[index]?.before[0]
    return before === undefined || (limit !== null && before >= limit) ? null : before + 1
  })
}
