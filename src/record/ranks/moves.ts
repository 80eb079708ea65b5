import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Dating } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isConcealed, isRunOf, rankedAt } from '../../rules/leaderboard.ts'
import type { Position } from '../../rules/position.ts'
import type { LeaderboardEntry } from '../../rules/state.ts'
import type { Move, Ranks } from '../../runtime/context.ts'
import type { LeaderboardKey, RankRequest } from '../../storage/storage.ts'

/** The ranks of moves before they are known, and of answers that tell none. */
export const NO_RANKS: ReadonlyMap<Move, Ranks> = new Map()

/**
 * The moves among the changes of an entry. Only events tell of their moves, and only where the user has another value
 * than the one it ranked with. `event`: when the event happened; null for entries that tell no moves.
 */
export function movesOf(
  game: Game,
  changes: readonly Change[],
  receivedAt: Instant,
  event: Dating | null,
): readonly Move[] {
  const moves: Move[] = []
  for (const change of changes) {
    if (change.type !== 'leaderboardScored' && change.type !== 'leaderboardLeft') continue
    const from = change.previous
    const to = change.type === 'leaderboardScored' ? change.entry : null
    moves.push(toMove(game, change.leaderboard, { from, to }, receivedAt, event))
  }
  return moves
}

/** At least one of `from` and `to` must be there. */
export function toMove(
  game: Game,
  leaderboard: string,
  { from, to }: Pick<Move, 'from' | 'to'>,
  receivedAt: Instant,
  event: Dating | null,
): Move {
  const definition = game.leaderboards.get(leaderboard)
  // Leaderboards that are not ranked by streak are the same at every moment.
  const at = definition?.rankBy === 'streak' ? rankedAt(definition, receivedAt) : 0
  const isNew = from === null || !isAlive(from, at) || from.value !== to?.value
  return {
    leaderboard,
    run: to?.run ?? from?.run ?? '',
    limit: definition?.maxParticipants ?? null,
    at,
    from,
    to,
    isAnswered:
      event !== null &&
      definition !== undefined &&
      to !== null &&
      // An event of an earlier time may have scored under an earlier definition of the leaderboard.
      isRunOf(definition, to.run) &&
      isNew &&
      !isConcealed(definition, event.date),
  }
}

/** The questions to ask for the ranks of one user's moves. `slack`: how many moves the commit may hold. */
export function toRequests(moves: readonly Move[], slack: number): readonly RankRequest[] {
  const requests = new Map<string, RankRequest & { readonly positions: Omit<Position, 'user'>[] }>()
  for (const { leaderboard, run, limit, at, from, to, isAnswered } of moves) {
    if (!isAnswered) continue
    for (const entry of [from, to]) {
      if (entry === null) continue
      const { group, value, reachedAt } = entry
      const id = requestKey({ leaderboard, run, group }, at)
      const request = requests.get(id) ?? { leaderboard, run, group, limit, at, slack, positions: [] }
      requests.set(id, request)
      if (!request.positions.some((position) => position.value === value && position.reachedAt === reachedAt)) {
        request.positions.push({ value, reachedAt })
      }
    }
  }
  return [...requests.values()]
}

export function requestKey({ leaderboard, run, group }: LeaderboardKey, at: Instant): string {
  return JSON.stringify([leaderboard, run, group, at])
}

/** True if an entry is ranked at a moment: the streak of one may have expired. */
export function isAlive({ until }: LeaderboardEntry, at: Instant): boolean {
  return until === null || until > at
}
