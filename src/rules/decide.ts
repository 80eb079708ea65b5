import { completeByEvent, completeByKey, completeComposite } from './achievement.ts'
import { localDate } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry, EventRecorded, PreferencesChanged } from './entry.ts'
import { evolve } from './evolve.ts'
import { addFreezes, beginFreezes } from './freeze.ts'
import { type Game, hasOwnTally, type MetricAchievement, type MetricTrigger, matches } from './game.ts'
import { scoreLeaderboards } from './leaderboard.ts'
import { addPause, removePause } from './pause.ts'
import { awardPoints, grantPoints, type Occasion } from './points.ts'
import { patchProfile, zoneOf } from './profile.ts'
import { settle } from './settle.ts'
import type { UserState } from './state.ts'
import { extendStreak, moveStreak, restoreStreak, sumPeriod } from './streak.ts'
import { addTo } from './total.ts'

export interface Step {
  readonly state: UserState
  readonly changes: readonly Change[]
}

/** Collects changes and the state they lead to. */
interface Course {
  state: UserState
  readonly changes: Change[]
}

const NOTHING: Occasion = { isNewUser: false, metric: null, completed: new Set(), streakLength: null }

/**
 * What follows from an entry. It cannot refuse: that is asked once, at the door (`refuse`). The entry is dated in the
 * zone that is in force after its own profile (`place`), and `state` is one that has adopted `game`.
 */
export function decide(game: Game, state: UserState, entry: Entry): readonly Change[] {
  return advance(game, state, entry).changes
}

/** `decide`, with the state after it. */
export function advance(game: Game, state: UserState, entry: Entry): Step {
  const course: Course = { state, changes: [] }
  apply(course, settle(game, state, entry.at, entry))
  applyProfile(game, course, entry)
  applyBody(game, course, entry)
  // A composite may have waited for an attribute.
  if (course.state.profile !== state.profile) applyCompletions(game, course, course.state, NOTHING, entry)
  apply(course, scoreLeaderboards(game, state, course.state, course.changes, entry))
  apply(course, [{ type: 'entryAppended', seq: entry.seq, at: entry.at }])
  return course
}

function apply(course: Course, changes: readonly Change[]): void {
  for (const change of changes) {
    course.changes.push(change)
    course.state = evolve(course.state, change)
  }
}

function applyProfile(game: Game, course: Course, entry: Entry): void {
  const before = course.state
  const isNewUser = before.seq === 0
  if (isNewUser) apply(course, [{ type: 'userCreated', at: entry.at }])

  const profile = patchProfile(before.profile, entry.profile)
  if (profile !== before.profile) {
    apply(course, [{ type: 'profileChanged', at: entry.at, profile }])
    const oldZone = zoneOf(before.profile)
    if (zoneOf(profile) !== oldZone) {
      apply(course, moveStreak(game, course.state, oldZone, localDate(oldZone, entry.at), entry.dating.date))
    }
  }
  const freezes = game.streak?.freezes ?? null
  if (isNewUser && freezes !== null) {
    const begun = beginFreezes(freezes, entry.dating.date)
    apply(course, [{ type: 'freezesGranted', count: begun.count, freezes: begun }])
  }
  if (isNewUser) apply(course, awardPoints(game, before, course.state, { ...NOTHING, isNewUser }, entry))
}

