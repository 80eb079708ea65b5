// One user's calls, run in order from nothing.
import type { Calendar } from './dates.ts'
import { localDate } from './dates.ts'
import { add, newThresholds } from './numbers.ts'
import type { Rule, StreakState } from './streak.ts'
import { changeZone, emptyStreak, noStreak, readStreak, streakEvent } from './streak.ts'
import type {
  AchievementDefinition,
  Call,
  Filters,
  GameDefinition,
  LimitDefinition,
  Patch,
  PointsChange,
  Streak,
  Suspension,
  SystemDefinition,
  TriggerDefinition,
} from './types.ts'

export const LIMIT = 1e15

/** The game with maps instead of records, so that `constructor` is an ordinary name. */
export interface Game {
  metrics: Map<string, { status?: 'active' | 'archived'; limits?: LimitDefinition[] }>
  eventAttributes: Set<string>
  userAttributes: Set<string>
  achievements: Map<string, AchievementDefinition>
  systems: Map<string, SystemDefinition>
  calendar: Calendar
  rule: Rule | null // null: the game has no streak
  customization: boolean
}

export function gameOf(definition: GameDefinition): Game {
  const streak = definition.streak
  return {
    metrics: new Map(Object.entries(definition.metrics)),
    eventAttributes: new Set(definition.eventAttributes ?? []),
    userAttributes: new Set(definition.userAttributes ?? []),
    achievements: new Map(Object.entries(definition.achievements ?? {})),
    systems: new Map(Object.entries(definition.points ?? {})),
    calendar: { frequency: streak?.frequency ?? 'daily', weekStartsOn: definition.weekStartsOn ?? 'monday' },
    rule:
      streak === undefined
        ? null
        : {
            mode: modeOf(streak.evaluationMode),
            metrics: Object.entries(streak.metrics).map(([key, metric]) => ({ key, ...metric })),
          },
    customization: streak?.customization === true,
  }
}

export function modeOf(mode: 'OR' | 'AND' | 'ALL' | undefined): 'OR' | 'AND' {
  return mode === 'AND' || mode === 'ALL' ? 'AND' : 'OR'
}

/** An accepted call in its place; or a completion kept that a late event would have taken away. */
export interface Entry {
  instant: number
  arrival: number
  act: Call | { call: 'keep'; achievement: string }
  mode?: 'held' | 'void' // of an event that does not count
  approved?: true // it was held, and counts, or did before it was voided
}

/** What a user wishes of the streak, as far as it was said. */
export interface Personal {
  enabled?: boolean
  mode?: 'OR' | 'AND'
  metrics?: { key: string; threshold?: number }[]
}

export interface State {
  known: boolean // whether the user exists
  created: number
  updated: number
  email: string | null
  name: string | null
  tz: string | null
  subscription: boolean | null // null: never said
  deviceTokens: string[] | null
  attributes: Map<string, string>
  notifications: Map<string, string[]>
  personal: Personal | null // null: never set
  totals: Map<string, number>
  events: { metric: string; value: number; date: string; arrival: number; instant: number }[]
  triggerTotals: Map<TriggerDefinition, { total: number; mark: number }>
  achievementTotals: Map<string, number>
  completions: Map<string, number> // in the order in which they were made
  points: Map<string, number>
  awards: { system: string; trigger: number; awarded: number; total: number; date: number }[]
  streak: StreakState
  suspended: Suspension | null
}

function emptyState(): State {
  return {
    known: false,
    created: 0,
    updated: 0,
    email: null,
    name: null,
    tz: null,
    subscription: null,
    deviceTokens: null,
    attributes: new Map(),
    notifications: new Map(),
    personal: null,
    totals: new Map(),
    events: [],
    triggerTotals: new Map(),
    achievementTotals: new Map(),
    completions: new Map(),
    points: new Map(),
    awards: [],
    streak: emptyStreak(),
    suspended: null,
  }
}

