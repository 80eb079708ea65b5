import { achievementId } from '../game/ids.ts'
import { expiredAt } from '../rules/achievement.ts'
import { type Instant, toDateText } from '../rules/calendar.ts'
import {
  type AchievementRule,
  type CriteriaAchievement,
  type Criterion,
  type Filters,
  type Game,
  type Games,
  repeats,
} from '../rules/game.ts'
import { type ListedProgress, progressedBy, progressOf } from '../rules/progress.ts'
import { type Completion, emptyState, type UserState } from '../rules/state.ts'
import type { CompletionMade } from '../runtime/command.ts'
import type { Context } from '../runtime/context.ts'
import type * as Types from '../shapes/achievements.ts'
import type { AttributeFilter } from '../shapes/users.ts'
import { toInstantText } from './users.ts'

/*
 * The only filter for achievements. Every answer that lists, names or counts achievements gets them here, so that
 * hidden ones are left out in one place.
 */

/**
 * Inactive achievements appear nowhere, locked ones only to users who have them. `state` null, if the request is about
 * no user.
 */
export function isVisible(achievement: AchievementRule, state: UserState | null): boolean {
  if (achievement.status === 'locked') return state?.completions.has(achievement.key) === true
  return achievement.status === 'active'
}

export function visibleAchievements({ achievements }: Game, state: UserState | null): readonly AchievementRule[] {
  return [...achievements.values()].filter((achievement) => isVisible(achievement, state))
}

/** The key as an answer says it: a hidden achievement has its id there. */
export function shownKey({ isHidden, id, key }: AchievementRule): string {
  return isHidden === true ? id : key
}

/** The names that answers give secret achievements which the user does not have, by key. */
type Hidden = ReadonlyMap<string, string>

/**
 * The game as the caller may see it: of a secret achievement clients see only that it exists, until the user has it.
 * `state` null, if the request is about no user: all secrets are hidden.
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
  const achievements = [...game.achievements].map(([key, achievement]): readonly [string, AchievementRule] => {
    const name = hidden.get(key)
    if (name === undefined) return [key, achievement]
    return [key, { ...achievement, name, description: null, badgeUrl: null, userAttributes: [], isHidden: true }]
  })
  return { ...game, achievements: new Map(achievements) }
}

export function toStreakKey({ streak }: { readonly streak: string | null }): { readonly streakKey?: string } {
  return streak === null ? {} : { streakKey: streak }
}

export function toFilters(filters: Filters): readonly AttributeFilter[] {
  return filters.map(([key, value]) => ({ key, value }))
}

/** The filters on events. A single one is answered by itself too. */
export function toEventFilters(filters: Filters): Pick<Types.Achievement, 'eventAttributes' | 'eventAttribute'> {
  const eventAttributes = toFilters(filters)
  const [only, ...others] = eventAttributes
  return only === undefined || others.length > 0 ? { eventAttributes } : { eventAttributes, eventAttribute: only }
}

export function toAchievement(game: Game, achievement: AchievementRule): Types.Achievement {
  const { id, trigger, name, description, badgeUrl } = achievement
  const key = shownKey(achievement)
  const userAttributes = toFilters(achievement.userAttributes)
  const base = { id, key, trigger, name, description, badgeUrl, userAttributes }
  const { isHidden, until, validDays } = achievement
  if (isHidden === true) return base
  const valid = {
    ...(until === null ? {} : { until: toDateText(until) }),
    ...(validDays === null ? {} : { validDays }),
  }
  return { ...base, ...toCondition(game, achievement), ...valid }
}

function toCondition(game: Game, achievement: AchievementRule): Partial<Types.Achievement> {
  switch (achievement.trigger) {
    case 'api':
      return {}
    case 'streak':
      return { streakLength: achievement.length, ...toStreakKey(achievement) }
    case 'achievement': {
      const parts = achievement.achievements.map((key) => ({ key, rule: game.achievements.get(key) }))
      return {
        achievements: parts.map(({ key, rule }) => (rule === undefined ? key : shownKey(rule))),
        achievementIds: parts.map(({ key, rule }) => rule?.id ?? achievementId(key)),
      }
    }
    case 'metric': {
      const metric = game.metrics.get(achievement.metric)
      return {
        ...(metric === undefined ? {} : { metricId: metric.id, metricName: metric.name }),
        metricValue: achievement.value,
        ...toEventFilters(achievement.eventAttributes),
        ...(achievement.within === null ? {} : { withinDays: achievement.within }),
      }
    }
    case 'criteria': {
      const { atLeast, criteria } = achievement
      return { atLeast, criteria: criteria.map((criterion) => toCriterion(game, criterion)) }
    }
    case 'anniversary':
      return { anniversaryYears: anniversaryOf(achievement) }
    default:
      return achievement satisfies never
  }
}

