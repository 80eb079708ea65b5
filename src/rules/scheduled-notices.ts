import { DAY, type Day, HOUR, type Instant } from './calendar.ts'
import { startOf } from './due.ts'
import type { Boost, Game, GameFrom, Leaderboard } from './game.ts'
import { type Run, runOn, streakRun } from './leaderboard.ts'

/** 10:00 UTC of the day before a date, when the date begins in the first zones. */
const AHEAD = -DAY + 10 * HOUR
/** 13:00 UTC of the day after a date, when the date is over in every zone. */
const BEHIND = DAY + 13 * HOUR

/** A notice to all users of a tenant that only time causes. */
export type ScheduledNotice =
  | { readonly type: 'boostStarted' | 'boostFinished'; readonly system: string; readonly boost: Boost }
  | { readonly type: 'runStarted' | 'runFinished'; readonly leaderboard: string; readonly run: Run }

export interface ScheduledChange {
  readonly at: Instant
  readonly notice: ScheduledNotice
}

/**
 * The starts and ends of boosts for all users and of leaderboard runs after `sentUntil`, up to and including `until`, in
 * order. As with `timeBrings`, the answers for consecutive spans of time add up to the answer for the whole.
 */
export function scheduledBetween(game: Game, sentUntil: Instant, until: Instant): readonly ScheduledChange[] {
  const brought: ScheduledChange[] = []
  const within = ({ at }: ScheduledChange): boolean => at > sentUntil && at <= until
  brought.push(...boostChanges(game).filter(within))
  for (const leaderboard of game.leaderboards.values()) {
    for (const run of runsFrom(leaderboard, sentUntil)) {
      const [started, finished] = runChanges(leaderboard, run)
      if (started.at > until) break
      brought.push(...[started, finished].filter((change) => change !== null).filter(within))
    }
  }
  return brought.sort((left, right) => left.at - right.at)
}

/** As `scheduledBetween`, for games in order of epoch. Each counts while it is in force, the first from `sentUntil`. */
export function scheduledByGames(
  games: readonly GameFrom[],
  sentUntil: Instant,
  until: Instant,
): readonly (ScheduledChange & { readonly game: Game })[] {
  return games.flatMap(({ game, from }, index) => {
    const begins = index === 0 ? sentUntil : Math.max(from, sentUntil)
    const ends = Math.min(games[index + 1]?.from ?? until, until)
    return begins < ends ? scheduledBetween(game, begins, ends).map((change) => ({ ...change, game })) : []
  })
}

function boostChanges(game: Game): readonly ScheduledChange[] {
  return [...game.points.values()].flatMap(({ key: system, boosts }) => {
    return boosts.flatMap((boost): ScheduledChange[] => {
      const { start, end, created } = boost
      const finish = end === null ? Number.POSITIVE_INFINITY : afterwards(end)
      const at = startOf(beforehand(start), created)
      const changes: ScheduledChange[] = at < finish ? [{ at, notice: { type: 'boostStarted', system, boost } }] : []
      if (end === null) return changes
      return [...changes, { at: finish, notice: { type: 'boostFinished', system, boost } }]
    })
  })
}

function runChanges({ key: leaderboard }: Leaderboard, run: Run): readonly [ScheduledChange, ScheduledChange | null] {
  const started: ScheduledChange = { at: beforehand(run.from), notice: { type: 'runStarted', leaderboard, run } }
  if (run.to === null) return [started, null]
  return [started, { at: afterwards(run.to), notice: { type: 'runFinished', leaderboard, run } }]
}

function* runsFrom(leaderboard: Leaderboard, at: Instant): Generator<Run> {
  if (leaderboard.rankBy === 'streak') {
    yield streakRun(leaderboard)
    return
  }
  const open = Math.floor((at - BEHIND) / DAY)
  for (let date: Day = Math.max(leaderboard.start, open); ; ) {
    const run = runOn(leaderboard, date)
    if (run === null) return
    yield run
    if (run.to === null) return
    date = run.to + 1
  }
}

function beforehand(start: Day): Instant {
  return start * DAY + AHEAD
}

function afterwards(end: Day): Instant {
  return end * DAY + BEHIND
}