export function zoneOf(state: State): string {
  return state.tz ?? 'UTC'
}

export function subscribed(state: State): boolean {
  return state.email !== null && state.subscription !== false
}

function visibleProfile(state: State): string {
  const attributes = [...state.attributes].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([state.email, state.name, state.tz, subscribed(state), state.deviceTokens, attributes])
}

function matches(filters: Filters | undefined, attributes: Map<string, string>): boolean {
  return Object.entries(filters ?? {}).every(([key, value]) => attributes.get(key) === value)
}

export function levelOf(system: SystemDefinition, total: number): string | null {
  let best: { key: string; points: number } | null = null
  for (const [key, { points }] of Object.entries(system.levels ?? {})) {
    if (points <= total && (best === null || points >= best.points)) best = { key, points }
  }
  return best === null ? null : best.key
}

export interface Answer {
  total?: number
  achievements: string[]
  points: { [system: string]: PointsChange }
  streak?: Streak & { extended: boolean }
}

/**
 * Runs the entries (any order) and gives the state at the end. `judged` is the one entry that may still be refused:
 * null when it is. All the others were accepted and stay so. `all`: they were accepted one by one, but not together, so
 * null when a total leaves its bounds.
 */
export function fold(
  game: Game,
  entries: Entry[],
  judged: Entry | 'all' | null,
): { state: State; answer: Answer } | null {
  const inOrder = [...entries].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)
  const state = emptyState()
  let answer: Answer = { achievements: [], points: {} }
  for (const entry of inOrder) {
    const said = run(game, state, entry, entry === judged)
    if (said === null) return null
    // The judged event may push a later total over the limit: that refuses it too.
    if (judged !== null && [...state.totals.values()].some((total) => Math.abs(total) > LIMIT)) return null
    if (entry === judged) answer = said
  }
  return { state, answer }
}

