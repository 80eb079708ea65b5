import type { Day, Instant } from '../../rules/calendar.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Game, Leaderboard } from '../../rules/game.ts'
import { type LocalTime, type Run, runById, statusOn, visibleLeaderboards } from '../../rules/leaderboard.ts'
import type { LeaderboardLine } from '../../storage.ts'
import type { Outcome } from '../types.ts'
import { toInstantText } from './user.ts'
import type {
  EventLeaderboard,
  LeaderboardHistoryItem,
  LeaderboardRanking,
  LeaderboardResponse,
  UserLeaderboard,
} from './wire/leaderboard.ts'

/** Stands for "no limit", because the official client demands a number (decisions, section 11). */
const NO_LIMIT = 2_147_483_647

type Facts = Omit<EventLeaderboard, 'threshold' | 'previousRank' | 'rank'>

/** Specification 2.6: the leaderboard and the dates of a run. */
export function toLeaderboardFacts(game: Game, leaderboard: Leaderboard, { from, to }: Run): Facts {
  const { id, key, name, description, rankBy, run, breakdown, maxParticipants, metric } = leaderboard
  return {
    id,
    key,
    name,
    description,
    rankBy,
    runUnit: run?.unit ?? null,
    runInterval: run?.interval ?? null,
    maxParticipants: maxParticipants ?? NO_LIMIT,
    breakdownAttribute: breakdown.length === 1 ? (breakdown[0] ?? null) : null,
    breakdownAttributes: breakdown,
    metricName: metric === null ? null : (game.metrics.get(metric)?.name ?? metric),
    metricKey: metric,
    start: toDateText(from),
    end: to === null ? null : toDateText(to),
  }
}

/** The leaderboards on which the user's value changed, by key, in the game's order. */
export function toEventLeaderboards(
  { game, moves, ranks }: Extract<Outcome, { readonly type: 'recorded' }>,
  includePrivate: boolean,
): { readonly [leaderboard: string]: EventLeaderboard } {
  if (moves.length === 0) return {}
  const answers: [string, EventLeaderboard][] = []
  for (const leaderboard of visibleLeaderboards(game, includePrivate)) {
    const move = moves.find((candidate) => candidate.isTold && candidate.leaderboard === leaderboard.key)
    const told = move === undefined ? undefined : ranks.get(move)
    if (move === undefined || told === undefined) continue
    const { threshold, previousRank, rank } = told
    const facts = toLeaderboardFacts(game, leaderboard, runById(leaderboard, move.run))
    answers.push([leaderboard.key, { ...facts, threshold, previousRank, rank }])
  }
  return Object.fromEntries(answers)
}

/** A leaderboard with the dates of a run, without anybody on it. */
export function toUserLeaderboard(
  game: Game,
  leaderboard: Leaderboard,
  run: Run,
): Omit<UserLeaderboard, 'rank' | 'value' | 'history'> {
  const { system } = leaderboard
  return {
    ...toLeaderboardFacts(game, leaderboard, run),
    pointsSystemKey: system,
    pointsSystemName: system === null ? null : (game.points.get(system)?.name ?? system),
  }
}

/** The same, with the status on a date at a time of day. */
export function toLeaderboard(
  game: Game,
  leaderboard: Leaderboard,
  run: Run,
  { date, time }: LocalTime,
): LeaderboardResponse {
  return { ...toUserLeaderboard(game, leaderboard, run), status: statusOn(leaderboard, date, time) }
}

export function toRanking({ user, name, rank, value }: Omit<LeaderboardLine, 'reachedAt'>): LeaderboardRanking {
  return { userId: user, userName: name, rank, value }
}

/** Nobody keeps what ranks were: the one that is known is where the user stands now. */
export function toScoreHistory(
  days: readonly ScoredDay[],
  current: Pick<UserLeaderboard, 'rank' | 'value'>,
): readonly LeaderboardHistoryItem[] {
  return days.map(({ at, before, value }, index) => ({
    timestamp: toInstantText(at),
    previousRank: null,
    rank: index === days.length - 1 && value === current.value ? current.rank : null,
    previousValue: before,
    value,
  }))
}

/** A local day on which a user's value changed. */
export interface ScoredDay {
  readonly date: Day
  /** The instant of its last change. */
  readonly at: Instant
  /** The value before its first change; null: the user was not on the leaderboard. */
  readonly before: number | null
  readonly value: number
}