function applyBody(game: Game, course: Course, entry: Entry): void {
  switch (entry.kind) {
    case 'userUpserted':
    case 'eventVoided':
      break
    case 'eventRecorded':
      if (entry.voidedBy === undefined) applyEvent(game, course, entry)
      break
    case 'achievementClaimed':
    case 'completionKept': {
      // Claimed under a game that has been replaced by one without it.
      if (entry.kind === 'achievementClaimed' && !game.achievements.has(entry.achievement)) break
      const before = course.state
      apply(course, completeByKey(before, entry.achievement, entry))
      applyCompletions(game, course, before, NOTHING, entry)
      break
    }
    case 'preferencesChanged':
      apply(course, [changePreferences(course.state, entry)])
      break
    case 'freezesGranted':
      apply(course, grantFreezes(game, course.state, entry.count))
      break
    case 'pauseCreated': {
      const pause = { id: entry.id, start: entry.start, end: entry.end }
      apply(course, [{ type: 'pausesChanged', pauses: addPause(course.state.pauses, pause, entry.dating.date) }])
      break
    }
    case 'pauseDeleted':
      apply(course, [
        { type: 'pausesChanged', pauses: removePause(course.state.pauses, entry.pause, entry.dating.date) },
      ])
      break
    case 'streakRestored':
      apply(course, restoreStreak(game, course.state, entry.dating.date))
      break
    case 'granted':
      for (const key of entry.achievements) apply(course, completeByKey(course.state, key, entry))
      apply(course, grantPoints(game, course.state, entry.points, entry))
      break
    default:
      entry satisfies never
  }
}

function grantFreezes(game: Game, { freezes }: UserState, count: number): readonly Change[] {
  const rule = game.streak?.freezes ?? null
  if (rule === null || freezes === null) return []
  const granted = addFreezes(rule, freezes, count)
  return [{ type: 'freezesGranted', count: granted.count - freezes.count, freezes: granted }]
}

function changePreferences(state: UserState, entry: PreferencesChanged): Change {
  const notifications = new Map([...state.preferences.notifications, ...entry.notifications])
  const streak = entry.streak ?? state.preferences.streak
  return { type: 'preferencesChanged', preferences: { notifications, streak } }
}

function applyEvent(game: Game, course: Course, entry: Entry & EventRecorded): void {
  const before = course.state
  const { metric, value } = entry
  const { total, highest } = addTo(before.totals.get(metric), value)
  apply(course, [{ type: 'metricChanged', metric, value, total, highest }])
  for (const rule of game.byMetric.get(metric)?.tallied ?? []) {
    if (!isCounted(rule, before, entry)) continue
    const tally = addTo(before.tallies.get(rule.id), value)
    apply(course, [{ type: 'tallyChanged', rule: rule.id, total: tally.total, highest: tally.highest }])
  }
  apply(course, sumPeriod(game, course.state, entry.dating.date, metric, value))
  const streak = extendStreak(game, course.state, entry.dating.date, entry.at)
  apply(course, streak)
  apply(course, completeByEvent(game, course.state, metric, entry))
  const grown = streak.find(({ type }) => type === 'streakStarted' || type === 'streakExtended')
  const streakLength = grown === undefined ? null : course.state.streak.length
  applyCompletions(game, course, before, { ...NOTHING, metric, streakLength }, entry)
}

/** Whether an event counts in a tally. User attributes filter what triggers count, but only who completes achievements. */
function isCounted(rule: MetricAchievement | MetricTrigger, state: UserState, event: EventRecorded): boolean {
  if (!hasOwnTally(rule) || !matches(rule.eventAttributes, event.attributes)) return false
  return 'trigger' in rule || matches(rule.userAttributes, state.profile.attributes)
}

/**
 * Composites that are complete now, then the points for everything the entry did. Composites are looked at though nothing
 * else was completed: one may be newer than its parts.
 */
function applyCompletions(game: Game, course: Course, before: UserState, occasion: Occasion, entry: Entry): void {
  let composite = completeComposite(game, course.state, entry)
  while (composite !== null) {
    apply(course, [composite])
    composite = completeComposite(game, course.state, entry)
  }
  if (course.state.completions === before.completions) {
    apply(course, awardPoints(game, before, course.state, occasion, entry))
    return
  }
  const completed = new Set([...course.state.completions.keys()].filter((key) => !before.completions.has(key)))
  apply(course, awardPoints(game, before, course.state, { ...occasion, completed }, entry))
}
