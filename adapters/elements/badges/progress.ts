import type { UserAchievementWithStats } from '../../../src/api/achievements/types.ts'
import type { MetricResponse } from '../../../src/api/events/types.ts'
import type { UserStreak } from '../../../src/api/streaks/types.ts'

/** What the user has so far, beside the achievements. */
export interface Standing {
  /** As `users.allMetrics` answers. */
  readonly metrics: readonly Pick<MetricResponse, 'id' | 'current'>[]
  /** As `users.streak` answers; null: not known. */
  readonly streak: Pick<UserStreak, 'length'> | null
}

export const NO_STANDING: Standing = { metrics: [], streak: null }

export interface BadgeProgress {
  readonly value: number
  readonly max: number
}

/** How far the user is from an achievement; null: the answers do not say. */
export function toBadgeProgress(
  achievement: UserAchievementWithStats,
  achievements: readonly UserAchievementWithStats[],
  { metrics, streak }: Standing,
): BadgeProgress | null {
  if (achievement.achievedAt !== null) return null
  const bounded = (value: number | undefined, max: number | undefined): BadgeProgress | null =>
    value === undefined || max === undefined || max <= 0 ? null : { value: Math.min(Math.max(value, 0), max), max }
  switch (achievement.trigger) {
    case 'metric': {
      // Of events with certain attributes alone, the total of the metric says nothing.
      if ((achievement.eventAttributes ?? []).length > 0) return null
      return bounded(metrics.find(({ id }) => id === achievement.metricId)?.current, achievement.metricValue)
    }
    case 'streak':
      return achievement.streakKey === undefined ? bounded(streak?.length, achievement.streakLength) : null
    case 'achievement': {
      const parts = new Set(achievement.achievementIds)
      const done = achievements.filter(({ id, achievedAt }) => parts.has(id) && achievedAt !== null)
      return bounded(done.length, parts.size)
    }
    case 'api':
      return null
    default:
      return achievement.trigger satisfies never
  }
}
