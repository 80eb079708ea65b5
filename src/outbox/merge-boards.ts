import { toLeaderboard, toRanking } from '../engine/answers/leaderboard.ts'
import type { PositionPiece } from '../engine/answers/messages/pieces.ts'
import type { LeaderboardWithRankings } from '../engine/answers/wire/leaderboard.ts'
import { isAlive } from '../engine/ranks/moves.ts'
import type { Context } from '../engine/types.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import type { Leaderboard } from '../rules/game.ts'
import { isRunOf, rankedAt, runById } from '../rules/leaderboard.ts'
import { comparePositions } from '../rules/position.ts'
import type { OwnedMessage } from '../storage-outbox.ts'
import type { UserKey } from '../storage-rows.ts'
import { type MergedPiece, readBoardPiece, readRankPiece, toWhole } from './merge-pieces.ts'
import { type FoundRun, publishTop } from './top-ranks.ts'

const MOST_RANKED = 10

/**
 * The message with the ranks that both positions have now; empty if they are the same, or if the user is among the first
 * hundred, who get their messages together (`publishTop`).
 */
export async function toRankChange(context: Context, piece: MergedPiece): Promise<readonly OwnedMessage[]> {
  const { user: told, leaderboard: key, run: runId, from, to } = readRankPiece(piece)
  const known = await findRun(context, key, runId)
  if (known === null || piece.user === null) return []
  const { game, leaderboard, run } = known
  const user = { tenant: piece.tenant, user: piece.user }
  for (const group of new Set([from?.group, to?.group])) {
    if (group === undefined || piece.due === null) continue
    const isCompared = await publishTop(context, { ...known, tenant: user.tenant, group, due: piece.due })
    if (isCompared(user.user)) return []
  }
  const [previousRank, rank] = await rankPlaces(context, user, leaderboard, runId, [from, to])
  if (rank === previousRank) return []
  const board = toLeaderboard(game, leaderboard, run, localDate('UTC', piece.at))
  const value = to?.value ?? null
  const previousValue = from?.value ?? null
  const ranked = { ...board, rank, value, previousRank, previousValue }
  return [toWhole(piece, { user: told, leaderboard: ranked })]
}

/** The message with the first ten as they are now. */
export async function toChangedBoard(context: Context, piece: MergedPiece): Promise<readonly OwnedMessage[]> {
  const { leaderboard: key, run: runId, group } = readBoardPiece(piece)
  const known = await findRun(context, key, runId)
  if (known === null) return []
  const { tenant } = piece
  const told = await readBoard(context, tenant, known, group, context.now())
  return [{ ...toWhole(piece, { leaderboard: told }), user: null }]
}

/** One group of a run with its first ten as they are ranked at an instant. */
export async function readBoard(
  { storage }: Pick<Context, 'storage'>,
  tenant: string,
  { game, leaderboard, run }: FoundRun,
  group: string,
  at: Instant,
): Promise<LeaderboardWithRankings> {
  const page = { limit: leaderboard.maxParticipants, at: rankedAt(leaderboard, at), offset: 0, count: MOST_RANKED }
  const lines = await storage.leaderboardPage(tenant, { leaderboard: leaderboard.key, run: run.id, group }, page)
  return { ...toLeaderboard(game, leaderboard, run, localDate('UTC', at)), rankings: lines.map(toRanking) }
}

/** null: the game does not have the run any more. */
async function findRun(context: Context, key: string, runId: string): Promise<FoundRun | null> {
  const { game } = await context.games.current()
  const leaderboard = game.leaderboards.get(key)
  if (leaderboard === undefined || !isRunOf(leaderboard, runId)) return null
  return { game, leaderboard, run: runById(leaderboard, runId) }
}

/**
 * The ranks of positions, by how many others stand before each; the user's own entry, wherever it is by now, does not
 * count.
 */
async function rankPlaces(
  { storage, now }: Context,
  user: UserKey,
  leaderboard: Leaderboard,
  run: string,
  places: readonly [PositionPiece | null, PositionPiece | null],
): Promise<readonly [number | null, number | null]> {
  const at = leaderboard.rankBy === 'streak' ? rankedAt(leaderboard, now()) : 0
  const { key, maxParticipants: limit } = leaderboard
  const [own] = await storage.leaderboardEntries(user.tenant, key, run, [user.user])
  const rankOf = async (place: PositionPiece | null): Promise<number | null> => {
    if (place === null || !isAlive({ ...place, run }, at)) return null
    const { group, value, reachedAt } = place
    // With a slack of 1, since the user's own entry may be among those counted.
    const request = { leaderboard: key, run, group, limit, at, slack: 1, positions: [{ value, reachedAt }] }
    const [answer] = await storage.ranks(user, [request])
    const counted = answer?.before[0]
    if (counted === undefined) throw new RangeError('A position that was asked about has no answer')
    const isCounted =
      own !== undefined &&
      own.group === group &&
      isAlive(own, at) &&
      comparePositions(own, { value, reachedAt, user: user.user }) < 0
    const before = isCounted ? counted - 1 : counted
    return limit === null || before < limit ? before + 1 : null
  }
  const [from, to] = places
  return [await rankOf(from), await rankOf(to)]
}
