import { achievementId } from '../../game/ids.ts'
import type { Achievement as AchievementRule, Filters, Game } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { toInstantText } from './user.ts'
import { namedAchievement, visibleAchievements } from './visible-achievements.ts'
import type { Achievement, AchievementWithStats, UserAchievement } from './wire/achievement.ts'
import type { AttributeFilter } from './wire/user.ts'

export function toFilters(filters: Filters): readonly AttributeFilter[] {
  return filters.map(([key, value]) => ({ key, value }))
}

/** Filters on an event, and the only one beside them where there is just one. */
export function toEventFilters(filters: Filters): Pick<Achievement, 'eventAttributes' | 'eventAttribute'> {
  const eventAttributes = toFilters(filters)
  const [only, ...others] = eventAttributes
  return only === undefined || others.length > 0 ? { eventAttributes } : { eventAttributes, eventAttribute: only }
}

/** An achievement without stats. */
export function toAchievement(game: Game, achievement: AchievementRule): Achievement {
  const { id, key, trigger, name, description, badgeUrl } = achievement
  const userAttributes = toFilters(achievement.userAttributes)
  return { id, key, trigger, name, description, badgeUrl, userAttributes, ...toCondition(game, achievement) }
}

function toCondition(game: Game, achievement: AchievementRule): Partial<Achievement> {
  switch (achievement.trigger) {
    case 'api':
      return {}
    case 'streak':
      return { streakLength: achievement.length }
    case 'achievement':
      return {
        achievements: achievement.achievements,
        achievementIds: achievement.achievements.map((key) => namedAchievement(game, key)?.id ?? achievementId(key)),
      }
    case 'metric': {
      const metric = game.metrics.get(achievement.metric)
      return {
        ...(metric === undefined ? {} : { metricId: metric.id, metricName: metric.name }),
        metricValue: achievement.value,
        ...toEventFilters(achievement.eventAttributes),
      }
    }
    default:
      return achievement satisfies never
  }
}

/** With when the user completed it, null when not yet. */
export function toUserAchievement(game: Game, achievement: AchievementRule, state: UserState): UserAchievement {
  const completion = state.completions.get(achievement.key)
  return {
    ...toAchievement(game, achievement),
    achievedAt: completion === undefined ? null : toInstantText(completion.at),
  }
}

/** The achievements that `after` has and `before` has not, in the game's order. */
export function toNewAchievements(game: Game, before: UserState | null, after: UserState): readonly UserAchievement[] {
  if (before?.completions === after.completions) return []
  return visibleAchievements(game, after)
    .filter(({ key }) => after.completions.has(key) && before?.completions.has(key) !== true)
    .map((achievement) => toUserAchievement(game, achievement, after))
}

/** How many completions and users there are, over all users of a tenant. */
export interface Stats {
  readonly users: number
  readonly completions: ReadonlyMap<string, number>
}

export function withStats<T extends Achievement>(
  achievement: T,
  { users, completions }: Stats,
): T & Pick<AchievementWithStats, 'completions' | 'rarity'> {
  const count = completions.get(achievement.key) ?? 0
  const rarity = users === 0 ? 0 : Math.round((count / users) * 10_000) / 100
  return { ...achievement, completions: count, rarity }
}
