// One user's entries, run in order from nothing. Whatever an entry needs is worked out again from all entries before it.

import { localDate } from '../dates.ts'
import { newThresholds } from '../numbers.ts'
import { latch } from './criteria.ts'
import { type Step, type Walked, walkStreak } from './streaks.ts'
import { type Happened, highestIn, isReached, matches, timesIn, totalIn } from './totals.ts'
import type { Call, Condition, Filters, Game, Streak, System, Trigger, Weekday } from './types.ts'

export type Act =
  | Extract<Call, { call: 'event' }>
  | { call: 'profile'; tz?: string; attributes?: Filters; signUpDate?: string }
  | { call: 'choose'; on: Weekday[] }
  | { call: 'complete'; achievement: string }
  | Extract<Call, { call: 'adjust' }>
  | { call: 'award' | 'revoke'; achievement: string } // by support
  | { call: 'reset'; streak?: string } // by support
  | { call: 'keep'; achievement: string } // what a replay would have taken
  | {
      call: 'grant'
      achievements: { [key: string]: number }
      points: { [system: string]: number }
    } // what a newer game gave
  | { call: 'note' } // that something was decided about another entry

export interface Entry {
  at: number
  arrival: number
  epoch: number
  act: Act
  isVoid?: true
}

/** An event, or a change of the profile, and whom it made of the user. */
interface Moment {
  at: number
  date: string
  attributes: Filters
}

export interface State {
  game: Game
  tz: string
  attributes: Filters
  signUpDate: string | null
  isKnown: boolean
  events: Happened[]
  moments: Moment[]
  steps: Step[]
  createdAt: number
  /** Achievements that support took away: only support can give them again. */
  revoked: Set<string>
  /** The names of criteria. */
  satisfied: Set<string>
  completions: Map<string, number[]>
  points: Map<string, number>
  newest: number
}

export interface Folded {
  state: State
  /** The achievements that the last entry completed, such as `key 2`. */
  completed: string[]
}

/** `games`: by epoch. */
export function fold(games: readonly Game[], entries: readonly Entry[]): Folded {
  const state: State = {
    game: games[0] as Game,
    tz: 'UTC',
    attributes: {},
    signUpDate: null,
    isKnown: false,
    events: [],
    moments: [],
    steps: [],
    createdAt: 0,
    revoked: new Set(),
    satisfied: new Set(),
    completions: new Map(),
    points: new Map(),
    newest: Number.NEGATIVE_INFINITY,
  }
  let completed: string[] = []
  for (const entry of inOrder(entries)) {
    state.newest = entry.at
    // A void or an approval is no action of the user, so it adopts no newer game. A void event does not either.
    const isSilent = entry.act.call === 'note' || (entry.isVoid === true && state.isKnown)
    if (!isSilent) {
      state.game = games[entry.epoch] ?? state.game
      state.steps.push(stepOf(state, entry))
    }
    completed = enter(state, entry)
  }
  return { state, completed }
}

export function inOrder(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => a.at - b.at || a.arrival - b.arrival)
}

function stepOf({ tz, game }: State, { at, act }: Entry): Step {
  if (act.call === 'profile') return { at, tz: act.tz ?? tz, game }
  if (act.call === 'reset') return { at, tz, game, reset: act.streak ?? '' }
  return { at, tz, game, ...(act.call === 'choose' ? { chosen: act.on } : {}) }
}

