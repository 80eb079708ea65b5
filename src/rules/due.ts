import { expiryOf, isGranted } from './achievement.ts'
import { emailZone, firstDayOfRecap, LONGEST_EMAIL_MS, zoneOfCompletion } from './activity.ts'
import {
  type Day,
  endOfDate,
  type Frequency,
  firstDayOf,
  HOUR,
  type Instant,
  instantOf,
  isDateInZone,
  lastDayOf,
  localTime,
  MINUTE,
  openDate,
  type WeekStart,
} from './calendar.ts'
import { endingWindows } from './challenge-windows.ts'
import type { Change } from './change.ts'
import { membershipsOf } from './criteria.ts'
import type { Entry } from './entry.ts'
import { evolveAll } from './evolve.ts'
import {
  type EmailRules,
  type FreezePool,
  type Game,
  type GameFrom,
  isSpendable,
  matches,
  type PointsSystem,
  type StreakRule,
} from './game.ts'
import { type DueNotice, type Notice, type NoticeTime, noticeTimes, wantsEmails } from './notice.ts'
import { settleTo } from './settle.ts'
import { type Completion, type GivenBoost, hasStreak, type UserState, zoneOf } from './state.ts'
import { nextMissable, todayAt } from './streak.ts'
import { about, freezesOf, streakOf } from './streak-names.ts'
import { dueAt, isTimed } from './time-points.ts'
import { boundedOf, type Wallet, walletIn } from './wallet.ts'

const NONE: readonly DueNotice[] = []
/** When the boosts that the user alone was given start and finish, and when completions expire. */
function dueOnce(game: Game, { boosts, completions, profile }: UserState): readonly DueNotice[] {
  const given = boosts.filter(({ system }) => game.points.has(system))
  const expiries = game.expiringAchievements.flatMap((achievement): readonly DueNotice[] => {
    const completion = completions.get(achievement.key)
    const at = completion === undefined ? null : expiryOf(achievement, completion)
    if (completion === undefined || at === null) return NONE
    return [{ at, notice: { type: 'achievementExpired', achievement: achievement.key, count: completion.count } }]
  })
  return [...given.flatMap((boost) => dueOf(boost, zoneOf(profile))), ...expiries]
}

function dueOf(boost: GivenBoost, zone: string): readonly DueNotice[] {
  const finish = boost.end === null ? Number.POSITIVE_INFINITY : endOfDate(zone, boost.end)
  const start = startOf(endOfDate(zone, boost.start - 1), boost.created)
  const due: DueNotice[] = start < finish ? [{ at: start, notice: { type: 'boostStarted', boost } }] : []
  return boost.end === null ? due : [...due, { at: finish, notice: { type: 'boostFinished', boost } }]
}

/** A boost given after its first date began starts a minute later, so no process has published that instant before. */
export function startOf(start: Instant, created: Instant): Instant {
  return Math.max(start, created + MINUTE)
}

const MORNING = 8 * HOUR
const AFTERNOON = 17 * HOUR
const NIGHT = 21 * HOUR

/** The emails of a user that fall due after `from`: at least the next of each kind. Earlier ones may be among them. */
function dueEmails(game: Game, state: UserState, from: Instant): readonly DueNotice[] {
  const { emails } = game
  if (emails === null) return NONE
  return [
    ...dueRecaps(game, emails, state),
    ...dueReactivation(emails, state),
    ...dueAchievements(emails, game, state, from),
  ]
}

/** Each is due in the morning after its period, in the zone of the first activity. Later moves change nothing. */
function dueRecaps(game: Game, { recap, staleAfter }: EmailRules, state: UserState): readonly DueNotice[] {
  if (recap === null || !wantsEmails(state, 'recap')) return NONE
  const due = new Map<Day, DueNotice>()
  for (const { date, zone } of state.activity.dates) {
    const start = firstDayOfRecap(recap, game.weekStartsOn, date)
    const next = firstDayOfRecap(recap, game.weekStartsOn, date, 1)
    if (due.has(start)) continue
    due.set(start, { at: onDate(zone, next, MORNING), notice: { type: 'recapDue', start, end: next - 1, staleAfter } })
  }
  return [...due.values()]
}

