import { GamificationError } from '../../errors.ts'
import type { Achievement, Game, Metric, PointsSystem } from '../../rules/game.ts'
import { unknownName } from '../../rules/names.ts'

/** The achievement of a game by its key. Throws `unknown_achievement`. */
export function knownAchievement({ achievements }: Pick<Game, 'achievements'>, key: string): Achievement {
  const known = achievements.get(key)
  if (known !== undefined) return known
  throw new GamificationError('unknown_achievement', unknownName('achievement', key, achievements.keys()))
}

/** Throws `unknown_metric`, for an archived one too: reads know the active ones only. */
export function activeMetric({ metrics }: Pick<Game, 'metrics'>, key: string): Metric {
  const metric = metrics.get(key)
  if (metric?.status === 'active') return metric
  const active = [...metrics.values()].filter(({ status }) => status === 'active')
  const keys = active.map((each) => each.key)
  throw new GamificationError('unknown_metric', unknownName('active metric', key, keys))
}

/** Throws `unknown_points_system`. */
export function knownSystem({ points }: Pick<Game, 'points'>, key: string): PointsSystem {
  const system = points.get(key)
  if (system !== undefined) return system
  throw new GamificationError('unknown_points_system', unknownName('points system', key, points.keys()))
}

/** Throws `unknown_streak` where one of the game's `streaks` is named that it does not have. */
export function checkStreakName({ streaks }: Pick<Game, 'streaks'>, key: string | null): void {
  if (key === null || streaks.has(key)) return
  throw new GamificationError('unknown_streak', unknownName('streak', key, streaks.keys()))
}
