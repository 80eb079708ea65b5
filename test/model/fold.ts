// One user's calls, run in order from nothing.
import { changed } from './boosts.ts'
import { complete, isAskedFor, reachedBy, timesOf, toTexts, useKey } from './completions.ts'
import { localDate } from './dates.ts'
import type { FullTrigger } from './full-game.ts'
import type { Game } from './game.ts'
import { modeOf, nameOfTrigger, ruleOf } from './game.ts'
import type { Fact } from './messages.ts'
import { emailsDue, levelsOf, noteActivity, noteLevels } from './messages.ts'
import { add, newThresholds } from './numbers.ts'
import type { Before } from './pay.ts'
import { outOfPoints, pay, pointsChange } from './pay.ts'
import type { Answer, Entry, Personal, State } from './state.ts'
import { countOf, dayOf, emptyState, isOff, matches, visibleProfile, zoneOf } from './state.ts'
import type { Step } from './streaks.ts'
import {
  moveStreaks,
  noStreak,
  readStreaks,
  settleStreaks,
  startStreaks,
  stepByGoal,
  stepStreaks,
  turnStreaks,
} from './streaks.ts'
import { moveTimers, settleTime, startTimers } from './time.ts'
import type { Call, OperationCall, Patch } from './types.ts'
import type { Rule } from './walk/life.ts'

export const LIMIT = 1e15

/**
 * Runs the entries (any order) and gives the state at the end. `judged` is the one entry that may still be refused:
 * null when it is. All the others were accepted and stay so. `all`: they were accepted one by one, but not together, so
 * null when a total leaves its bounds. `games`: by epoch.
 */
export function fold(
  games: Game[],
  entries: Entry[],
  judged: Entry | 'all' | null,
): { state: State; answer: Answer } | null {
  const [first] = games
  if (first === undefined) return null
  const inOrder = [...entries].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)
  const state = emptyState(first)
  let answer: Answer = { achievements: [], points: {} }
  for (const entry of inOrder) {
    const said = run(games, state, entry, entry === judged)
    if (said === null) return null
    // The judged event may push a later total over the limit: that refuses it too.
    if (judged !== null && [...state.totals.values()].some((total) => Math.abs(total) > LIMIT)) return null
    if (entry === judged) answer = said
  }
  return { state, answer }
}

function run(games: Game[], state: State, entry: Entry, mayRefuse: boolean): Answer | null {
  const { act, instant } = entry
  const before = { points: new Map(state.points), awards: state.awards.length, capped: state.capped.length }
  if (isSilent(state, entry)) {
    if (act.call === 'suspend') state.suspended = { since: instant, reason: act.reason ?? null }
    if (act.call === 'restore') state.suspended = null
    return { achievements: [], points: {} }
  }
  pass(state, instant)
  const game = games[entry.epoch]
  if (game !== undefined && entry.epoch > state.epoch) adopt(state, game, entry.epoch, instant)
  const levels = levelsOf(state)
  const answer = enter(state, entry, before, games.at(-1) ?? state.game, mayRefuse)
  noteLevels(state, instant, levels)
  return answer
}

/** Returns `null` if it is refused. */
function enter(state: State, entry: Entry, before: Before, newest: Game, mayRefuse: boolean): Answer | null {
  const { act, instant } = entry
  const answer: Answer = { achievements: [], points: {} }
  if (act.call === 'keep') {
    const missing = Math.max(0, act.count - countOf(state, act.achievement))
    const completed = complete(state, instant, Array<string>(missing).fill(act.achievement))
    pay(state, instant, timesOf(completed))
    return answer
  }
  if (act.call === 'giveBoost' || act.call === 'changeBoost' || act.call === 'deleteBoost') {
    runBoost(state, entry, act)
    return answer
  }

  const profileBefore = visibleProfile(state)
  const fits = applyProfile(state, instant, 'profile' in act ? (act.profile ?? {}) : {})
  if (!fits && mayRefuse) return null
  // Points by time are dated like the entry that stores them.
  for (const award of state.awards.slice(before.awards)) award.day = dayOf(state, instant)

  if (act.call === 'preferences') prefer(state, act, instant)
  if ('own' in act && act.own === true) noteActivity(state, instant)

  if (act.call === 'complete' && isAskedFor(state, act)) {
    const filters = state.game.achievements.get(act.achievement)?.userAttributes
    if (mayRefuse && !matches(filters, state.attributes)) return null
    useKey(state, act)
    noteActivity(state, instant)
    const completed = complete(state, instant, [act.achievement])
    answer.achievements = toTexts(state, completed)
    pay(state, instant, timesOf(completed))
  }

  const doesNotCount = act.call !== 'event' || entry.mode !== undefined
  if (act.call === 'event' && doesNotCount) {
    answer.total = state.totals.get(act.metric) ?? 0
    tellStreaks(state, answer, instant, new Map())
  }
  if (act.call === 'event' && !doesNotCount && !count(state, entry, act, answer, mayRefuse)) return null

  if (doesNotCount && visibleProfile(state) !== profileBefore) {
    const waiting = complete(state, instant, [])
    answer.achievements.push(...toTexts(state, waiting))
    pay(state, instant, timesOf(waiting))
  }

  // Completing again answers no points, even if time has paid some.
  const isAgain = act.call === 'complete' && answer.achievements.length === 0
  if (!isAgain) answer.points = pointsChange(state, before, newest)
  return answer
}