/** Each is due in the morning, a fixed number of days after the newest date with activity. */
function dueReactivation({ reactivation, staleAfter }: EmailRules, state: UserState): readonly DueNotice[] {
  const active = state.activity.dates.at(-1)
  if (active === undefined || !wantsEmails(state, 'reactivation')) return NONE
  return reactivation.map((daysSinceLastActive, index): DueNotice => {
    const date = active.date + daysSinceLastActive
    const about = { messageNumber: index + 1, daysSinceLastActive, date, staleAfter }
    return { at: onDate(active.zone, date, MORNING), notice: { type: 'reactivationDue', ...about } }
  })
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
    // Achievements that a newer game grants for the past cause no message.
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

/**
 * The next miss of a streak, or `null` if it does not run. The state must be settled, so that the period is not over.
 */
function comingMiss(game: Game, rule: StreakRule, state: UserState) {
  const { length, kept } = streakOf(state, rule.key)
  if (length === 0 || kept === null) return null
  const { weekStartsOn } = game
  const zone = zoneOf(state.profile)
  const period = nextMissable(game, rule, state, kept)
  return {
    period,
    starts: endOfDate(zone, firstDayOf(rule.frequency, weekStartsOn, period) - 1),
    ends: endOfDate(zone, lastDayOf(rule.frequency, weekStartsOn, period)),
  }
}

/** When the next period is missed, or the next freeze earned; infinite: never. The state must be settled. */
function nextOfStreaks(game: Game, state: UserState): Instant {
  let next: Instant = Number.POSITIVE_INFINITY
  for (const rule of game.streakRules) next = Math.min(next, comingMiss(game, rule, state)?.ends ?? next)
  if (!hasStreak(state.preferences)) return next
  for (const pool of game.freezePools) next = Math.min(next, nextEarned(pool, state) ?? next)
  return next
}

/** A user with the most freezes there can be earns none until one is consumed, which is an instant of its own. */
function nextEarned([first]: FreezePool, state: UserState): Instant | null {
  const freezes = freezesOf(state, first)
  const rule = first.freezes
  if (rule === null || rule.autoEarn === null || freezes === null || freezes.nextEarned === null) return null
  return freezes.count < rule.max ? endOfDate(zoneOf(state.profile), freezes.nextEarned - 1) : null
}

/** When a time trigger next gives or takes something; infinite: never. The state must be settled. */
function nextOfTimers({ timedSystems }: Game, state: UserState): Instant {
  return Math.min(...timedSystems.map((system) => nextOf(system, state)))
}

function nextOf(system: PointsSystem, { points, profile, timers, wallets }: UserState): Instant {
  const { key, triggers, maxPoints } = system
  const total = points.get(key)?.total ?? 0
  const bounded = isSpendable(system) ? boundedOf(walletIn(wallets, key)) : total
  // While nothing else moves the total, an award beyond its bounds is clipped to nothing.
  const canRise = bounded < (maxPoints ?? Number.MAX_SAFE_INTEGER)
  const canFall = total > 0
  let next: Instant = Number.POSITIVE_INFINITY
  for (const trigger of triggers) {
    const timer = isTimed(trigger) ? timers.get(trigger.id) : undefined
    if (!isTimed(trigger) || timer === undefined) continue
    const moves = trigger.points > 0 ? canRise : trigger.points < 0 && canFall
    if (!moves || trigger.status !== 'active' || !matches(trigger.userAttributes, profile.attributes)) continue
    next = Math.min(next, dueAt(trigger.every, timer, timer.dueCount + 1, zoneOf(profile)))
  }
  return next
}

/** When lots expire or holds end; infinite: never. Pending points may expire, too, once they are available. */
function nextOfWallets({ wallets, profile }: UserState): Instant {
  let next: Instant = Number.POSITIVE_INFINITY
  for (const { lots, pending, holds } of wallets.values()) {
    for (const { until } of holds) next = Math.min(next, until)
    let first: Day = Number.POSITIVE_INFINITY
    for (const { expires } of [...lots.slice(0, 1), ...pending]) if (expires !== null) first = Math.min(first, expires)
    if (first < Number.POSITIVE_INFINITY) next = Math.min(next, endOfDate(zoneOf(profile), first - 1))
  }
  return next
}

/** When the points of each date of expiry are about to expire. */
function dueWarnings({ spendableSystems }: Game, { wallets, profile }: UserState): readonly DueNotice[] {
  return spendableSystems.flatMap(({ key, wallet: { expires: rule } }) => {
    const days = rule?.warnDays ?? null
    return days === null ? NONE : warningsOf(key, walletIn(wallets, key), days, zoneOf(profile))
  })
}

function warningsOf(system: string, { lots, pending }: Wallet, days: number, zone: string): readonly DueNotice[] {
  const amounts = new Map<Day, number>()
  for (const { expires, amount } of lots) if (expires !== null) amounts.set(expires, amount)
  for (const { available, expires, amount } of pending) {
    if (expires === null || available > expires - days) continue
    amounts.set(expires, (amounts.get(expires) ?? 0) + amount)
  }
  return [...amounts].map(([expires, amount]): DueNotice => {
    const at = endOfDate(zone, expires - days - 1)
    return { at, notice: { type: 'pointsExpiring', system, expires, amount } }
  })
}

/** The reminders of the next missable periods, also if a freeze would save them. The state must be settled. */
function dueReminders(game: Game, state: UserState): readonly DueNotice[] {
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
    const usual = usualTime(rule.frequency, game.weekStartsOn, date, zone)
    // Not before the period begins: clocks may have skipped some of its hours.
    const at = hoursBefore === null ? usual : Math.max(miss.starts, ends - hoursBefore * HOUR)
    return { at, notice: { type: 'streakReminderDue', ...about(rule), reminder: key, period, date, ends, staleAfter } }
  })
}

