import { isGranted } from './achievement.ts'
import { emailZone, LONGEST_EMAIL_MS, zoneOfCompletion } from './activity.ts'
import { type Day, type Instant, instantOf, isDateInZone, localTime } from './calendar.ts'
import type { EmailRules, Game } from './game.ts'
import { type DueNotice, wantsEmails } from './notice.ts'
import { firstDayOfNextRecap, firstDayOfRecap } from './recap.ts'
import type { Completion, UserState } from './state.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const MORNING = 8 * HOUR
const AFTERNOON = 17 * HOUR
const NIGHT = 21 * HOUR
const NONE: readonly DueNotice[] = []

/** The emails of a user that fall due after `from`: at least the next of each kind. Earlier ones may be among them. */
export function dueEmails(game: Game, state: UserState, from: Instant): readonly DueNotice[] {
  const { emails } = game
  if (emails === null) return NONE
  return [
    ...dueRecaps(game, emails, state),
    ...dueReactivation(emails, state, from),
    ...dueAchievements(emails, game, state, from),
  ]
}

/**
 * The recaps of the periods in which the user was active, each due in the morning after its period, in the zone of the
 * first activity in it. A later move changes nothing.
 */
function dueRecaps(game: Game, { recap, staleAfter }: EmailRules, state: UserState): readonly DueNotice[] {
  if (recap === null || !wantsEmails(state, 'recap')) return NONE
  const due = new Map<Day, DueNotice>()
  for (const { date, zone } of state.activity.dates) {
    const start = firstDayOfRecap(recap, game.weekStartsOn, date)
    const next = firstDayOfNextRecap(recap, game.weekStartsOn, date)
    if (due.has(start)) continue
    due.set(start, { at: onDate(zone, next, MORNING), notice: { type: 'recapDue', start, end: next - 1, staleAfter } })
  }
  return [...due.values()]
}

/** The next reactivation email after `from`: due in the morning, so many days after the newest date with activity. */
function dueReactivation(
  { reactivation, staleAfter }: EmailRules,
  state: UserState,
  from: Instant,
): readonly DueNotice[] {
  const active = state.activity.dates.at(-1)
  if (active === undefined || !wantsEmails(state, 'reactivation')) return NONE
  for (const [index, daysSinceLastActive] of reactivation.entries()) {
    const date = active.date + daysSinceLastActive
    const at = onDate(active.zone, date, MORNING)
    if (at <= from) continue
    const messageNumber = index + 1
    return [{ at, notice: { type: 'reactivationDue', messageNumber, daysSinceLastActive, date, staleAfter } }]
  }
  return NONE
}

function dueAchievements(
  { achievements, staleAfter }: EmailRules,
  game: Game,
  state: UserState,
  from: Instant,
): readonly DueNotice[] {
  if (!achievements || !wantsEmails(state, 'achievement_completed')) return NONE
  const due: DueNotice[] = []
  for (const [achievement, completion] of state.completions) {
    // Nothing is due later than the evening of the next date.
    if (completion.at < from - LONGEST_EMAIL_MS) continue
    const rule = game.achievements.get(achievement)
    // What a newer game grants for the past is no news.
    if (rule === undefined || isGranted(rule, state)) continue
    const { count, entryId } = completion
    due.push({
      at: afternoonFor(completion, zoneOfCompletion(state, achievement)),
      notice: { type: 'achievementEmailDue', achievement, count, entryId, staleAfter },
    })
  }
  return due
}

/** When the email is due: from 17:00 to 21:00 within a minute of the completion, else at the next 17:00. */
function afternoonFor({ at }: Completion, zone: string): Instant {
  const { date, time } = localTime(zone, at)
  if (time < AFTERNOON) return onDate(zone, date, AFTERNOON)
  if (time >= NIGHT) return onDate(zone, date + 1, AFTERNOON)
  return (Math.floor(at / MINUTE) + 1) * MINUTE
}

/** A time of day on a date, or on the next date that exists in the zone. */
function onDate(zone: string | null, date: Day, time: number): Instant {
  const named = emailZone(zone)
  return instantOf(named, isDateInZone(named, date) ? date : date + 1, time)
}