function run(game: Game, state: State, entry: Entry, mayRefuse: boolean): Answer | null {
  const { act, instant } = entry
  const totalsBefore = new Map(state.points)
  const awardsBefore = state.awards.length
  const answer: Answer = { achievements: [], points: {} }

  if (act.call === 'keep') {
    if (!state.completions.has(act.achievement)) {
      const completed = complete(game, state, instant, [act.achievement])
      pay(game, state, instant, (trigger) => (isOneOf(trigger, completed) ? 1 : 0))
    }
    return answer
  }

  if (act.call === 'approve' || act.call === 'void') return answer

  if (act.call === 'suspend' || act.call === 'restore') {
    state.suspended = act.call === 'restore' ? null : { since: instant, reason: act.reason ?? null }
    return answer
  }

  const profileBefore = visibleProfile(state)
  const fits = applyProfile(game, state, instant, 'profile' in act ? (act.profile ?? {}) : {})
  if (!fits && mayRefuse) return null

  if (act.call === 'preferences') {
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
    if (enabled === false) state.streak = emptyStreak()
  }

  if (act.call === 'complete' && !state.completions.has(act.achievement)) {
    const filters = game.achievements.get(act.achievement)?.userAttributes
    if (mayRefuse && !matches(filters, state.attributes)) return null
    answer.achievements = complete(game, state, instant, [act.achievement])
    pay(game, state, instant, (trigger) => (isOneOf(trigger, answer.achievements) ? 1 : 0))
  }

  const doesNotCount = act.call !== 'event' || entry.mode !== undefined
  if (act.call === 'event' && doesNotCount) {
    answer.total = state.totals.get(act.metric) ?? 0
    const streak =
      game.rule === null || isOff(state) ? noStreak : readStreak(state.streak, game.calendar, zoneOf(state), instant)
    answer.streak = { ...streak, extended: false }
  }

  if (act.call === 'event' && !doesNotCount) {
    const { metric } = act
    const attributes = new Map(Object.entries(act.attributes ?? {}))
    const value = act.value + 0
    const total = add(state.totals.get(metric) ?? 0, value)
    state.totals.set(metric, total)
    state.events.push({ metric, value, date: localDate(zoneOf(state), instant), arrival: entry.arrival, instant })

    const streak = game.rule === null || isOff(state) ? null : streakOf(game, state, game.rule, instant, metric, value)

    const reached: string[] = []
    for (const [key, achievement] of game.achievements) {
      if (achievement.trigger === 'metric' && achievement.metric === metric) {
        if (matches(achievement.eventAttributes, attributes)) {
          state.achievementTotals.set(key, add(state.achievementTotals.get(key) ?? 0, value))
        }
        if ((state.achievementTotals.get(key) ?? 0) >= achievement.value) reached.push(key)
      }
      if (achievement.trigger === 'streak' && streak !== null && streak.now.length >= achievement.length) {
        reached.push(key)
      }
    }
    answer.achievements = complete(
      game,
      state,
      instant,
      reached.filter((key) => mayBeCompleted(game, state, key)),
    )

    const crossings = new Map<TriggerDefinition, number>()
    for (const system of game.systems.values()) {
      for (const trigger of system.triggers ?? []) {
        if (trigger.type !== 'metric' || trigger.metric !== metric) continue
        if (!matches(trigger.eventAttributes, attributes)) continue
        if (!matches(trigger.userAttributes, state.attributes)) continue
        const old = state.triggerTotals.get(trigger) ?? { total: 0, mark: 0 }
        const running = add(old.total, value)
        const mark = Math.max(old.mark, running)
        state.triggerTotals.set(trigger, { total: running, mark })
        crossings.set(trigger, newThresholds(old.mark, mark, trigger.threshold))
      }
    }
    const times = (trigger: TriggerDefinition): number => {
      if (trigger.type === 'metric') return crossings.get(trigger) ?? 0
      if (trigger.type === 'streak') {
        return streak !== null && streak.lengthened !== null && streak.lengthened % trigger.length === 0 ? 1 : 0
      }
      return isOneOf(trigger, answer.achievements) ? 1 : 0
    }
    if (mayRefuse && outOfPoints(game, state, times)) return null
    pay(game, state, instant, times)

    answer.total = total
    answer.streak = streak === null ? { ...noStreak, extended: false } : { ...streak.now, extended: streak.extended }
  }

  if (doesNotCount && visibleProfile(state) !== profileBefore) {
    const waiting = complete(game, state, instant, [])
    answer.achievements.push(...waiting)
    pay(game, state, instant, (trigger) => (isOneOf(trigger, waiting) ? 1 : 0))
  }

  answer.points = pointsChange(game, state, totalsBefore, awardsBefore)
  return answer
}

/** False when it asks for what cannot be: a subscription without an email address. */
function applyProfile(game: Game, state: State, instant: number, patch: Patch): boolean {
  const isNew = !state.known
  const oldZone = zoneOf(state)
  const before = visibleProfile(state)
  if (patch.email !== undefined) state.email = patch.email
  if (patch.name !== undefined) state.name = patch.name
  if (patch.tz !== undefined) state.tz = patch.tz
  if (patch.subscribedToEmails !== undefined) state.subscription = patch.subscribedToEmails
  if (patch.deviceTokens !== undefined) state.deviceTokens = patch.deviceTokens
  for (const [key, value] of Object.entries(patch.attributes ?? {})) state.attributes.set(key, value)
  if (zoneOf(state) !== oldZone) changeZone(state.streak, game.calendar, oldZone, zoneOf(state), instant)
  if (isNew || visibleProfile(state) !== before) state.updated = instant
  if (isNew) {
    state.known = true
    state.created = instant
    pay(game, state, instant, (trigger) => (trigger.type === 'user_creation' ? 1 : 0))
  }
  return !(patch.subscribedToEmails === true && state.email === null)
}

/** Whether the user wants no streak. */
export function isOff(state: State): boolean {
  return state.personal?.enabled === false
}

