import { achievementId, metricId } from '../../game/ids.ts'
import type { Game, Games, Level, PointsSystem, Trigger } from '../../rules/game.ts'
import { levelFor } from '../../rules/level.ts'
import type { UserState } from '../../rules/state.ts'
import type { Award } from '../../storage-rows.ts'
import { toEventFilters, toFilters } from './achievement.ts'
import { toInstantText } from './user.ts'
import { namedAchievement } from './visible-achievements.ts'
import type {
  AwardTrigger,
  PointsAward,
  PointsChange,
  PointsLevel,
  PointsSystemResponse,
  PointsTrigger,
  UserPoints,
} from './wire/points.ts'

/** A level without description answers an empty one. */
export function toLevel(level: Level): PointsLevel {
  const { id, key, name, description, badgeUrl, points } = level
  return { id, key, name, description: description ?? '', badgeUrl, points }
}

function toSystem(system: PointsSystem): Omit<UserPoints, 'total' | 'awards' | 'level'> {
  const { id, key, name, description, badgeUrl, maxPoints } = system
  return { id, key, name, description, badgeUrl, maxPoints }
}

/** The systems whose total changed, by key. */
export function toPointsChanges(
  games: Games,
  game: Game,
  before: UserState | null,
  after: UserState,
  awards: readonly Award[],
): { readonly [system: string]: PointsChange } {
  if (before?.points === after.points) return {}
  const changes: [string, PointsChange][] = []
  for (const system of game.points.values()) {
    const total = after.points.get(system.key)?.total ?? 0
    const previous = before?.points.get(system.key)?.total ?? 0
    if (total === previous) continue
    const own = awards.filter((award) => award.system === system.key).map((award) => toAward(games, award))
    changes.push([
      system.key,
      { ...toSystem(system), total, added: total - previous, awards: own, ...toLevelChange(system, previous, total) },
    ])
  }
  return Object.fromEntries(changes)
}

function toLevelChange(system: PointsSystem, previous: number, total: number): { readonly level?: PointsLevel | null } {
  const level = levelFor(system, total)
  if (level === levelFor(system, previous)) return {}
  return { level: level === null ? null : toLevel(level) }
}

/** What a user has in one system: total, level, newest awards. */
export function toUserPoints(
  games: Games,
  system: PointsSystem,
  state: UserState,
  awards: readonly Award[],
): UserPoints {
  const total = state.points.get(system.key)?.total ?? 0
  const level = levelFor(system, total)
  return {
    ...toSystem(system),
    total,
    awards: awards.map((award) => toAward(games, award)),
    level: level === null ? null : toLevel(level),
  }
}

export function toAward(games: Games, award: Award): PointsAward {
  const { id, awarded, total } = award
  return { id, awarded, date: toInstantText(award.at), total, trigger: toTrigger(games, award) }
}

/** What the definition says of a trigger without dates. */
const NEVER_CHANGED = '1970-01-01T00:00:00.000Z'

/** The trigger of an award, from the newest game that has it: it may be gone from the current one. */
function toTrigger(games: Games, award: Award): AwardTrigger {
  for (const game of [...games.values()].reverse()) {
    const trigger = game.points.get(award.system)?.triggers.find(({ id }) => id === award.trigger)
    if (trigger !== undefined) return toPointsTrigger(game, trigger)
  }
  return { id: award.trigger, status: 'archived', userAttributes: [], created: NEVER_CHANGED, updated: NEVER_CHANGED }
}

/** A system as the game has it, with the triggers that pay. */
export function toPointsSystem(game: Game, system: PointsSystem): PointsSystemResponse {
  const active = system.triggers.filter(({ status }) => status === 'active')
  return { ...toSystem(system), triggers: active.map((trigger) => toPointsTrigger(game, trigger)) }
}

function toPointsTrigger(game: Game, trigger: Trigger): PointsTrigger {
  const { id, type, points, created, updated } = trigger
  const status = trigger.status === 'active' ? 'active' : 'archived'
  const base = {
    id,
    type,
    points,
    status,
    userAttributes: toFilters(trigger.userAttributes),
    created,
    updated,
  } as const
  switch (trigger.type) {
    case 'metric': {
      const { metric: key, threshold: metricThreshold, eventAttributes } = trigger
      const metric = game.metrics.get(key)
      const named = { metricId: metric?.id ?? metricId(key), metricName: metric?.name ?? key }
      return { ...base, ...named, metricThreshold, ...toEventFilters(eventAttributes) }
    }
    case 'achievement': {
      const { achievement: key } = trigger
      const achievement = namedAchievement(game, key)
      const achievementName = achievement?.name ?? key
      return { ...base, achievementId: achievement?.id ?? achievementId(key), achievementName }
    }
    case 'streak':
      return { ...base, streakLengthThreshold: trigger.length }
    case 'user_creation':
      return base
    default:
      return trigger satisfies never
  }
}