/** A day at 20:00, a week on Friday at 08:00, a month on the 25th at 08:00. `date`: the first of the period. */
function usualTime(frequency: Frequency, weekStartsOn: WeekStart, date: number, zone: string): Instant {
  if (frequency === 'daily') return instantOf(zone, date, 20 * HOUR)
  const friday = weekStartsOn === 'monday' ? 4 : 5
  return instantOf(zone, date + (frequency === 'weekly' ? friday : 24), MORNING)
}

const NO_GAMES: readonly GameFrom[] = []

export interface TimeChange {
  readonly at: Instant
  readonly change: Change | Notice
  /** The state at `at`, after everything of that instant. */
  readonly state: UserState
}

/**
 * The first instant after `sentUntil` at which time changes something for a user, or `null` if only another entry can.
 * `state` is the state after the user's newest entry. `game` is the game of that entry, which decides what time changes
 * until the next one. `newer` are the games after it: each decides the notices after its own instant.
 */
export function nextDue(
  game: Game,
  state: UserState,
  sentUntil: Instant,
  newer: readonly GameFrom[] = NO_GAMES,
): Instant | null {
  const from = Math.max(sentUntil, state.at)
  return nextAfter(game, readAt(game, state, from), from, newer)
}

export interface TimeOptions {
  readonly newer?: readonly GameFrom[]
  /** The entry at `until` that ends the time. Changes that its date settles ahead of the clocks are dated `until`. */
  readonly entry?: Entry | undefined
}

/**
 * The changes that time makes after `sentUntil`, up to and including `until`, each at its own instant. The answers for
 * consecutive spans add up to the answer for the whole. Changes without an effect are left out. `state` and `game` are as
 * for `nextDue`.
 */
