import { GamificationError } from '../../errors.ts'
import { type Day, toDateText } from '../../rules/calendar.ts'
import type { Game, Leaderboard } from '../../rules/game.ts'
import { type Run, runOn, streakRun, visibleLeaderboards } from '../../rules/leaderboard.ts'
import { unknownName } from '../../rules/names.ts'

/** Throws `unknown_leaderboard`. Private ones are known to those who may see them only. */
export function knownLeaderboard(game: Game, key: string, includePrivate = true): Leaderboard {
  const leaderboard = game.leaderboards.get(key)
  if (leaderboard !== undefined && (includePrivate || !leaderboard.private)) return leaderboard
  const names = visibleLeaderboards(game, includePrivate).map((visible) => visible.key)
  throw new GamificationError('unknown_leaderboard', unknownName('leaderboard', key, names))
}

/**
 * The run that a date was asked for, else the one that `today` lies in: the first before the start, the last after the
 * end. Throws `invalid_request` for a date that lies in none.
 */
export function findRun(leaderboard: Leaderboard, asked: Day | undefined, today: Day): Run {
  const { start, end } = leaderboard
  if (asked !== undefined && (asked < start || (end !== null && asked > end))) throw noRun(leaderboard, asked)
  const date = asked ?? Math.max(start, Math.min(today, end ?? today))
  const run = leaderboard.rankBy === 'streak' ? streakRun(leaderboard) : runOn(leaderboard, date)
  if (run === null) throw new RangeError(`The leaderboard ${leaderboard.key} has no run on ${toDateText(date)}`)
  return run
}

function noRun({ key, start, end }: Leaderboard, asked: Day): GamificationError {
  const dates =
    end === null ? `starts on ${toDateText(start)}` : `lasts from ${toDateText(start)} to ${toDateText(end)}`
  const message = `There is no run on ${toDateText(asked)}: the leaderboard ${JSON.stringify(key)} ${dates}.`
  return new GamificationError('invalid_request', message, { issues: [{ path: 'run', message }] })
}
