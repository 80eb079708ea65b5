// The known facts about one user.
import { localDate } from './dates.ts'
import type { FullSystem } from './full-game.ts'
import type { Boost, Game } from './game.ts'
import type { Activity, Fact } from './messages.ts'
import type { Streaks } from './streaks.ts'
import type { Call, Capped, Filters, OperationCall, PointsChange, Streak, Suspension } from './types.ts'

/** An accepted call in its place; or a completion kept, the `count`-th, that a late event would have taken away. */
export interface Entry {
  instant: number
  arrival: number
  epoch: number // which game it was accepted under
  act: Call | Extract<OperationCall, { boost: string }> | { call: 'keep'; achievement: string; count: number }
  mode?: 'held' | 'void' // of an event that does not count
  order?: number // of a boost that it gives
  approved?: true // it was held, and counts, or did before it was voided
}

/** The user's own settings of the streak; unset ones are absent. */
export interface Personal {
  enabled?: boolean
  mode?: 'OR' | 'AND'
  metrics?: { key: string; threshold?: number }[]
}

export interface Award {
  system: string
  trigger: string // its name
  awarded: number
  total: number
  date: number // the instant of the entry
  day: string // its local date
  boosts: string[]
  isOfTime: boolean
  isExempt: boolean // from the cap of the system
}

/** The state of a trigger that pays by time. */
export interface Timer {
  anchor: number
  anchorDay: string
  every: string // as the game has it
  next: string // the local date that begins with its next fall, where it counts days
}

export interface State {
  epoch: number
  game: Game
  newest: number // the instant of the newest entry
  known: boolean // whether the user exists
  created: number
  createdOn: string // the local date of it
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
  highest: Map<string, number> // that each total ever was
  events: { metric: string; value: number; date: string; arrival: number; instant: number }[]
  triggerTotals: Map<string, { total: number; mark: number }>
  achievementTotals: Map<string, { total: number; highest: number }>
  completedOn: Map<string, string[]> // the local dates of each
  completions: Map<string, number[]> // the instants of each, in the order in which they were first made
  runsCompleted: Map<string, Set<number>> // of achievements for streaks: which of the user's streaks had them
  usedKeys: Set<string> // of completions
  boosts: Boost[] // given to this user
  points: Map<string, number>
  awards: Award[]
  capped: (Omit<Capped, 'trigger'> & { system: string; trigger: string })[] // by any entry
  limits: Map<string, { per: string; since: number }> // from which award on each cap and cooldown counts
  timers: Map<string, Timer>
  streaks: Streaks
  suspended: Suspension | null
  facts: Fact[]
  active: Activity[]
  achievementEmails: Map<string, Fact> // not all of them are due yet
  emails: Fact[] // that fell due
}

export function emptyState(game: Game): State {
  return {
    epoch: -1,
    game,
    newest: Number.NEGATIVE_INFINITY,
    known: false,
    created: 0,
    createdOn: '',
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
    highest: new Map(),
    events: [],
    triggerTotals: new Map(),
    achievementTotals: new Map(),
    completedOn: new Map(),
    completions: new Map(),
    runsCompleted: new Map(),
    usedKeys: new Set(),
    boosts: [],
    points: new Map(),
    awards: [],
    capped: [],
    limits: new Map(),
    timers: new Map(),
    streaks: new Map(),
    suspended: null,
    facts: [],
    active: [],
    achievementEmails: new Map(),
    emails: [],
  }
}

export function zoneOf(state: State): string {
  return state.tz ?? 'UTC'
}

export function dayOf(state: State, instant: number): string {
  return localDate(zoneOf(state), instant)
}

export function countOf(state: State, achievement: string): number {
  return state.completions.get(achievement)?.length ?? 0
}

/** True if the user wants no streak. */
export function isOff(state: State): boolean {
  return state.personal?.enabled === false
}

export function subscribed(state: State): boolean {
  return state.email !== null && state.subscription !== false
}

export function visibleProfile(state: State): string {
  const attributes = [...state.attributes].sort(([a], [b]) => (a < b ? -1 : 1))
  const { email, name, tz, subscription, deviceTokens } = state
  return JSON.stringify([email, name, tz, subscribed(state), subscription, deviceTokens, attributes])
}

export function matches(filters: Filters | undefined, attributes: Map<string, string>): boolean {
  return Object.entries(filters ?? {}).every(([key, value]) => attributes.get(key) === value)
}

export function levelOf(system: FullSystem, total: number): string | null {
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
  streaks?: { [key: string]: Streak & { extended: boolean } }
}
