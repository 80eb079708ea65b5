// The length of a streak, walked from the first date of the history to the last.

import { addDays, periodEnd, periodOf } from '../dates.ts'
import { aggregationOf, type Happened, totalIn } from './totals.ts'
import type { Game, Streak, Weekday } from './types.ts'

const HOUR = 3_600_000
const WEEKDAYS: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The weekdays that a user chose, and the date of the choice. */
export interface Choice {
  date: string
  on: Weekday[]
}

export interface Walked {
  length: number
  expires: string | null
  freezes?: number
}

const weekdayOf = (date: string): Weekday => WEEKDAYS[new Date(date).getUTCDay()] ?? 'sun'

/** A choice holds from the next date on. */
function isNeutral(streak: Streak, choices: readonly Choice[], date: string): boolean {
  const chosen = choices.filter((choice) => choice.date < date).at(-1)?.on ?? streak.on
  return streak.frequency === 'daily' && chosen !== undefined && !chosen.includes(weekdayOf(date))
}

/** By these events alone. */
function holds(game: Game, streak: Streak, events: readonly Happened[]): boolean {
  const held = Object.entries(streak.metrics).map(([metric, { threshold }]) => {
    const total = totalIn(game, events, { metric })
    if (total === null) return false
    const aggregation = aggregationOf(game, metric)
    if (threshold === undefined) return aggregation !== 'sum' || total > 0
    return aggregation === 'min' ? total <= threshold : total >= threshold
  })
  return streak.evaluationMode === 'AND' ? held.every((is) => is) : held.some((is) => is)
}

function counts(game: Game, streak: Streak, events: readonly Happened[]): boolean {
  if (streak.days === undefined) return holds(game, streak, events)
  const dates = [...new Set(events.map(({ date }) => date))]
  return (
    dates.filter((date) =>
      holds(
        game,
        streak,
        events.filter((event) => event.date === date),
      ),
    ).length >= streak.days
  )
}

export function walkStreak(
  game: Game,
  streak: Streak,
  events: readonly Happened[],
  choices: readonly Choice[],
  today: string,
): Walked {
  const calendar = { frequency: streak.frequency, weekStartsOn: game.weekStartsOn ?? ('monday' as const) }
  const span = (streak.frequency === 'daily' ? 1 : 7) * 24 * HOUR
  let [length, first, settled, freezes] = [0, 0, '', streak.freezes?.initial ?? 0]
  for (let date = events[0]?.date ?? today; date <= today; date = addDays(date, 1)) {
    const period = periodOf(calendar, date)
    const neutral = isNeutral(streak, choices, date)
    for (const [index, event] of events.entries()) {
      if (event.date !== date || settled === period || neutral || !(event.metric in streak.metrics)) continue
      const own = events.slice(0, index + 1).filter((each) => periodOf(calendar, each.date) === period)
      if (!counts(game, streak, own)) continue
      if (length === 0) first = event.at
      // A move never earns a streak.
      const most = 2 + Math.floor((event.at - first + 3 * HOUR) / span)
      length = Math.min(length + 1, Math.max(most, length))
      settled = period
    }
    if (date === today || date !== periodEnd(calendar, period) || settled === period || neutral || length === 0)
      continue
    if (freezes === 0) length = 0
    else [freezes, settled] = [freezes - 1, period]
  }
  const left = streak.freezes === undefined ? {} : { freezes }
  if (length === 0) return { length, expires: null, ...left }
  let next = addDays(periodEnd(calendar, settled), 1)
  while (isNeutral(streak, choices, next)) next = addDays(next, 1)
  return { length, expires: periodEnd(calendar, next), ...left }
}
