import type { AboutStreak, Change } from './change.ts'
import type { Game, StreakRule } from './game.ts'
import { type Freezes, NO_STREAK, type StreakState, type UserState } from './state.ts'

/** Key of a named streak; nothing: the game's `streak`. */
export type StreakName = string | null | undefined

const THE_GAMES: AboutStreak = {}

export function ruleOf({ streak, streaks }: Game, key: StreakName): StreakRule | null {
  return key == null ? streak : (streaks.get(key) ?? null)
}

export function streakOf({ streak, streaks }: UserState, key: StreakName): StreakState {
  return key == null ? streak : (streaks.get(key)?.streak ?? NO_STREAK)
}

export function ownFreezesOf({ freezes, streaks }: UserState, key: StreakName): Freezes | null {
  return key == null ? freezes : (streaks.get(key)?.freezes ?? null)
}

export function freezesOf(state: UserState, { key, sharesFreezes }: StreakRule): Freezes | null {
  return sharesFreezes ? state.freezes : ownFreezesOf(state, key)
}

export function about({ key }: StreakRule): AboutStreak {
  return key === null ? THE_GAMES : { key }
}

export function isAbout(change: Change, key: StreakName): boolean {
  const about = 'key' in change ? change.key : undefined
  return (about ?? null) === (key ?? null)
}
