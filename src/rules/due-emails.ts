import { isGranted } from './achievement.ts'
import {
  type Day,
  firstDayOf,
  firstDayOfYear,
  type Instant,
  instantOf,
  localDate,
  localTime,
  periodOf,
  type WeekStart,
  yearOf,
} from './calendar.ts'
import type { EmailRules, Game, RecapFrequency } from './game.ts'
import { type DueNotice, wantsEmails } from './notice.ts'
import type { Completion, UserState } from './state.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const MORNING = 8 * HOUR
const AFTERNOON = 17 * HOUR
const NIGHT = 21 * HOUR
const DAY = 24 * HOUR
const NONE: readonly DueNotice[] = []

/** For users who have not said where they are. */
const USUAL_ZONE = 'America/New_York'

/** The emails of a user that fall due after `from`: at least the next of each kind. Earlier ones may be among them. */
export function dueEmails(game: Game, state: UserState, from: Instant): readonly DueNotice[] {
  const { emails } = game
  if (emails === null) return NONE
  const zone = state.profile.tz ?? USUAL_ZONE
  return [
    ...dueRecaps(game, emails, state, zone),
    ...dueReactivation(emails, state, zone, from),
    ...dueAchievements(emails, game, state, zone, from),
  ]
}

/**
 * The recaps of the period of the newest entry, and of the period before, whose morning may still come. Each is due in
 * the morning after its period. Later periods have none, so users who have gone are not sent recaps for ever.
 */
function dueRecaps(game: Game, rule: EmailRules, state: UserState, zone: string): readonly DueNotice[] {
  const { recap, staleAfter } = rule
  if (recap === null || !wantsEmails(state, 'recap')) return NONE
  const active = localDate(zone, state.at)
  const start = startOf(recap, game.weekStartsOn, active)
  const next = nextStart(recap, game.weekStartsOn, active)
  const before = { start: startOf(recap, game.weekStartsOn, start - 1), end: start - 1 }
  const periods =
    localDate(zone, state.created) < start ? [before, { start, end: next - 1 }] : [{ start, end: next - 1 }]
  return periods.map((period) => ({
    at: instantOf(zone, period.end + 1, MORNING),
    notice: { type: 'recapDue', ...period, staleAfter },
  }))
}

/** The first date of the period of a recap. */
function startOf(frequency: RecapFrequency, weekStartsOn: WeekStart, date: Day): Day {
  if (frequency === 'yearly') return firstDayOfYear(yearOf(date))
  return firstDayOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, date))
}

function nextStart(frequency: RecapFrequency, weekStartsOn: WeekStart, date: Day): Day {
  if (frequency === 'yearly') return firstDayOfYear(yearOf(date) + 1)
  return firstDayOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, date) + 1)
}

/** The next reactivation email after `from`: due in the morning, so many days after the date of the newest entry. */
function dueReactivation(
  { reactivation, staleAfter }: EmailRules,
  state: UserState,
  zone: string,
  from: Instant,
): readonly DueNotice[] {
  if (reactivation.length === 0 || !wantsEmails(state, 'reactivation')) return NONE
  const active = localDate(zone, state.at)
  for (const [index, days] of reactivation.entries()) {
    const at = instantOf(zone, active + days, MORNING)
    if (at <= from) continue
    return [
      { at, notice: { type: 'reactivationDue', messageNumber: index + 1, daysSinceLastActive: days, staleAfter } },
    ]
  }
  return NONE
}

function dueAchievements(
  { achievements, staleAfter }: EmailRules,
  game: Game,
  state: UserState,
  zone: string,
  from: Instant,
): readonly DueNotice[] {
  if (!achievements || !wantsEmails(state, 'achievement_completed')) return NONE
  const due: DueNotice[] = []
  for (const [achievement, completion] of state.completions) {
    // Nothing is due later than the evening of the next date.
    if (completion.at < from - 3 * DAY) continue
    const rule = game.achievements.get(achievement)
    // What a newer game grants for the past is no news.
    if (rule === undefined || isGranted(rule, state)) continue
    const { count, entryId } = completion
    due.push({
      at: afternoonFor(completion, zone),
      notice: { type: 'achievementEmailDue', achievement, count, entryId, staleAfter },
    })
  }
  return due
}

/** When the email is due: from 17:00 to 21:00 within a minute of the completion, else at the next 17:00. */
function afternoonFor({ at }: Completion, zone: string): Instant {
  const { date, time } = localTime(zone, at)
  if (time < AFTERNOON) return instantOf(zone, date, AFTERNOON)
  if (time >= NIGHT) return instantOf(zone, date + 1, AFTERNOON)
  return (Math.floor(at / MINUTE) + 1) * MINUTE
}
