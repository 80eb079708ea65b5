// Reminders of streaks that end unless the user acts.
import { addDays, instantOf, reachedForGood } from './dates.ts'
import type { Fact } from './messages.ts'
import type { State } from './state.ts'
import { zoneOf } from './state.ts'
import { copiesOf, type Streaks, settleStreaks } from './streaks.ts'
import type { Calendar } from './walk/days.ts'
import { lastDay, nextLived, toText } from './walk/days.ts'

const HOUR = 3_600_000

/** The reminders of a state found so far, with its streaks then, so that a later look continues from there. */
export type Ahead = Map<string, { streaks: Streaks; found: Fact[] }>

/** One reminder for each period in which nothing counts yet, also for a period that a freeze will save. */
export function reminders(state: State, until: number, ahead: Ahead): Fact[] {
  return [...state.game.streaks].flatMap(([key, { reminders }]) => {
    return reminders.flatMap(({ before }) => remindersOf(state, key, before?.hours ?? null, until, ahead))
  })
}

function remindersOf(state: State, key: string, hoursBefore: number | null, until: number, ahead: Ahead): Fact[] {
  const zone = zoneOf(state)
  const name = `${hoursBefore} ${key}`
  const { streaks, found } = ahead.get(name) ?? { streaks: copiesOf(state.streaks), found: [] }
  ahead.set(name, { streaks, found })
  const streak = streaks.get(key)
  while (streak !== undefined && streak.life.length > 0) {
    const { calendar } = streak.game
    const period = nextLived(calendar, zone, streak.life.settled)
    const starts = reachedForGood(zone, toText(period))
    if (starts > until) break
    const ends = reachedForGood(zone, toText(lastDay(calendar, period) + 1))
    const at =
      hoursBefore === null ? usual(zone, calendar, toText(period)) : Math.max(starts, ends - hoursBefore * HOUR)
    const data = { key, length: streak.life.length }
    found.push({ type: 'emails.streak_reminder_due', at, data, about: [key, hoursBefore, period, zone] })
    settleStreaks(streaks, ends)
  }
  return found
}

function usual(zone: string, { frequency, weekStartsOn }: Calendar, date: string): number {
  if (frequency === 'daily') return instantOf(zone, date, 20)
  if (frequency === 'monthly') return instantOf(zone, addDays(date, 24), 8)
  return instantOf(zone, addDays(date, weekStartsOn === 'monday' ? 4 : 5), 8)
}
