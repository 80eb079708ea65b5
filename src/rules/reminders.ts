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
 * When users are reminded of the periods that their streaks miss next. A period that counted, or that is paused, is none of
 * them; one that only a freeze would save is. The state is settled.
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

/** Within the period, though it may have lost some of its hours. */
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