export function timeBrings(
  game: Game,
  state: UserState,
  sentUntil: Instant,
  until: Instant,
  { newer = NO_GAMES, entry }: TimeOptions = {},
): readonly TimeChange[] {
  const brought: TimeChange[] = []
  let from = Math.max(sentUntil, state.at)
  if (from > until) return brought
  let current = readAt(game, state, from)
  for (;;) {
    const next = nextAfter(game, current, from, newer)
    if (next === null || next > until) break
    // Changes before `next` cause no message, but changes at `next` may build on them.
    const before = readAt(game, current, next - 1)
    const changes = settleAt(game, before, next)
    current = evolveAll(before, changes)
    from = next
    push(brought, from, bringing(changes, current), current)
    push(brought, from, noticesAt(dueOnce(game, current), from), current)
    // A reminder may come with the beginning of its period.
    const [time] = noticeTimes(game, current, from - 1, newer)
    if (time !== undefined) push(brought, from, noticesAt(dueWithin(time), from), time.state)
  }
  if (entry === undefined) return brought
  const rest = settleTo(game, current, until, todayAt(current, until, entry))
  const after = evolveAll(current, rest)
  push(brought, until, bringing(rest, after), after)
  return brought
}

function push(brought: TimeChange[], at: Instant, changes: readonly (Change | Notice)[], state: UserState): void {
  for (const change of changes) brought.push({ at, change, state })
}

function nextAfter(game: Game, state: UserState, from: Instant, newer: readonly GameFrom[]): Instant | null {
  if (state.mergedInto !== null) return null
  let next = Math.min(nextOfStreaks(game, state), nextOfTimers(game, state), nextOfWallets(state))
  for (const { at } of dueOnce(game, state)) if (at > from) next = Math.min(next, at)
  for (const time of noticeTimes(game, state, from, newer)) {
    // The state changes at `next`, so notices of a later time are not known yet.
    if (time.from >= next) break
    for (const { at } of dueWithin(time)) next = Math.min(next, at)
  }
  if (next === Number.POSITIVE_INFINITY) return null
  // A runtime that contradicts itself about a zone must not cause an endless loop.
  return next > from ? next : from + MINUTE
}

/** When the windows of challenges that are begun and not completed are about to end. */
function dueEndings(game: Game, state: UserState): readonly DueNotice[] {
  return endingWindows(game, state).map(({ challenge, start, ends, hours }) => {
    return { at: ends - hours * HOUR, notice: { type: 'challengeEnding', challenge, start } }
  })
}

/** Reminders, emails, memberships and windows of a time: the next of each kind at least. */
function dueWithin({ game, state, from, until }: NoticeTime): readonly DueNotice[] {
  const memberships = membershipsOf(game, state).map((at): DueNotice => ({ at, notice: { type: 'membershipReached' } }))
  const notices = [
    ...dueReminders(game, state),
    ...dueEmails(game, state, from),
    ...memberships,
    ...dueEndings(game, state),
    ...dueWarnings(game, state),
  ]
  return notices.filter(({ at }) => at > from && at <= until)
}

function noticesAt(due: readonly DueNotice[], at: Instant): readonly Notice[] {
  return due.filter((each) => each.at === at).map(({ notice }) => notice)
}

function readAt(game: Game, state: UserState, at: Instant): UserState {
  return evolveAll(state, settleAt(game, state, at))
}

/** Settles by the dates that are over for good (`openDate`), since instants here are ends of dates. */
function settleAt(game: Game, state: UserState, at: Instant): readonly Change[] {
  return settleTo(game, state, at, openDate(zoneOf(state.profile), at))
}

/** The changes of `settle` that cause messages for the user. The state is the one they led to. */
function bringing(changes: readonly Change[], { preferences }: UserState): readonly Change[] {
  return changes.filter((change) => {
    switch (change.type) {
      case 'streakPaused':
      case 'pointsClipped':
      case 'challengeChanged':
      case 'walletChanged':
      case 'challengeLapsed':
        return false
      case 'pointsMoved':
        return change.kind === 'expired'
      case 'freezesEarned':
        return change.count > 0 && hasStreak(preferences)
      case 'timersChanged':
        return changes.some(({ type }) => type === 'pointsAwarded')
      default:
        return true
    }
  })
}
