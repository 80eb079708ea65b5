// The messages to subscriptions: the facts of a log, and the emails that fall due.
import type { Calendar } from './dates.ts'
import { addDays, instantOf, localDate, periodEnd, periodOf } from './dates.ts'
import type { EmailsDefinition } from './full-game.ts'
import { type Ahead, reminders } from './reminders.ts'
import { levelOf, type State } from './state.ts'

/** One message of a user without what only the engine knows, such as ids and names. */
export interface Fact {
  type: string
  at: number
  data: { [field: string]: string | number | null }
  about?: (string | number | null)[] // identifies an email that its data does not identify
}

/** The user's actions, and the zone of the user's emails at that time: New York if none is known. */
export interface Activity {
  instant: number
  zone: string
}

const NEW_YORK = 'America/New_York'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function emailZone(state: State): string {
  return state.tz ?? NEW_YORK
}

export function noteActivity(state: State, instant: number): void {
  state.active.push({ instant, zone: emailZone(state) })
}

/** If an achievement repeats, only its newest completion has an email. */
export function noteCompletion(state: State, instant: number, key: string, count: number): void {
  state.facts.push({ type: 'achievement.completed', at: instant, data: { key, count } })
  const at = eveningOf(emailZone(state), instant)
  state.achievementEmails.set(key, { type: 'emails.achievement_due', at, data: { key, count } })
}

/** At 17:00, within a minute from then to 21:00, and after that at 17:00 on the next date. */
function eveningOf(zone: string, instant: number): number {
  const date = localDate(zone, instant)
  if (instant < instantOf(zone, date, 17)) return instantOf(zone, date, 17)
  const nextMinute = (Math.floor(instant / MINUTE) + 1) * MINUTE
  return instant < instantOf(zone, date, 21) ? nextMinute : instantOf(zone, addDays(date, 1), 17)
}

/** The emails that fall due after the newest entry and until an instant. */
export function emailsDue(state: State, until: number, ahead: Ahead = new Map()): Fact[] {
  const { emails } = state.game
  if (emails === null || state.subscription === false) return []
  const wanted = (type: string): boolean => state.notifications.get(type)?.includes('email') !== false
  return [
    ...(wanted('achievement_completed') && emails.achievements !== false ? state.achievementEmails.values() : []),
    ...(wanted('recap') ? recaps(state, emails) : []),
    ...(wanted('reactivation') ? reactivations(state, emails) : []),
    ...(wanted('streak_reminder') ? reminders(state, until, ahead) : []),
  ].filter(({ at }) => at > state.newest && at <= until)
}

export function isFresh({ game }: State, { at }: Fact, now: number): boolean {
  return now - at <= (game.emails?.staleAfter?.hours ?? 2) * HOUR
}

const FREQUENCIES = { daily: 'daily', weekly: 'weekly', monthly: 'monthly', yearly: 'monthly' } as const

/** One for each period with activity, in the zone of the first. After a move to an earlier date, activity counts for the later one. */
function recaps({ active, game }: State, { recap }: EmailsDefinition): Fact[] {
  if (recap === undefined) return []
  const calendar: Calendar = { frequency: FREQUENCIES[recap], weekStartsOn: game.weekStartsOn }
  const found = new Map<string, Fact>()
  let newest = ''
  for (const { instant, zone } of active) {
    const date = localDate(zone, instant)
    if (date <= newest) continue
    newest = date
    const start = recap === 'yearly' ? `${date.slice(0, 4)}-01-01` : periodOf(calendar, date)
    const end = recap === 'yearly' ? `${date.slice(0, 4)}-12-31` : periodEnd(calendar, start)
    if (found.has(start)) continue
    const at = instantOf(zone, addDays(end, 1), 8)
    found.set(start, { type: 'emails.recap_due', at, data: { start, end } })
  }
  return [...found.values()]
}

/** By the newest date with activity. The first activity on it decides the zone, since a later move changes nothing. */
function reactivations({ active }: State, { reactivation = [3, 5, 7, 14, 30] }: EmailsDefinition): Fact[] {
  const [first, ...others] = active.map(({ instant, zone }) => ({ zone, date: localDate(zone, instant) }))
  if (first === undefined) return []
  const last = others.reduce((newest, each) => (each.date > newest.date ? each : newest), first)
  const { date } = last
  return reactivation.map((days, index) => ({
    type: 'emails.reactivation_due',
    at: instantOf(last.zone, addDays(date, days), 8),
    data: { messageNumber: index + 1, days },
    about: [index, date],
  }))
}

/** No email is published twice about the same. */
export function occurrenceOf({ type, data, about }: Fact): string {
  return JSON.stringify([type, about ?? data])
}

export function levelsOf(state: State): Map<string, string | null> {
  return new Map(
    [...state.game.systems].map(([key, system]) => [key, levelOf(system, state.points.get(key) ?? 0)] as const),
  )
}

export function noteLevels(state: State, instant: number, before: Map<string, string | null>): void {
  for (const [key, level] of levelsOf(state)) {
    const from = before.get(key) ?? null
    if (from === level) continue
    const total = state.points.get(key) ?? 0
    state.facts.push({ type: 'points.level_changed', at: instant, data: { key, from, to: level, total } })
  }
}
