import type { AboutStreak, Change } from './change.ts'
import type { Game, StreakRule } from './game.ts'
import { compareCodePoints } from './position.ts'
import { type Freezes, type NamedStreak, NO_STREAK, type StreakState, type UserState } from './state.ts'

/** Key of a named streak; nothing: the game's `streak`. */
export type StreakKey = string | null | undefined

const NONE: NamedStreak = { streak: NO_STREAK, freezes: null }
const THE_GAMES: AboutStreak = {}

/** The rule of a streak; null: the game does not have it. */
export function ruleOf({ streak, streaks }: Game, key: StreakKey): StreakRule | null {
  return key == null ? streak : (streaks.get(key) ?? null)
}

export function streakOf({ streak, streaks }: UserState, key: StreakKey): StreakState {
  return key == null ? streak : (streaks.get(key)?.streak ?? NO_STREAK)
}

/** The freezes that are a streak's own; null: it has none. */
export function ownFreezesOf({ freezes, streaks }: UserState, key: StreakKey): Freezes | null {
  return key == null ? freezes : (streaks.get(key)?.freezes ?? null)
}

/** The freezes that a streak uses. */
export function freezesOf(state: UserState, { key, sharesFreezes }: StreakRule): Freezes | null {
  return sharesFreezes ? state.freezes : ownFreezesOf(state, key)
}

/** The part of a change that says which streak it is about. */
export function about({ key }: StreakRule): AboutStreak {
  return key === null ? THE_GAMES : { key }
}

/** Whether a change of streaks or freezes is about one streak. */
export function isAbout(change: Change, key: StreakKey): boolean {
  const about = 'key' in change ? change.key : undefined
  return (about ?? null) === (key ?? null)
}

/** The state with other values of one streak. */
export function withStreak(state: UserState, key: StreakKey, patch: Partial<NamedStreak>): UserState {
  if (key == null) return { ...state, ...patch }
  return { ...state, streaks: withNamed(state.streaks, key, { ...(state.streaks.get(key) ?? NONE), ...patch }) }
}

/** Keeps the keys in order, so that a replay with entries in another order gives an equal state. */
function withNamed(streaks: UserState['streaks'], key: string, named: NamedStreak): UserState['streaks'] {
  const changed = new Map(streaks).set(key, named)
  return streaks.has(key) ? changed : new Map([...changed].sort(([a], [b]) => compareCodePoints(a, b)))
}