/** Metrics of the user's own without a mode: any of them. */
function ruleOf(personal: Personal | null, gameRule: Rule): Rule {
  if (personal?.metrics !== undefined) return { mode: personal.mode ?? 'OR', metrics: personal.metrics }
  return { mode: personal?.mode ?? gameRule.mode, metrics: gameRule.metrics }
}

function streakOf(game: Game, state: State, gameRule: Rule, instant: number, metric: string, value: number) {
  const zone = zoneOf(state)
  const rule = ruleOf(state.personal, gameRule)
  const { extended, lengthened } = streakEvent(state.streak, game.calendar, rule, zone, instant, metric, value)
  return { extended, lengthened, now: readStreak(state.streak, game.calendar, zone, instant) }
}

function mayBeCompleted(game: Game, state: State, key: string): boolean {
  const achievement = game.achievements.get(key)
  if (achievement === undefined || state.completions.has(key)) return false
  return (achievement.status ?? 'active') === 'active' && matches(achievement.userAttributes, state.attributes)
}

/** Completes these, and every composite of which all parts are there. Gives all that are new. */
function complete(game: Game, state: State, instant: number, keys: string[]): string[] {
  const completed: string[] = []
  let next = keys
  do {
    for (const key of next) {
      state.completions.set(key, instant)
      completed.push(key)
    }
    next = []
    for (const [key, achievement] of game.achievements) {
      if (achievement.trigger !== 'achievement' || !mayBeCompleted(game, state, key)) continue
      if (achievement.achievements.every((part) => state.completions.has(part))) next.push(key)
    }
  } while (next.length > 0)
  return completed
}

function isOneOf(trigger: TriggerDefinition, completed: string[]): boolean {
  return trigger.type === 'achievement' && completed.includes(trigger.achievement)
}

type Times = (trigger: TriggerDefinition) => number

/** What each trigger of the system would give now, before clipping; those that give nothing are left out. */
function amounts(state: State, system: SystemDefinition, times: Times) {
  return (system.triggers ?? [])
    .map((trigger, index) => ({ trigger, index, amount: times(trigger) * trigger.points }))
    .filter(({ trigger, amount }) => {
      if (amount === 0 || trigger.status === 'inactive') return false
      return matches(trigger.userAttributes, state.attributes)
    })
}

function outOfPoints(game: Game, state: State, times: Times): boolean {
  for (const [key, system] of game.systems) {
    const given = amounts(state, system, times)
    let total = state.points.get(key) ?? 0
    for (const { amount } of given) total += amount
    if (total < 0 && given.some(({ trigger }) => trigger.blockIfOutOfPoints === true)) return true
  }
  return false
}

function pay(game: Game, state: State, instant: number, times: Times): void {
  for (const [key, system] of game.systems) {
    for (const { index, amount } of amounts(state, system, times)) {
      const before = state.points.get(key) ?? 0
      const most = system.maxPoints ?? Number.MAX_SAFE_INTEGER
      const total = Math.min(most, Math.max(0, before + amount))
      if (total === before) continue
      state.points.set(key, total)
      state.awards.push({ system: key, trigger: index, awarded: total - before, total, date: instant })
    }
  }
}

function pointsChange(game: Game, state: State, before: Map<string, number>, awardsBefore: number) {
  const changes: [string, PointsChange][] = []
  for (const [key, system] of game.systems) {
    const old = before.get(key) ?? 0
    const total = state.points.get(key) ?? 0
    if (total === old) continue
    const change: PointsChange = { total, added: total - old, awards: [] }
    for (const award of state.awards.slice(awardsBefore)) {
      if (award.system !== key) continue
      change.awards.push({ trigger: award.trigger, awarded: award.awarded, total: award.total })
    }
    const level = levelOf(system, total)
    if (level !== levelOf(system, old)) change.level = level
    changes.push([key, change])
  }
  return Object.fromEntries(changes)
}
