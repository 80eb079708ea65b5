import type { Day, Instant } from './calendar.ts'
import { startOf } from './due.ts'
import type { Boost, Game, GameFrom, Leaderboard } from './game.ts'
import { type Run, runOn, streakRun } from './leaderboard.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
/** 10:00 UTC of the day before a date, when the date begins in the first zones. */
const AHEAD = -DAY + 10 * HOUR
/** 13:00 UTC of the day after a date, when the date is over in every zone. */
const BEHIND = DAY + 13 * HOUR

/** What time alone brings to all users of a tenant. */
export type ClockNotice =
  | { readonly type: 'boostStarted' | 'boostFinished'; readonly system: string; readonly boost: Boost }
  | { readonly type: 'runStarted' | 'runFinished'; readonly leaderboard: string; readonly run: Run }

export interface ClockChange {
  readonly at: Instant
  readonly notice: ClockNotice
}

/**
 * What time alone brings after `sentUntil`, up to and including `until`, in order: the boosts of all users and the runs
 * of leaderboards that start or finish. As with `timeBrings`, the answers for parts of a time are together the answer
 * for all of it.
 */
export function clockBrings(game: Game, sentUntil: Instant, until: Instant): readonly ClockChange[] {
  const brought: ClockChange[] = []
  const within = ({ at }: ClockChange): boolean => at > sentUntil && at <= until
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

/**
 * `clockBrings` where games followed one another, given in order of epoch: each brings what comes while it is in force.
 * The first counts as in force from `sentUntil` on.
 */
export function clockOfGames(
  games: readonly GameFrom[],
  sentUntil: Instant,
  until: Instant,
): readonly (ClockChange & { readonly game: Game })[] {
  return games.flatMap(({ game, from }, place) => {
    const begins = place === 0 ? sentUntil : Math.max(from, sentUntil)
    const ends = Math.min(games[place + 1]?.from ?? until, until)
    return begins < ends ? clockBrings(game, begins, ends).map((change) => ({ ...change, game })) : []
  })
}

/** The first instant after `sentUntil` at which `clockBrings` has something; null: there is none. */
export function nextClock(game: Game, sentUntil: Instant): Instant | null {
  const coming = boostChanges(game).map(({ at }) => at)
  for (const leaderboard of game.leaderboards.values()) {
    for (const run of runsFrom(leaderboard, sentUntil)) {
      const [started, finished] = runChanges(leaderboard, run)
      coming.push(started.at, ...(finished === null ? [] : [finished.at]))
      // Of the runs after it none starts or finishes earlier.
      if (started.at > sentUntil) break
    }
  }
  const next = Math.min(...coming.filter((at) => at > sentUntil))
  return next === Number.POSITIVE_INFINITY ? null : next
}

function boostChanges(game: Game): readonly ClockChange[] {
  return [...game.points.values()].flatMap(({ key: system, boosts }) => {
    return boosts.flatMap((boost): ClockChange[] => {
      const { start, end, created } = boost
      const finish = end === null ? Number.POSITIVE_INFINITY : afterwards(end)
      const at = startOf(beforehand(start), created)
      const changes: ClockChange[] = at < finish ? [{ at, notice: { type: 'boostStarted', system, boost } }] : []
      if (end === null) return changes
      return [...changes, { at: finish, notice: { type: 'boostFinished', system, boost } }]
    })
  })
}

function runChanges({ key: leaderboard }: Leaderboard, run: Run): readonly [ClockChange, ClockChange | null] {
  const started: ClockChange = { at: beforehand(run.from), notice: { type: 'runStarted', leaderboard, run } }
  if (run.to === null) return [started, null]
  return [started, { at: afterwards(run.to), notice: { type: 'runFinished', leaderboard, run } }]
}

/** The runs that finish after an instant, in order. */
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