/** Entries by others about an event or a user, and a voided event, are no actions: not even time passes with them. */
function isSilent(state: State, { act, mode }: Entry): boolean {
  if (act.call === 'approve' || act.call === 'void' || act.call === 'suspend' || act.call === 'restore') return true
  if (!state.known || act.call !== 'event' || mode !== 'void') return false
  const { attributes, ...rest } = act.profile ?? {}
  return Object.keys({ ...rest, ...attributes }).length === 0
}

/** The effects of time alone, by the rules that applied to the user until now. */
function pass(state: State, instant: number): void {
  state.emails.push(...emailsDue(state, instant))
  settleTime(state, instant)
  state.facts.push(...settleStreaks(state.streaks, instant))
  state.newest = instant
}

/** From here on the user has another game: what is new in it begins here. */
function adopt(state: State, game: Game, epoch: number, instant: number): void {
  state.game = game
  state.epoch = epoch
  const limits = new Map<string, { per: string; since: number }>()
  const limit = (name: string, per: string): void => {
    const old = state.limits.get(name)
    limits.set(name, old?.per === per ? old : { per, since: state.awards.length })
  }
  for (const [key, system] of game.systems) {
    if (system.cap !== undefined) limit(`system ${key}`, system.cap.per)
    for (const [index, trigger] of (system.triggers ?? []).entries()) {
      const name = nameOfTrigger(key, trigger, index)
      if (trigger.cap !== undefined) limit(`cap ${name}`, trigger.cap.per)
      if (trigger.cooldown !== undefined) limit(`cooldown ${name}`, '')
      if (trigger.type !== 'metric' || state.triggerTotals.has(name)) continue
      const isFiltered = Object.keys({ ...trigger.eventAttributes, ...trigger.userAttributes }).length > 0
      const { metric } = trigger
      if (isFiltered) state.triggerTotals.set(name, { total: 0, mark: 0 })
      else {
        const total = state.totals.get(metric) ?? 0
        state.triggerTotals.set(name, { total, mark: state.highest.get(metric) ?? 0 })
      }
    }
  }
  state.limits = limits
  for (const [key, achievement] of game.achievements) {
    if (achievement.trigger !== 'metric' || state.achievementTotals.has(key)) continue
    const isFiltered = Object.keys(achievement.eventAttributes ?? {}).length > 0
    const { metric } = achievement
    const all = { total: state.totals.get(metric) ?? 0, highest: state.highest.get(metric) ?? 0 }
    state.achievementTotals.set(key, isFiltered ? { total: 0, highest: 0 } : all)
  }
  // A user who is created by this entry begins once the zone is known.
  if (state.known) begin(state, instant)
}

function begin(state: State, instant: number): void {
  state.streaks = startStreaks(state.streaks, state.game, zoneOf(state), instant, !isOff(state))
  startTimers(state, instant)
}

type BoostCall = Extract<OperationCall, { boost: string }>

function runBoost(state: State, { instant, order = 0 }: Entry, act: BoostCall): void {
  if (act.call === 'giveBoost') {
    const { boost: id, system, fields } = act
    state.boosts = [...state.boosts, { ...fields, id, system, created: instant, order }]
    return
  }
  state.boosts = state.boosts.flatMap((boost) => {
    if (boost.id !== act.boost) return [boost]
    return act.call === 'deleteBoost' ? [] : [changed(boost, act.fields) ?? boost]
  })
}

/** An event that counts. Returns false if it is refused. */
function count(
  state: State,
  { instant, arrival }: Entry,
  act: Extract<Call, { call: 'event' }>,
  answer: Answer,
  mayRefuse: boolean,
): boolean {
  const { metric } = act
  const attributes = new Map(Object.entries(act.attributes ?? {}))
  const value = act.value + 0
  const total = add(state.totals.get(metric) ?? 0, value)
  state.totals.set(metric, total)
  state.highest.set(metric, Math.max(state.highest.get(metric) ?? 0, total))
  state.events.push({ metric, value, date: dayOf(state, instant), arrival, instant })
  noteActivity(state, instant)

  const personal = personalRule(state)
  const steps = isOff(state) ? new Map<string, Step>() : stepStreaks(state.streaks, personal, instant, metric, value)
  for (const [key, { lengthened }] of steps) {
    if (lengthened !== null) state.facts.push(factOf(key, instant, lengthened))
  }
  const completed = complete(state, instant, reachedBy(state, { metric, value }, attributes, steps))
  answer.achievements = toTexts(state, completed)

  const crossings = new Map<FullTrigger, number>()
  for (const [key, system] of state.game.systems) {
    for (const [index, trigger] of (system.triggers ?? []).entries()) {
      if (trigger.type !== 'metric' || trigger.metric !== metric) continue
      if (!matches(trigger.eventAttributes, attributes)) continue
      if (!matches(trigger.userAttributes, state.attributes)) continue
      const name = nameOfTrigger(key, trigger, index)
      const old = state.triggerTotals.get(name) ?? { total: 0, mark: 0 }
      const running = add(old.total, value)
      const mark = Math.max(old.mark, running)
      state.triggerTotals.set(name, { total: running, mark })
      crossings.set(trigger, newThresholds(old.mark, mark, trigger.threshold))
    }
  }
  const times = (trigger: FullTrigger): number => {
    if (trigger.type === 'metric') return crossings.get(trigger) ?? 0
    if (trigger.type !== 'streak') return timesOf(completed)(trigger)
    const lengthened = steps.get(trigger.streak ?? '')?.lengthened ?? null
    return lengthened !== null && lengthened % trigger.length === 0 ? 1 : 0
  }
  if (mayRefuse && outOfPoints(state, instant, times)) return false
  pay(state, instant, times)

  answer.total = total
  tellStreaks(state, answer, instant, steps)
  return true
}

