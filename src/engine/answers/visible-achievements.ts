import type { Achievement, Game } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'

/*
 * The one gate for achievements: every answer that lists them, names them or counts them among others takes them from
 * here, so that what is not to be seen is left out in one place.
 */

/** Inactive achievements appear nowhere, locked ones only to users who have them. `state` null: told of no user. */
export function isVisible(achievement: Achievement, state: UserState | null): boolean {
  if (achievement.status === 'locked') return state?.completions.has(achievement.key) === true
  return achievement.status === 'active'
}

/** In the game's order. */
export function visibleAchievements({ achievements }: Game, state: UserState | null): readonly Achievement[] {
  return [...achievements.values()].filter((achievement) => isVisible(achievement, state))
}

/** The achievement that a trigger or a composite names, whatever its status: both are told with what they wait for. */
export function namedAchievement({ achievements }: Game, key: string): Achievement | undefined {
  return achievements.get(key)
}
