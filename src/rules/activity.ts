import { DAY, type Day, firstDayOf, firstDayOfYear, localDate, periodOf, type WeekStart, yearOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import type { Game, RecapFrequency } from './game.ts'
import type { ActiveDate, CompletedIn, Profile, UserState } from './state.ts'

/** The first day of the period that a date lies in, or of one of those after it. */
export function firstDayOfRecap(frequency: RecapFrequency, weekStartsOn: WeekStart, date: Day, after = 0): Day {
  if (frequency === 'yearly') return firstDayOfYear(yearOf(date) + after)
  return firstDayOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, date) + after)
}

/** How long after its completion the email about an achievement is due at the latest. */
export const LONGEST_EMAIL_MS: number = 3 * DAY

/** The zone of emails to users without a known zone. */
const USUAL_ZONE = 'America/New_York'

export function emailZone(zone: string | null): string {
  return zone ?? USUAL_ZONE
}

/** True if the user did it: an event or a completion that counts, or a change with the user's own key or session. */
function isActivity(entry: Entry): boolean {
  switch (entry.kind) {
    case 'eventRecorded':
      return entry.voidedBy === undefined
    case 'achievementClaimed':
      return true
    case 'userUpserted':
    case 'preferencesChanged':
      return entry.own === true
    default:
      return false
  }
}

/** Notes the local date of an activity if it is later than all before it. `state` has the profile of the entry. */
export function noteActivity(game: Game, { activity, profile }: UserState, entry: Entry): readonly Change[] {
  if (!isActivity(entry)) return []
  const date = profile.tz === null ? localDate(emailZone(null), entry.at) : entry.dating.date
  const newest = activity.dates.at(-1)
  if (newest !== undefined && date <= newest.date) return []
  const dates = [...keptDates(game, activity.dates, date), { date, zone: profile.tz }]
  return [{ type: 'activityChanged', activity: { ...activity, dates } }]
}

/** The first dates of recaps to come: a user who moves may be active on two more dates before 08:00. */
function keptDates(game: Game, dates: readonly ActiveDate[], date: Day): readonly ActiveDate[] {
  const recap = game.emails?.recap ?? null
  if (recap === null) return []
  const startOf = (day: Day): Day => firstDayOfRecap(recap, game.weekStartsOn, day)
  const firsts = dates.filter((each, index) => {
    const before = dates[index - 1]
    return before === undefined || startOf(before.date) < startOf(each.date)
  })
  const isNewPeriod = startOf(firsts.at(-1)?.date ?? date) < startOf(date)
  return firsts.slice(isNewPeriod ? -2 : -3)
}

/** Remembers the zone in which achievements were completed whose emails may still be due when the user moves. */
export function noteMove(before: Profile, { activity, completions }: UserState, { at }: Entry): readonly Change[] {
  const completedIn = new Map<string, CompletedIn>()
  for (const [achievement, completion] of completions) {
    if (completion.at < at - LONGEST_EMAIL_MS) continue
    const known = activity.completedIn.get(achievement)
    const isKnown = known !== undefined && known.at === completion.at
    completedIn.set(achievement, isKnown ? known : { at: completion.at, zone: before.tz })
  }
  if (completedIn.size === 0 && activity.completedIn.size === 0) return []
  return [{ type: 'activityChanged', activity: { ...activity, completedIn } }]
}

export function zoneOfCompletion({ activity, completions, profile }: UserState, achievement: string): string {
  const moved = activity.completedIn.get(achievement)
  const isOf = moved !== undefined && moved.at === completions.get(achievement)?.at
  return emailZone(isOf ? moved.zone : profile.tz)
}