function enter(state: State, { at, act, isVoid }: Entry): string[] {
  switch (act.call) {
    case 'event': {
      create(state, at)
      if (isVoid === true) return []
      const { metric, attributes = {} } = act
      const value = countedValue(state, act)
      const date = localDate(state.tz, at)
      const before = state.events
      const event = { at, date, metric, value, attributes }
      state.events = [...before, event]
      Object.assign(state.steps.at(-1) ?? {}, { event })
      state.moments.push({ at, date, attributes: state.attributes })
      return settle(state, at, reachedBy(state, metric), before)
    }
    case 'profile': {
      const { tz = state.tz, attributes, signUpDate = state.signUpDate } = act
      state.tz = tz
      state.signUpDate = signUpDate
      create(state, at)
      state.attributes = { ...state.attributes, ...attributes }
      state.moments.push({ at, date: localDate(tz, at), attributes: state.attributes })
      return settle(state, at, [], state.events)
    }
    case 'choose':
    case 'reset':
      return settle(state, at, [], state.events)
    case 'adjust':
      give(state, act.system, act.points)
      return settle(state, at, [], state.events)
    case 'award': {
      const { achievement } = act
      return settle(state, at, mayAward(state, achievement) ? [achievement] : [], state.events)
    }
    case 'revoke':
      state.completions.delete(act.achievement)
      state.revoked.add(act.achievement)
      return settle(state, at, [], state.events)
    case 'complete':
    case 'keep': {
      create(state, at)
      const isNew = act.call === 'keep' ? countOf(state, act.achievement) === 0 : !isHeld(state, act.achievement, at)
      return settle(state, at, isNew ? [act.achievement] : [], state.events)
    }
    case 'grant':
      for (const [key, count] of Object.entries(act.achievements)) {
        const missing = Array<number>(Math.max(0, count - countOf(state, key))).fill(at)
        state.completions.set(key, [...(state.completions.get(key) ?? []), ...missing])
      }
      for (const [key, added] of Object.entries(act.points)) give(state, key, added)
      return settle(state, at, [], state.events)
    case 'note':
      return []
  }
}

function countedValue(
  { game, events }: State,
  { metric, value, attributes = {} }: Extract<Act, { call: 'event' }>,
): number {
  const { of } = game.metrics[metric] ?? {}
  if (of === undefined) return value
  return events.some((event) => event.metric === metric && event.attributes[of] === attributes[of]) ? 0 : 1
}

function create(state: State, at: number): void {
  if (!state.isKnown) state.createdAt = at
  state.isKnown = true
}

/** The last date on which it can be completed, and how long a completion is valid. */
function termsOf({ achievements }: Game, key: string): { until?: string; validFor?: { days: number } } {
  const achievement = achievements[key]
  return achievement === undefined || 'tiers' in achievement ? {} : achievement
}

export function isOver({ game, tz }: State, key: string, at: number): boolean {
  const { until } = termsOf(game, key)
  return until !== undefined && localDate(tz, at) > until
}

/** When the newest completion expires, or `null` if never. */
export function expiryOf({ game, completions }: State, key: string): number | null {
  const { validFor } = termsOf(game, key)
  const newest = completions.get(key)?.at(-1)
  return validFor === undefined || newest === undefined ? null : newest + validFor.days * 86_400_000
}

/** True if the user has it, and it has not expired. */
export function isHeld(state: State, key: string, at: number): boolean {
  const expiry = expiryOf(state, key)
  return countOf(state, key) > 0 && (expiry === null || at < expiry)
}

export const countOf = (state: State, key: string): number => state.completions.get(key)?.length ?? 0

/** The achievements of a game, with each tier by its own key. */
export function conditionsOf({ achievements }: Game): Map<string, Condition> {
  return new Map(
    Object.entries(achievements).flatMap(([key, each]): [string, Condition][] => {
      if (!('tiers' in each)) return [[key, each]]
      const { tiers, trigger, metric } = each
      return Object.entries(tiers).map(([tier, { value }]) => [`${key}.${tier}`, { trigger, metric, value }])
    }),
  )
}

export function mostOf(condition: Condition): number {
  if (condition.trigger !== 'metric' || condition.repeat === undefined) return 1
  return condition.repeat === true ? Number.POSITIVE_INFINITY : condition.repeat.max
}

/** True if support can complete it, or complete it again if it repeats. */
export function mayAward(state: State, key: string): boolean {
  const condition = conditionsOf(state.game).get(key)
  if (condition === undefined) return false
  return mostOf(condition) === 1 ? !isHeld(state, key, state.newest) : countOf(state, key) < mostOf(condition)
}

export function streakOf({ game, steps }: State, key: string | undefined, at: number): Walked {
  const streakIn = (each: Game): Streak | undefined => streaksOf(each).get(key ?? '')
  return streakIn(game) === undefined ? { length: 0, expires: null } : walkStreak(streakIn, steps, at, key)
}

/** The game's `streak` is ''. */
export function streaksOf({ streak, streaks }: Game): Map<string, Streak> {
  return new Map([['', streak], ...Object.entries(streaks ?? {})])
}