/** The years of an achievement with the trigger `anniversary`. */
export function anniversaryOf({ criteria }: CriteriaAchievement): number {
  return criteria[0]?.target ?? 0
}

export function toCriterion(game: Game, criterion: Criterion): Types.AchievementCriterion {
  const { type, target } = criterion
  switch (criterion.type) {
    case 'metric':
    case 'events': {
      const { metric, eventAttributes, within } = criterion
      const filters = eventAttributes.length === 0 ? {} : { eventAttributes: toFilters(eventAttributes) }
      return { type, target, metric, ...filters, ...(within === null ? {} : { withinDays: within }) }
    }
    case 'streak':
      return { type, target, ...toStreakKey(criterion) }
    case 'points': {
      const { system, level } = criterion
      return { type, target, system, ...(level === null ? {} : { level }) }
    }
    case 'achievement': {
      const rule = game.achievements.get(criterion.achievement)
      return { type, target, achievement: rule === undefined ? criterion.achievement : shownKey(rule) }
    }
    case 'membership': {
      const { unit, since } = criterion
      const counted = since === 'creation' ? {} : { since: 'signUp' as const }
      return { type, target, ...(unit === 'day' ? {} : { unit }), ...counted }
    }
    default:
      return criterion satisfies never
  }
}

/** With the newest completion; `achievedAt` is null if there is none. It has expired if it had by `at`. */
export function toUserAchievement(
  game: Game,
  achievement: AchievementRule,
  state: UserState,
  at: Instant,
): Types.UserAchievement {
  const completion = state.completions.get(achievement.key)
  const expiry = expiredAt(achievement, state, at)
  return {
    ...toAchievement(game, achievement),
    achievedAt: completion === undefined ? null : toInstantText(completion.at),
    ...(expiry === null ? {} : { expiredAt: toInstantText(expiry) }),
    ...(repeats(achievement) && achievement.isHidden !== true ? { count: completion?.count ?? 0 } : {}),
  }
}

/** `toUserAchievement`, with the progress towards it. The state must be settled until `at`. */
export function withProgress(
  game: Game,
  achievement: AchievementRule,
  state: UserState,
  at: Instant,
): Types.UserAchievement {
  const answer = toUserAchievement(game, achievement, state, at)
  const progress = achievement.isHidden === true ? null : progressOf(achievement, state, at)
  return progress === null ? answer : { ...answer, progress }
}

/**
 * `game` is as the caller may see it, and `before` is under the same game as `after`. Both states must be settled until
 * `at`, as reads show them.
 */
export function toProgressed(
  game: Game,
  before: UserState | null,
  after: UserState,
  moving: { readonly metric: string; readonly listed: ListedProgress; readonly at: Instant },
): { readonly progressed?: readonly Types.ProgressedAchievement[] } {
  const { metric, listed, at } = moving
  if (before === after) return {}
  const known = before ?? emptyState(after.at, after.epoch)
  const moved = progressedBy(game, known, after, metric, listed, at)
  if (moved.length === 0) return {}
  return { progressed: moved.map(({ achievement, progress }) => ({ key: achievement.key, progress })) }
}

/** An achievement as one of its completions left it: how often it was completed by then, and when that was. */
export function toCompletedAchievement(
  game: Game,
  achievement: AchievementRule,
  { at, count }: Pick<Completion, 'at' | 'count'>,
): Types.UserAchievement {
  const completed = { ...toAchievement(game, achievement), achievedAt: toInstantText(at) }
  return repeats(achievement) ? { ...completed, count } : completed
}

/** How many completions of one achievement an answer tells: the newest. */
const MOST_TOLD = 100

/**
 * The completions that `after` has and `before` has not, in the game's order. `made`: the completions of achievements
 * that repeat, if not all of them are as new as the newest.
 */
export function toNewAchievements(
  game: Game,
  before: UserState | null,
  after: UserState,
  made: readonly CompletionMade[] = [],
): readonly Types.UserAchievement[] {
  if (before?.completions === after.completions) return []
  const changed = [...game.achievements.values()].filter(({ key }) => {
    return after.completions.get(key) !== before?.completions.get(key)
  })
  return changed.flatMap((achievement) => {
    const newest = after.completions.get(achievement.key)
    if (newest === undefined || !isVisible(achievement, after)) return []
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
export function withStats<T extends Types.Achievement>(
  achievement: T,
  key: string,
  { users, completions }: Stats,
): T & Pick<Types.AchievementWithStats, 'completions' | 'rarity'> {
  const count = completions.get(key) ?? 0
  const rarity = users === 0 ? 0 : Math.round((count / users) * 10_000) / 100
  return { ...achievement, completions: count, rarity }
}
