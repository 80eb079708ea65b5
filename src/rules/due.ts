import { type Instant, openDate } from './calendar.ts'
import type { Change } from './change.ts'
import { dueBoosts } from './due-boosts.ts'
import { dueEmails } from './due-emails.ts'
import { nextOfStreaks } from './due-streaks.ts'
import { nextOfTimers } from './due-timers.ts'
import type { Entry } from './entry.ts'
import { evolve } from './evolve.ts'
import type { Game, GameFrom } from './game.ts'
import type { DueNotice, Notice } from './notice.ts'
import { type NoticeTime, noticeTimes } from './notice-times.ts'
import { zoneOf } from './profile.ts'
import { dueReminders } from './reminders.ts'
import { settleTo } from './settle.ts'
import { hasStreak, type UserState } from './state.ts'
import { todayAt } from './streak.ts'

const MINUTE = 60_000
const NONE: readonly GameFrom[] = []

/** One thing that time alone brought to a user. */
export interface TimeChange {
  readonly at: Instant
  readonly change: Change | Notice
  /** The state at `at`, after everything of that instant. */
  readonly state: UserState
}

/**
 * The first instant after `toldUntil` at which time alone brings something to a user; null: never, without another
 * entry. `state`: that after the user's newest entry. `game`: that of its epoch, which decides what time changes until
 * the next entry. `newer`: the games after it, each of which decides the notices from its instant on.
 */
export function nextDue(
  game: Game,
  state: UserState,
  toldUntil: Instant,
  newer: readonly GameFrom[] = NONE,
): Instant | null {
  const from = Math.max(toldUntil, state.at)
  return nextAfter(game, readAt(game, state, from), from, newer)
}

export interface TimeOptions {
  /** As for `nextDue`. */
  readonly newer?: readonly GameFrom[]
  /**
   * The entry at `until` that the time leads up to. What its date settles beyond the clocks of its zone is brought at
   * `until` too.
   */
  readonly entry?: Entry | undefined
}

/**
 * What time alone brings to a user after `toldUntil`, up to and including `until`, in order. It does not matter how
 * often it is asked: the answers for parts of a time are together the answer for all of it. Each change stands at the
 * instant at which it happens, so what `settle` does for all the time at once comes in parts here. What brings a user
 * nothing (a paused period, an award of which nothing is left) is not told. `state` and `game` as for `nextDue`.
 */
export function timeBrings(
  game: Game,
  state: UserState,
  toldUntil: Instant,
  until: Instant,
  { newer = NONE, entry }: TimeOptions = {},
): readonly TimeChange[] {
  const brought: TimeChange[] = []
  let from = Math.max(toldUntil, state.at)
  if (from > until) return brought
  let current = readAt(game, state, from)
  for (;;) {
    const next = nextAfter(game, current, from, newer)
    if (next === null || next > until) break
    // Changes before `next` bring nothing, but those at `next` may build on them.
    const before = readAt(game, current, next - 1)
    const changes = settleAt(game, before, next)
    current = changes.reduce(evolve, before)
    from = next
    tell(brought, from, bringing(changes, current), current)
    tell(brought, from, noticesAt(dueBoosts(game, current), from), current)
    // A reminder may come with the beginning of its period.
    const [time] = noticeTimes(game, current, from - 1, newer)
    if (time !== undefined) tell(brought, from, noticesAt(dueWithin(time), from), time.state)
  }
  if (entry === undefined) return brought
  const rest = settleTo(game, current, until, () => todayAt(current, until, entry))
  const after = rest.reduce(evolve, current)
  tell(brought, until, bringing(rest, after), after)
  return brought
}

function tell(brought: TimeChange[], at: Instant, changes: readonly (Change | Notice)[], state: UserState): void {
  for (const change of changes) brought.push({ at, change, state })
}

/** The next instant at which time brings something to a user whose state at `from` is this one. */
function nextAfter(game: Game, state: UserState, from: Instant, newer: readonly GameFrom[]): Instant | null {
  if (state.mergedInto !== null) return null
  let next = Math.min(nextOfStreaks(game, state), nextOfTimers(game, state))
  for (const { at } of dueBoosts(game, state)) if (at > from) next = Math.min(next, at)
  for (const time of noticeTimes(game, state, from, newer)) {
    // The state changes at `next`, so notices of a later time are not known yet.
    if (time.from >= next) break
    for (const { at } of dueWithin(time)) next = Math.min(next, at)
  }
  if (next === Number.POSITIVE_INFINITY) return null
  // A runtime that contradicts itself about a zone must not cause an endless loop.
  return next > from ? next : from + MINUTE
}

/** Reminders and emails of a time: the next of each kind at least. */
function dueWithin({ game, state, from, until }: NoticeTime): readonly DueNotice[] {
  const notices = [...dueReminders(game, state), ...dueEmails(game, state, from)]
  return notices.filter(({ at }) => at > from && at <= until)
}

function noticesAt(due: readonly DueNotice[], at: Instant): readonly Notice[] {
  return due.filter((each) => each.at === at).map(({ notice }) => notice)
}

function readAt(game: Game, state: UserState, at: Instant): UserState {
  return settleAt(game, state, at).reduce(evolve, state)
}

/**
 * Settles by the dates that are over for good (`openDate`), as the instants of this file are ends of dates
 * (`endOfDate`).
 */
function settleAt(game: Game, state: UserState, at: Instant): readonly Change[] {
  return settleTo(game, state, at, () => openDate(zoneOf(state.profile), at))
}

/** The changes of `settle` that bring the user something. The state is the one they led to. */
function bringing(changes: readonly Change[], { preferences }: UserState): readonly Change[] {
  return changes.filter((change) => {
    switch (change.type) {
      case 'streakPaused':
      case 'pointsClipped':
        return false
      case 'freezesEarned':
        return change.count > 0 && hasStreak(preferences)
      case 'timersChanged':
        return changes.some(({ type }) => type === 'pointsAwarded')
      default:
        return true
    }
  })
}
