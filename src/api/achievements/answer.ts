import { achievementId } from '../../game/ids.ts'
import { type Achievement as AchievementRule, type Filters, type Game, repeats } from '../../rules/game.ts'
import type { Completion, UserState } from '../../rules/state.ts'
import type { CompletionMade } from '../../runtime/context.ts'
import { toInstantText } from '../users/answer.ts'
import type { AttributeFilter } from '../users/types.ts'
import type { Achievement, AchievementWithStats, UserAchievement } from './types.ts'
import { namedAchievement, toldKey, visibleAchievements } from './visible.ts'

export function toFilters(filters: Filters): readonly AttributeFilter[] {
  return filters.map(([key, value]) => ({ key, value }))
}

/** The filters on events. A single one is answered by itself too. */
export function toEventFilters(filters: Filters): Pick<Achievement, 'eventAttributes' | 'eventAttribute'> {
  const eventAttributes = toFilters(filters)
  const [only, ...others] = eventAttributes
  return only === undefined || others.length > 0 ? { eventAttributes } : { eventAttributes, eventAttribute: only }
}

/** An achievement without stats. */
export function toAchievement(game: Game, achievement: AchievementRule): Achievement {
  const { id, trigger, name, description, badgeUrl } = achievement
  const key = toldKey(achievement)
  const userAttributes = toFilters(achievement.userAttributes)
  return { id, key, trigger, name, description, badgeUrl, userAttributes, ...toCondition(game, achievement) }
}

function toCondition(game: Game, achievement: AchievementRule): Partial<Achievement> {
  if (achievement.isHidden === true) return {}
  switch (achievement.trigger) {
    case 'api':
      return {}
    case 'streak':
      return {
        streakLength: achievement.length,
        ...(achievement.streak === null ? {} : { streakKey: achievement.streak }),
      }
    case 'achievement':
      return toParts(game, achievement.achievements)
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

function toParts(game: Game, keys: readonly string[]): Partial<Achievement> {
  const parts = keys.map((key) => ({ key, rule: namedAchievement(game, key) }))
  return {
    achievements: parts.map(({ key, rule }) => (rule === undefined ? key : toldKey(rule))),
    achievementIds: parts.map(({ key, rule }) => rule?.id ?? achievementId(key)),
  }
}

/** An achievement with the instant of the user's completion, the newest where it repeats; null: not completed. */
export function toUserAchievement(game: Game, achievement: AchievementRule, state: UserState): UserAchievement {
  const completion = state.completions.get(achievement.key)
  return {
    ...toAchievement(game, achievement),
    achievedAt: completion === undefined ? null : toInstantText(completion.at),
    ...(repeats(achievement) && achievement.isHidden !== true ? { count: completion?.count ?? 0 } : {}),
  }
}

/** An achievement as one of its completions left it: how often it was completed by then, and when that was. */
export function toCompletedAchievement(
  game: Game,
  achievement: AchievementRule,
  { at, count }: Pick<Completion, 'at' | 'count'>,
): UserAchievement {
  const told = { ...toAchievement(game, achievement), achievedAt: toInstantText(at) }
  return repeats(achievement) ? { ...told, count } : told
}

/** How many completions of one achievement an answer tells: the newest. */
const MOST_TOLD = 100

/**
 * The completions that `after` has and `before` has not, in the game's order. `made`: the completions of achievements
 * that repeat, where not all of them are as new as the newest.
 */
export function toNewAchievements(
  game: Game,
  before: UserState | null,
  after: UserState,
  made: readonly CompletionMade[] = [],
): readonly UserAchievement[] {
  if (before?.completions === after.completions) return []
  return visibleAchievements(game, after).flatMap((achievement) => {
    const newest = after.completions.get(achievement.key)
    if (newest === undefined) return []
    const known = before?.completions.get(achievement.key)?.count ?? 0
    const first = Math.max(known + 1, newest.count - MOST_TOLD + 1)
    const own = made.filter((completion) => completion.achievement === achievement.key)
    return Array.from({ length: Math.max(0, newest.count - first + 1) }, (_, index) => {
      const count = first + index
      const { at } = own.find((completion) => completion.count >= count) ?? newest
      return toCompletedAchievement(game, achievement, { at, count })
    })
  })
}

/** How many completions and users there are, over all users of a tenant. */
export interface Stats {
  readonly users: number
  readonly completions: ReadonlyMap<string, number>
}

/** `key`: the key in the game; the answer may say an id in its place. */
export function withStats<T extends Achievement>(
  achievement: T,
  key: string,
  { users, completions }: Stats,
): T & Pick<AchievementWithStats, 'completions' | 'rarity'> {
  const count = completions.get(key) ?? 0
  const rarity = users === 0 ? 0 : Math.round((count / users) * 10_000) / 100
  return { ...achievement, completions: count, rarity }
}
