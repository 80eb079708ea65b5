import { GamificationError } from '../../errors.ts'
import type { Achievement, Game } from '../../rules/game.ts'
import { unknownName } from '../../rules/names.ts'

/** The achievement of a game by its key. Throws `unknown_achievement`. */
export function knownAchievement({ achievements }: Pick<Game, 'achievements'>, key: string): Achievement {
  const known = achievements.get(key)
  if (known !== undefined) return known
  throw new GamificationError('unknown_achievement', unknownName('achievement', key, achievements.keys()))
}
