import { type Frequency, firstDayOf, type Instant, instantOf, type WeekStart } from './calendar.ts'
import { type ComingMiss, comingMiss } from './due-streaks.ts'
import type { Game, StreakRule } from './game.ts'
import { type DueNotice, wantsEmails } from './notice.ts'
import { zoneOf } from './profile.ts'
import type { UserState } from './state.ts'
import { about } from './streaks.ts'

const HOUR = 3_600_000
const NONE: readonly DueNotice[] = []

/**
 * The reminders of the periods that the user's streaks miss next. A period that counted already, or is paused, needs
 * none; one that only a freeze would save does. The state must be settled.
 */
export function dueReminders(game: Game, state: UserState): readonly DueNotice[] {
  if (game.streakRules.every(({ reminders }) => reminders.length === 0)) return NONE
  if (!wantsEmails(state, 'streak_reminder')) return NONE
  return game.streakRules.flatMap((rule) => remindersOf(game, rule, state))
}

function remindersOf(game: Game, rule: StreakRule, state: UserState): readonly DueNotice[] {
  const miss = rule.reminders.length === 0 ? null : comingMiss(game, rule, state)
  if (miss === null) return NONE
  const { period, ends } = miss
  const date = firstDayOf(rule.frequency, game.weekStartsOn, period)
  const zone = zoneOf(state.profile)
  return rule.reminders.map((reminder): DueNotice => {
    const { key, hoursBefore, staleAfter } = reminder
    const at =
      hoursBefore === null ? usualTime(rule.frequency, game.weekStartsOn, date, zone) : ahead(miss, hoursBefore)
    return { at, notice: { type: 'streakReminderDue', ...about(rule), reminder: key, period, date, ends, staleAfter } }
  })
}

/** So many hours before the period ends, but not before it begins: clocks may have skipped some of its hours. */
function ahead({ starts, ends }: ComingMiss, hours: number): Instant {
  return Math.max(starts, ends - hours * HOUR)
}

/** A day at 20:00, a week on Friday at 08:00, a month on the 25th at 08:00. `date`: the first of the period. */
function usualTime(frequency: Frequency, weekStartsOn: WeekStart, date: number, zone: string): Instant {
  switch (frequency) {
    case 'daily':
      return instantOf(zone, date, 20 * HOUR)
    case 'weekly':
      return instantOf(zone, date + (weekStartsOn === 'monday' ? 4 : 5), 8 * HOUR)
    case 'monthly':
      return instantOf(zone, date + 24, 8 * HOUR)
    default:
      return frequency satisfies never
  }
}