/** The achievements that an event completes, each with its number of completions. */
function reachedBy(state: State, metric: string): string[] {
  const { game, events, newest } = state
  const reached: string[] = []
  for (const [key, condition] of conditionsOf(game)) {
    let times = 0
    if (condition.trigger === 'metric' && condition.metric === metric) {
      const isRepeated = condition.repeat !== undefined
      if (isRepeated) times = Math.min(mostOf(condition), timesIn(game, events, condition))
      else times = isReached(game, events, condition) ? 1 : 0
    }
    if (condition.trigger === 'streak')
      times = streakOf(state, condition.streak, newest).length >= condition.length ? 1 : 0
    if (state.revoked.has(key) || isOver(state, key, newest)) continue
    if (mostOf(condition) === 1) {
      if (times > 0 && !isHeld(state, key, newest)) reached.push(key)
      continue
    }
    for (let left = times - countOf(state, key); left > 0; left -= 1) reached.push(key)
  }
  return reached
}

/** Completes these, and what follows from them and from their points; returns all of them. */
function settle(state: State, at: number, keys: readonly string[], before: readonly Happened[]): string[] {
  const completed = completeAll(state, at, keys)
  pay(state, (trigger) => timesOf(state, trigger, completed, before))
  for (;;) {
    const more = completeAll(state, at, [])
    if (more.length === 0) break
    pay(state, (trigger) => timesOf(state, trigger, more, state.events))
    completed.push(...more)
  }
  return completed.map((key, index) => nameOf(state, key, completed.slice(index + 1)))
}

/** Completes these, and every achievement that has all its parts or enough of its criteria then. */
function completeAll(state: State, at: number, keys: readonly string[]): string[] {
  const completed: string[] = []
  let next = keys
  do {
    for (const key of next) {
      state.completions.set(key, [...(state.completions.get(key) ?? []), at])
      completed.push(key)
    }
    next = [...conditionsOf(state.game)].flatMap(([key, condition]) => {
      const follows = follow(state, key, condition, at)
      return follows && countOf(state, key) === 0 && !state.revoked.has(key) && !isOver(state, key, at) ? [key] : []
    })
  } while (next.length > 0)
  return completed
}

function follow(state: State, key: string, condition: Condition, at: number): boolean {
  if (condition.trigger === 'criteria') return latch(state, key, condition, at)
  return condition.trigger === 'achievement' && condition.achievements.every((part) => countOf(state, part) > 0)
}

function pay(state: State, timesOf: (trigger: Trigger) => number): void {
  for (const [key, system] of Object.entries(state.game.points)) {
    for (const trigger of system.triggers) {
      const times = timesOf(trigger)
      if (times > 0) give(state, key, times * trigger.points, system)
    }
  }
}

/** `later`: what was completed after it. */
function nameOf(state: State, key: string, later: readonly string[]): string {
  const condition = conditionsOf(state.game).get(key)
  if (condition?.trigger !== 'metric' || condition.repeat === undefined) return key
  return `${key} ${countOf(state, key) - later.filter((each) => each === key).length}`
}

function timesOf({ game, events }: State, trigger: Trigger, completed: readonly string[], before: readonly Happened[]) {
  if (trigger.type === 'achievement') return completed.filter((key) => key === trigger.achievement).length
  const event = events.at(-1)
  if (events === before || event?.metric !== trigger.metric) return 0
  if (!matches(trigger.eventAttributes, event.attributes)) return 0
  return newThresholds(highestIn(game, before, trigger), highestIn(game, events, trigger), trigger.threshold)
}

function give(state: State, key: string, added: number, system: System | undefined = state.game.points[key]): void {
  const total = (state.points.get(key) ?? 0) + added
  state.points.set(key, Math.min(system?.maxPoints ?? Number.MAX_SAFE_INTEGER, Math.max(0, total)))
}

export function levelOf(system: System, total: number): string | null {
  const levels = Object.entries(system.levels ?? {}).sort(([, a], [, b]) => a.points - b.points)
  return levels.filter(([, { points }]) => points <= total).at(-1)?.[0] ?? null
}

export function totalsOf({ game, events }: State): { [metric: string]: number } {
  return Object.fromEntries(Object.keys(game.metrics).map((metric) => [metric, totalIn(game, events, { metric }) ?? 0]))
}
