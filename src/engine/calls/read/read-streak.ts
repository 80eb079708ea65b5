import { parse } from '../../../requests/input.ts'
import { userStreakRequest } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { Game } from '../../../rules/game.ts'
import { rankedAt, streakRun, visibleLeaderboards } from '../../../rules/leaderboard.ts'
import { settled } from '../../../rules/settle.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { checkStreakName } from '../../answers/known-names.ts'
import { toExtended, toPauses, toStreak, toStreakHistory } from '../../answers/streak.ts'
import type { UserStreak } from '../../answers/wire/streak.ts'
import type { Context } from '../../types.ts'
import { readRank } from './read-rank.ts'
import { readUser } from './read-user.ts'
import { readShownPeriods } from './streak-history.ts'

/** How many dates today may lie before a period that counted in another zone. */
const MOST_AHEAD = 2

/** The user's streak as it reads now. */
export async function readUserStreak(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<UserStreak> {
  const named = parseUserId(id)
  const { historyPeriods: periods, includePrivate, streak } = parse(userStreakRequest, request, 'request')
  const limit = periods + MOST_AHEAD
  const options = periods === 0 ? {} : { periods: { limit, streak: streak ?? null } }
  const read = await readUser(context, tenant, named, options)
  const { user, game, state, at } = read
  // A game without a `streak` answers one of length 0; a named one is there or not.
  checkStreakName(game, streak ?? null)
  const told = toStreak(game, state, at, streak)
  const asked = { streak, includePrivate }
  const rank = told.length === 0 ? null : await readStreakRank(context, { tenant, user }, game, state, asked)
  const counted = periods === 0 ? [] : await readShownPeriods(context, { tenant, user }, read, limit, streak)
  return {
    ...told,
    extended: toExtended(game, settled(game, state, at), streak),
    rank,
    pauses: toPauses(state, at),
    streakHistory: periods === 0 ? [] : toStreakHistory(game, state, at, counted, periods, streak),
  }
}

interface Asked {
  readonly streak: string | undefined
  readonly includePrivate: boolean
}

/**
 * The rank on the first leaderboard without groups that is ranked by the streak. It has one run, so the state has the
 * entry.
 */
async function readStreakRank(
  { storage, now }: Context,
  user: UserKey,
  game: Game,
  state: UserState,
  { streak: key, includePrivate }: Asked,
): Promise<number | null> {
  const leaderboard = visibleLeaderboards(game, includePrivate).find(
    ({ rankBy, breakdown, streak }) => rankBy === 'streak' && streak === (key ?? null) && breakdown.length === 0,
  )
  if (leaderboard === undefined) return null
  const { id } = streakRun(leaderboard)
  const entry = state.leaderboards.get(leaderboard.key)?.find(({ run }) => run === id)
  return entry === undefined ? null : readRank(storage, user, leaderboard, entry, rankedAt(leaderboard, now()))
}