function tellStreaks(state: State, answer: Answer, instant: number, steps: Map<string, Step>): void {
  const now = readStreaks(state.streaks, instant)
  const all = [...state.game.streaks.keys()].map((key) => {
    const { freezes: _, reachedAt: __, ...dates } = now.get(key) ?? { ...noStreak, reachedAt: 0 }
    return [key, { ...dates, extended: steps.get(key)?.extended ?? false }] as const
  })
  answer.streak = all.find(([key]) => key === '')?.[1] ?? { ...noStreak, extended: false }
  if (state.game.hasNamed) answer.streaks = Object.fromEntries(all.filter(([key]) => key !== ''))
}

function prefer(state: State, act: Extract<Call, { call: 'preferences' }>, instant: number): void {
  for (const [type, channels] of Object.entries(act.notifications ?? {})) {
    state.notifications.set(type, [...new Set(channels)])
  }
  const { enabled, evaluationMode, metrics } = act.streak ?? {}
  const named: Personal = {}
  if (enabled !== undefined) named.enabled = enabled
  if (evaluationMode !== undefined) named.mode = modeOf(evaluationMode)
  if (metrics !== undefined) named.metrics = metrics
  if (Object.keys(named).length > 0) state.personal = { ...state.personal, ...named }
  // It is 0 from then on, and begins at 0 when it is switched on again.
  if (enabled !== undefined) turnStreaks(state.streaks, enabled)
  if ((metrics ?? evaluationMode) !== undefined) countByGoal(state, instant)
}

/** A period that is complete under another goal of the user counts at once, and is paid. */
function countByGoal(state: State, instant: number): void {
  if (isOff(state) || !state.game.customization) return
  const steps = stepByGoal(state.streaks, personalRule(state), instant)
  const { lengthened = null } = steps.get('') ?? {}
  if (lengthened === null) return
  state.facts.push(factOf('', instant, lengthened))
  const completed = complete(state, instant, reachedBy(state, { metric: '', value: 0 }, new Map(), steps))
  const times = timesOf(completed)
  pay(state, instant, (trigger) => {
    if (trigger.type !== 'streak') return times(trigger)
    return (trigger.streak ?? '') === '' && lengthened % trigger.length === 0 ? 1 : 0
  })
}

function factOf(key: string, at: number, length: number): Fact {
  return { type: length === 1 ? 'streak.started' : 'streak.extended', at, data: { key, length } }
}

/** False when it asks for what cannot be: a subscription without an email address. */
function applyProfile(state: State, instant: number, patch: Patch): boolean {
  const isNew = !state.known
  const oldZone = zoneOf(state)
  const before = visibleProfile(state)
  if (patch.email !== undefined) state.email = patch.email
  if (patch.name !== undefined) state.name = patch.name
  if (patch.tz !== undefined) state.tz = patch.tz
  if (patch.subscribedToEmails !== undefined) state.subscription = patch.subscribedToEmails
  if (patch.deviceTokens !== undefined) state.deviceTokens = patch.deviceTokens
  for (const [key, value] of Object.entries(patch.attributes ?? {})) state.attributes.set(key, value)
  if (isNew || visibleProfile(state) !== before) state.updated = instant
  if (isNew) {
    state.known = true
    state.created = instant
    state.facts.push({ type: 'user.created', at: instant, data: {} })
    state.createdOn = dayOf(state, instant)
    begin(state, instant)
    pay(state, instant, (trigger) => (trigger.type === 'user_creation' ? 1 : 0))
  } else if (zoneOf(state) !== oldZone) {
    moveTimers(state, localDate(oldZone, instant), dayOf(state, instant))
    moveStreaks(state.streaks, zoneOf(state), instant)
  }
  return !(patch.subscribedToEmails === true && state.email === null)
}

/** Metrics of the user's own without a mode: any of them. */
function personalRule({ personal, game }: State): Rule | null {
  if (personal?.metrics !== undefined) return ruleOf(personal.mode ?? 'OR', personal.metrics)
  const rule = game.streaks.get('')?.game.rule
  return rule === undefined || personal?.mode === undefined ? null : { ...rule, mode: personal.mode }
}
