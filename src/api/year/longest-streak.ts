import { firstDayOf, lastDayOf, periodOf, toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import type { StreakPeriod } from '../../storage/rows.ts'
import type { DateRange } from '../../storage/storage.ts'
import type { WrappedStreak } from './types.ts'

/**
 * The longest streak of the periods that counted on dates of a range; of equal ones the earliest. `rows`: all of the
 * user's, newest first.
 */
export function toLongestStreak(game: Game, rows: readonly StreakPeriod[], { from, to }: DateRange): WrappedStreak {
  const frequency = game.streak?.frequency ?? 'daily'
  const { weekStartsOn } = game
  const toDates = ({ start }: StreakPeriod): DateRange => {
    const period = periodOf(frequency, weekStartsOn, start)
    return { from: firstDayOf(frequency, weekStartsOn, period), to: lastDayOf(frequency, weekStartsOn, period) }
  }
  const ascending = rows.toReversed()
  let best = -1
  for (const [index, row] of ascending.entries()) {
    const dates = toDates(row)
    if (row.kind !== 'counted' || dates.from > to || dates.to < from) continue
    if (isBetter(ascending, best, index)) best = index
  }
  const last = ascending[best]
  if (game.streak === null || last === undefined) {
    return { length: 0, frequency, periodStart: null, periodEnd: null, started: null }
  }
  const dates = toDates(last)
  return {
    length: last.length,
    frequency,
    periodStart: toDateText(dates.from),
    periodEnd: toDateText(dates.to),
    started: toDateText(firstOf(ascending, best).start),
  }
}

/**
 * Whether the period at `index` is of a longer streak than the best, or a later one of the same length in the same
 * streak.
 */
function isBetter(rows: readonly StreakPeriod[], best: number, index: number): boolean {
  const [known, row] = [rows[best], rows[index]]
  if (known === undefined || row === undefined) return true
  if (row.length !== known.length) return row.length > known.length
  return rows.slice(best + 1, index + 1).every(({ length }) => length === known.length)
}

/** The first period of the streak that a period belongs to; periods of another streak in between are passed over. */
function firstOf(rows: readonly StreakPeriod[], index: number): StreakPeriod {
  let first = rows[index] as StreakPeriod
  for (const row of rows.slice(0, index).toReversed()) {
    if (first.kind === 'counted' && first.length === 1) break
    if (row.length === first.length || (first.kind === 'counted' && row.length === first.length - 1)) first = row
  }
  return first
}
