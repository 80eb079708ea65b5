import type { Achievement, Game, Games } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context } from '../../runtime/context.ts'

/*
 * The one gate for achievements: every answer that lists them, names them or counts them among others takes them from
 * here, so that what is not to be seen is left out in one place.
 */

/**
 * Inactive achievements appear nowhere, locked ones only to users who have them. `state` null: no user is asked about.
 */
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

/** The key as an answer says it: a hidden achievement has its id there. */
export function toldKey({ isHidden, id, key }: Achievement): string {
  return isHidden === true ? id : key
}

/** The names that answers give secret achievements which the user does not have, by key. */
type Hidden = ReadonlyMap<string, string>

/**
 * The game as the caller may see it: of a secret achievement clients see only that it exists, until the user has it.
 * `state` null: no user is asked about, so all secrets are hidden.
 */
export function gameFor({ isClient }: Pick<Context, 'isClient'>, game: Game, state: UserState | null): Game {
  return isClient ? hide(game, hiddenIn(game, state)) : game
}

/** All games, as the caller may see them: secrets of the game in force are hidden in the earlier ones too. */
export function gamesFor(
  { isClient }: Pick<Context, 'isClient'>,
  { game, games }: { readonly game: Game; readonly games: Games },
  state: UserState | null,
): Games {
  if (!isClient) return games
  const now = hiddenIn(game, state)
  return new Map([...games].map(([epoch, each]) => [epoch, hide(each, new Map([...hiddenIn(each, state), ...now]))]))
}

function hiddenIn({ achievements }: Game, state: UserState | null): Hidden {
  const hidden = new Map<string, string>()
  for (const { key, secret } of achievements.values()) {
    if (secret !== null && state?.completions.has(key) !== true) hidden.set(key, secret)
  }
  return hidden
}

function hide(game: Game, hidden: Hidden): Game {
  if (hidden.size === 0) return game
  const achievements = [...game.achievements].map(([key, achievement]): readonly [string, Achievement] => {
    const name = hidden.get(key)
    if (name === undefined) return [key, achievement]
    return [key, { ...achievement, name, description: null, badgeUrl: null, userAttributes: [], isHidden: true }]
  })
  return { ...game, achievements: new Map(achievements) }
}
