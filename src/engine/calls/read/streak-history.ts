import { beforeDate, isDateInZone, localDate, type Period, periodOf, periodsBetween } from '../../../rules/calendar.ts'
import type { Game } from '../../../rules/game.ts'
import { zoneOf } from '../../../rules/profile.ts'
import { settle, settleStreaks } from '../../../rules/settle.ts'
import type { UserState } from '../../../rules/state.ts'
import { isAbout, ruleOf, streakOf } from '../../../rules/streaks.ts'
import type { StreakPeriod, UserKey } from '../../../storage-rows.ts'
import { isReplaced } from '../../games.ts'
import { readStart } from '../../replay/read-start.ts'
import type { Context } from '../../types.ts'
import { followPeriods } from './moved-periods.ts'
import { readSteps } from './read-steps.ts'
import type { ReadUser } from './read-user.ts'

/** A change of zone takes a period to another date, at most so far away. */
const MOST_DAYS_MOVED = 2

/**
 * The periods of a user's streaks on the dates that the history shows: a change of zone takes the streak along with
 * today, and the periods of the streak with it, so that it has no gap. Their rows keep the dates on which they counted,
 * so the log is folded where rows are not in place, from a snapshot before the oldest of them. `limit`: how many rows
 * were read at the most.
 */
export async function readShownPeriods(
  context: Context,
  key: UserKey,
  user: ReadUser,
  limit: number,
  streak?: string,
): Promise<readonly StreakPeriod[]> {
  const { game, games, state: known, view, at } = user
  if (areInPlace(game, known, at, view.periods, limit, streak)) return view.periods
  const since = isReplaced(view.state, user) ? 0 : user.since
  const followed = followPeriods(games, limit, streak)
  const { storage } = context
  const read = { games, since, state: known }
  const first = (view.periods.at(-1)?.start ?? Number.NEGATIVE_INFINITY) - MOST_DAYS_MOVED
  const start = await readStart((until) => storage.readSnapshot(key, until), read, beforeDate(first))
  await readSteps(storage, key, read, { start, last: null }, followed.see)
  followed.see(known, settle(game, known, at), null)
  return followed.rows()
}

/**
 * Whether the rows, newest first, are on the dates that the history shows: those of each streak follow one another, and
 * no length is left out, up to where the streak is now. False for a streak that was restored, too: rows do not tell its
 * gap from one that a change of zone made.
 */
export function areInPlace(
  game: Game,
  state: UserState,
  at: number,
  rows: readonly StreakPeriod[],
  limit: number,
  streak?: string,
): boolean {
  const rule = ruleOf(game, streak)
  const { weekStartsOn } = game
  const [newest] = rows
  if (rule === null || newest === undefined) return true
  const zone = zoneOf(state.profile)
  const { frequency } = rule
  const toPeriod = ({ start }: StreakPeriod): Period => periodOf(frequency, weekStartsOn, start)
  const { kept, firstAt } = streakOf(state, streak)
  // A row that replaced another may seem to join the streak to the one before it. A move shifts the first day of a
  // streak by a period at most.
  const first = rows.find((row) => row.kind === 'counted' && row.length === 1)
  const begun = firstAt === null ? null : periodOf(frequency, weekStartsOn, localDate(zone, firstAt))
  if (first !== undefined && begun !== null && Math.abs(toPeriod(first) - begun) > 1) return false
  const next = settleStreaks(game, state, at).find(
    (change) => change.type !== 'freezesEarned' && isAbout(change, streak),
  )
  if (kept !== null && next?.type !== 'streakLost' && toPeriod(newest) !== kept) return false
  return rows.every((row, index) => {
    if (frequency === 'daily' && !isDateInZone(zone, row.start)) return false
    if (row.kind === 'counted' && row.length === 1) return true
    const before = rows[index + 1]
    if (before === undefined) return rows.length >= limit
    const isNext = periodsBetween(frequency, zone, toPeriod(before), toPeriod(row)) === 0
    return isNext && (before.length === row.length || (row.kind === 'counted' && before.length === row.length - 1))
  })
}
