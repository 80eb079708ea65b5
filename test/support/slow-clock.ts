/*
 * What time brings, the slow way: somebody looks at every tick what the rules make of the time since the tick before, and at the
 * wall clock, which is that of the runtime alone.
 */

import { firstDayOf, isDateInZone, lastDayOf, periodOf } from '../../src/rules/calendar.ts'
import type { Change } from '../../src/rules/change.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { evolve } from '../../src/rules/evolve.ts'
import type { Game, StreakRule } from '../../src/rules/game.ts'
import type { Notice } from '../../src/rules/notice.ts'
import { settle, settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { boundsOf, DAY, HOUR, type Stretch, stretchesOf } from './zones.ts'

export interface Seen {
  readonly at: number
  readonly change: Change | Notice
  readonly state: UserState
}

interface Watch {
  readonly game: Game
  /** After the newest entry. */
  readonly state: UserState
  readonly from: number
  readonly until: number
  /** How long a tick is. */
  readonly step: number
  /** At `until`. */
  readonly entry?: Entry
}

const MINUTE = 60_000
const clocks = new Map<string, WallClock>()

/** Everything that a user is brought after `from`, until `until`. */
export function watchClock(watch: Watch): readonly Seen[] {
  const { game, state, from, until, entry } = watch
  const home = clockOf(state.profile.tz ?? 'UTC', from)
  const seen: Seen[] = []
  let current = settled(game, state, from)
  let before = from
  for (const at of ticksOf(watch)) {
    const isLast = at === until && entry !== undefined
    const changes = settle(game, current, at, isLast ? entry : asYesterday(state, home, at))
    current = changes.reduce(evolve, current)
    const isOver = state.mergedInto !== null
    const notices = isOver
      ? []
      : [
          ...boosts(game, current, home, before, at),
          ...reminders(game, current, home, before, at),
          ...emails(game, current, before, at),
        ]
    for (const change of changes)
      if (bringsSomething(change, changes, current)) seen.push({ at, change, state: current })
    for (const change of notices) seen.push({ at, change, state: current })
    before = at
  }
  return seen
}

/** While the midnight that has passed is about to come again, it is still the date before: an entry would say so. */
function asYesterday({ seq, profile }: UserState, clock: WallClock, at: number): Entry | undefined {
  if (!clock.isFalseStart(at)) return undefined
  const dating = { zone: profile.tz ?? 'UTC', date: clock.date(at), time: 0 }
  return { id: '', seq: seq + 1, at, recordedAt: at, epoch: 1, profile: null, dating, kind: 'userUpserted' }
}

function* ticksOf({ state, from, until, step }: Watch): Generator<number> {
  const odd = [...state.completions.values()].map(({ at }) => (Math.floor(at / MINUTE) + 1) * MINUTE)
  odd.push(...state.boosts.map(({ created }) => created + MINUTE), until)
  const left = odd.filter((at) => at > from && at <= until).sort((a, b) => a - b)
  for (let at = (Math.floor(from / step) + 1) * step; at <= until; at += step) {
    for (;;) {
      const [next] = left
      if (next === undefined || next > at) break
      left.shift()
      if (next < at) yield next
    }
    yield at
  }
  yield* new Set(left)
}

function bringsSomething(change: Change, changes: readonly Change[], state: UserState): boolean {
  if (change.type === 'streakPaused' || change.type === 'pointsClipped') return false
  if (change.type === 'freezesEarned') return change.count > 0 && state.preferences.streak?.enabled !== false
  return change.type !== 'timersChanged' || changes.some(({ type }) => type === 'pointsAwarded')
}

function boosts(game: Game, state: UserState, clock: WallClock, before: number, at: number): readonly Notice[] {
  const notices: Notice[] = []
  for (const boost of state.boosts) {
    if (!game.points.has(boost.system)) continue
    const isBegun = (when: number): boolean => when >= clock.end(boost.start - 1) && when >= boost.created + MINUTE
    const isOver = (when: number): boolean => boost.end !== null && when >= clock.end(boost.end)
    if (isBegun(at) && !isBegun(before) && !isOver(at)) notices.push({ type: 'boostStarted', boost })
    if (isOver(at) && !isOver(before)) notices.push({ type: 'boostFinished', boost })
  }
  return notices
}

function reminders(game: Game, state: UserState, clock: WallClock, before: number, at: number): readonly Notice[] {
  if (state.preferences.notifications.get('streak_reminder')?.includes('email') === false) return []
  return game.streakRules.flatMap((rule) => {
    const { frequency } = rule
    const date = clock.date(at)
    const period = periodOf(frequency, game.weekStartsOn, date)
    const first = firstDayOf(frequency, game.weekStartsOn, period)
    const last = lastDayOf(frequency, game.weekStartsOn, period)
    const streak = rule.key === null ? state.streak : state.streaks.get(rule.key)?.streak
    if (streak === undefined || streak.length === 0 || (streak.kept ?? 0) >= period) return []
    if (state.pauses.some(({ start, end }) => start <= last && end >= first)) return []
    return rule.reminders.flatMap(({ key: reminder, hoursBefore, staleAfter }): Notice[] => {
      const ends = clock.end(last)
      const isTime = (when: number): boolean =>
        hoursBefore === null
          ? clock.highest(when) >= usualTime(rule, game, first)
          : when >= Math.max(ends - hoursBefore * HOUR, clock.end(first - 1))
      if (isTime(before) || !isTime(at)) return []
      const which = rule.key === null ? {} : { key: rule.key }
      return [{ type: 'streakReminderDue', ...which, reminder, period, date: first, ends, staleAfter }]
    })
  })
}

function usualTime({ frequency }: StreakRule, { weekStartsOn }: Game, first: number): number {
  if (frequency === 'daily') return first * DAY + 20 * HOUR
  if (frequency === 'monthly') return (first + 24) * DAY + 8 * HOUR
  return (first + (weekStartsOn === 'monday' ? 4 : 5)) * DAY + 8 * HOUR
}

function emails(game: Game, state: UserState, before: number, at: number): readonly Notice[] {
  const rule = game.emails
  if (rule === null || state.profile.subscribedToEmails === false) return []
  const { staleAfter } = rule
  const isRefused = (kind: 'recap' | 'reactivation' | 'achievement_completed'): boolean =>
    state.preferences.notifications.get(kind)?.includes('email') === false
  const notices: Notice[] = []
  const { dates, completedIn } = state.activity
  const mailIn = (zone: string | null): string => zone ?? 'America/New_York'
  /** Whether the clock of a zone has come to a date at an hour, or to that hour of the next date if there is none. */
  const isCrossed = (zone: string, date: number, hour: number): boolean => {
    const clock = clockOf(zone, at)
    const wall = (isDateInZone(zone, date) ? date : date + 1) * DAY + hour * HOUR
    return clock.highest(before) < wall && clock.highest(at) >= wall
  }
  const starts = new Set<number>()
  for (const { date, zone } of isRefused('recap') ? [] : dates) {
    // The date after the period is the first that begins a period.
    let next = date + 1
    while (rule.recap !== null && recapBefore(game, next) === null) next += 1
    const start = recapBefore(game, next)
    if (start === null || starts.has(start)) continue
    starts.add(start)
    if (isCrossed(mailIn(zone), next, 8)) notices.push({ type: 'recapDue', start, end: next - 1, staleAfter })
  }
  const active = dates.at(-1)
  for (const [index, days] of active === undefined || isRefused('reactivation') ? [] : rule.reactivation.entries()) {
    const date = (active?.date ?? 0) + days
    if (!isCrossed(mailIn(active?.zone ?? null), date, 8)) continue
    notices.push({ type: 'reactivationDue', messageNumber: index + 1, daysSinceLastActive: days, date, staleAfter })
  }
  if (!rule.achievements || isRefused('achievement_completed')) return notices
  for (const [achievement, completion] of state.completions) {
    const { count, entryId } = completion
    const moved = completedIn.get(achievement)
    const zone = mailIn(moved?.at === completion.at ? moved.zone : state.profile.tz)
    const wall = clockOf(zone, at).wall(completion.at)
    const [date, hour] = [Math.floor(wall / DAY), (wall % DAY) / HOUR]
    const soon = (Math.floor(completion.at / MINUTE) + 1) * MINUTE
    const isDue =
      hour >= 17 && hour < 21 ? before < soon && at >= soon : isCrossed(zone, hour < 17 ? date : date + 1, 17)
    if (isDue) notices.push({ type: 'achievementEmailDue', achievement, count, entryId, staleAfter })
  }
  return notices
}

/** The first date of the period that ended with the date before this one; null: none did. */
function recapBefore({ emails, weekStartsOn }: Game, date: number): number | null {
  const day = new Date(date * DAY)
  switch (emails?.recap) {
    case 'daily':
      return date - 1
    case 'weekly':
      return day.getUTCDay() === (weekStartsOn === 'monday' ? 1 : 0) ? date - 7 : null
    case 'monthly':
      if (day.getUTCDate() !== 1) return null
      return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, 1) / DAY
    case 'yearly':
      if (day.getUTCDate() !== 1 || day.getUTCMonth() !== 0) return null
      return Date.UTC(day.getUTCFullYear() - 1, 0, 1) / DAY
    default:
      return null
  }
}

