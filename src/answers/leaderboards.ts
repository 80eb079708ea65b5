import { type Day, type Instant, localDate, toDateText, toTimeText } from '../rules/calendar.ts'
import type { Game, Leaderboard } from '../rules/game.ts'
import { type Run, runById, statusOn, toScore, valuesOfGroup, visibleLeaderboards } from '../rules/leaderboard.ts'
import { isHidden } from '../rules/visibility.ts'
import type { CommandOutcome } from '../runtime/command.ts'
import type * as Types from '../shapes/leaderboards.ts'
import type { LeaderboardLine } from '../storage/storage.ts'
import { toInstantText } from './users.ts'

/** Means "no limit"; the official client requires a number. */
export const NO_LIMIT = 2_147_483_647

/** The leaderboard and the dates of a run; `today` is the date in UTC that decides its status. */
export function toLeaderboard(
  game: Game,
  leaderboard: Leaderboard,
  { from, to }: Run,
  today: Day,
): Types.LeaderboardResponse {
  const { id, key, name, description, rankBy, run, breakdown, maxParticipants, metric, system, startTime, endTime } =
    leaderboard
  const unit = metric === null ? null : (game.metrics.get(metric)?.unit ?? null)
  return {
    id,
    key,
    name,
    description,
    status: statusOn(leaderboard, today),
    rankBy,
    runUnit: run?.unit ?? null,
    runInterval: run?.interval ?? null,
    maxParticipants: maxParticipants ?? NO_LIMIT,
    breakdownAttribute: breakdown.length === 1 ? (breakdown[0] ?? null) : null,
    breakdownAttributes: breakdown,
    metricName: metric === null ? null : (game.metrics.get(metric)?.name ?? metric),
    metricKey: metric,
    ...(unit === null ? {} : { units: unit }),
    pointsSystemName: system === null ? null : (game.points.get(system)?.name ?? system),
    pointsSystemKey: system,
    ...(leaderboard.isLowest ? { order: 'lowest' } : {}),
    ...(leaderboard.isShared ? { ties: 'shared' } : {}),
    ...(leaderboard.streak === null ? {} : { streakKey: leaderboard.streak }),
    start: toDateText(from),
    end: to === null ? null : toDateText(to),
    startTime: startTime === null ? null : toClock(startTime),
    endTime: endTime === null ? null : toClock(endTime),
  }
}

/** `HH:MM` of the milliseconds since local midnight. */
export function toClock(time: number): string {
  return toTimeText(time).slice(0, 5)
}

export function toEventLeaderboards(
  { game, moves, ranks, at, after }: Extract<CommandOutcome, { readonly type: 'recorded' }>,
  includePrivate: boolean,
): { readonly [leaderboard: string]: Types.EventLeaderboard } {
  if (moves.length === 0) return {}
  const answers: [string, Types.EventLeaderboard][] = []
  const today = localDate('UTC', at)
  for (const leaderboard of visibleLeaderboards(game, includePrivate)) {
    const move = moves.find((candidate) => candidate.isAnswered && candidate.leaderboard === leaderboard.key)
    if (move === undefined) continue
    // Only the move of a user who is off the leaderboard has no ranks.
    const isOff = move.from === null && move.to === null
    const ranked = ranks.get(move) ?? (isOff ? { rank: null, previousRank: null, threshold: 0 } : undefined)
    if (ranked === undefined) continue
    const { threshold, previousRank, rank } = ranked
    const board = toLeaderboard(game, leaderboard, runById(leaderboard, move.run), today)
    const group = toGroupValues(leaderboard, move.to?.group ?? '')
    const best = { threshold: toScore(leaderboard, threshold), previousRank, rank }
    const hidden = isHidden(game, after.preferences, leaderboard) ? ({ hidden: true } as const) : {}
    answers.push([leaderboard.key, { ...board, ...best, ...group, ...hidden }])
  }
  return Object.fromEntries(answers)
}

function toGroupValues(
  leaderboard: Leaderboard,
  group: string,
): Pick<Types.EventLeaderboard, 'breakdownAttributeValues' | 'breakdownAttributeValue'> {
  const values = valuesOfGroup(leaderboard, group).map(([key, value]) => ({ key, value }))
  const [only, ...others] = values
  if (only === undefined) return {}
  const all = { breakdownAttributeValues: values }
  return others.length > 0 ? all : { ...all, breakdownAttributeValue: only.value }
}

/** A place with the user that others see. */
type MaskedLine = Pick<LeaderboardLine, 'user' | 'name' | 'rank' | 'value'> & { readonly isAnonymous?: true }

/** `firstRank`: the rank of the first line, which it may share with lines before it. */
export function toRankings(
  leaderboard: Leaderboard,
  lines: readonly MaskedLine[],
  firstRank: number = lines[0]?.rank ?? 1,
): readonly Types.LeaderboardRanking[] {
  const ranks = leaderboard.isShared ? shareRanks(lines, firstRank) : lines.map(({ rank }) => rank)
  return lines.map(({ user, name, value, isAnonymous }, index) => {
    const anonymous = isAnonymous === true ? ({ anonymous: true } as const) : {}
    return { userId: user, userName: name, ...anonymous, rank: ranks[index] ?? 1, value: toScore(leaderboard, value) }
  })
}

/** The ranks of neighbours in the order of a leaderboard: equal values share a rank. */
export function shareRanks(
  lines: readonly { readonly value: number; readonly rank: number }[],
  firstRank: number,
): readonly number[] {
  const ranks: number[] = []
  for (const [index, { value, rank }] of lines.entries()) {
    const isSame = value === lines[index - 1]?.value
    ranks.push(index === 0 ? firstRank : isSame ? (ranks[index - 1] ?? rank) : rank)
  }
  return ranks
}

/** Earlier ranks are not kept: only the present one is known. */
export function toScoreHistory(
  leaderboard: Leaderboard,
  days: readonly ScoredDay[],
  current: Pick<Types.UserLeaderboard, 'rank' | 'value'>,
): readonly Types.LeaderboardHistoryItem[] {
  return days.map(({ date, at, before, value }, index) => {
    const score = toScore(leaderboard, value)
    return {
      date: toDateText(date),
      timestamp: toInstantText(at),
      previousRank: null,
      rank: index === days.length - 1 && score === current.value ? current.rank : null,
      previousValue: before === null ? null : toScore(leaderboard, before),
      value: score,
    }
  })
}

/** A local day on which a user's value changed. */
export interface ScoredDay {
  readonly date: Day
  /** The instant of its last change. */
  readonly at: Instant
  /** The value before its first change, or `null` if the user was not on the leaderboard. */
  readonly before: number | null
  readonly value: number
}