interface WallClock {
  wall(at: number): number
  /** The date; while it gives way to the date before it once more, that one. */
  date(at: number): number
  /** The latest that the wall clock has ever shown. */
  highest(at: number): number
  /** Whether the date at an instant gives way to the date before it once more. */
  isFalseStart(at: number): boolean
  /** The first instant after which the date is never seen again, nor an earlier one. */
  end(date: number): number
}

/** Good for two years around an instant. */
function clockOf(zone: string, around: number): WallClock {
  const year = new Date(around).getUTCFullYear()
  const id = `${zone} ${year}`
  const known = clocks.get(id)
  if (known !== undefined) return known
  const stretches = stretchesOf(zone, Date.UTC(year - 1, 0, 1), Date.UTC(year + 2, 0, 1), 6 * HOUR)
  const clock = createClock(stretches)
  clocks.set(id, clock)
  return clock
}

function createClock(stretches: readonly Stretch[]): WallClock {
  const walls = stretches.map(({ start, end, offset }, index) => {
    const before = stretches.slice(0, index).map((earlier) => earlier.end - 1 + earlier.offset)
    return { start, end, offset, highest: Math.max(Number.NEGATIVE_INFINITY, ...before) }
  })
  const ends = new Map<number, number>()
  const falseStarts = stretches.flatMap(({ start: end, offset }, index) => {
    const before = stretches[index - 1]?.offset ?? offset
    const start = Math.floor((end - 1 + before) / DAY) * DAY - before
    return Math.floor((end - 1 + before) / DAY) > Math.floor((end + offset) / DAY) ? [{ start, end }] : []
  })
  let newest = walls[0]
  const stretchAt = (at: number): (typeof walls)[number] => {
    if (newest === undefined || at < newest.start || at >= newest.end) {
      newest = walls.find(({ start, end }) => at >= start && at < end)
    }
    if (newest === undefined) throw new RangeError(`The clock does not go to ${new Date(at).toISOString()}`)
    return newest
  }
  const wall = (at: number): number => at + stretchAt(at).offset
  const isFalseStart = (at: number): boolean => falseStarts.some(({ start, end }) => at >= start && at < end)
  return {
    wall,
    date: (at) => Math.floor(wall(at) / DAY) - (isFalseStart(at) ? 1 : 0),
    highest: (at) => Math.max(wall(at), stretchAt(at).highest),
    isFalseStart,
    end: (date) => {
      const known = ends.get(date)
      if (known !== undefined) return known
      for (let day = date; ; day -= 1) {
        const bounds = boundsOf(stretches, day)
        if (bounds === null) continue
        ends.set(date, bounds.last + 1)
        return bounds.last + 1
      }
    },
  }
}
