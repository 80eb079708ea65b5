import { achievementId, attributeId, metricId, pointsSystemId } from '../game/ids.ts'
import { boostStatus } from '../rules/boost.ts'
import { type Day, type Instant, localDate, toDateText } from '../rules/calendar.ts'
import type { Boost, ChallengeRule, Filters, Game, Games, Level, PointsSystem, Quest, Trigger } from '../rules/game.ts'
import { levelFor } from '../rules/points.ts'
import { type GivenBoost, type UserState, zoneOf } from '../rules/state.ts'
import type { CappedAward, CommandOutcome } from '../runtime/command.ts'
import type * as Types from '../shapes/points.ts'
import type { Award, AwardedBoost } from '../storage/rows.ts'
import { toEventFilters, toFilters, toStreakKey } from './achievements.ts'
import { toInstantText } from './users.ts'
import { toFigures } from './wallets.ts'

/** A level without description answers an empty one. */
export function toLevel(level: Level): Types.PointsLevel {
  const { id, key, name, description, badgeUrl, points } = level
  return { id, key, name, description: description ?? '', badgeUrl, points }
}

export function toSystem(system: PointsSystem): Omit<Types.PointsSystemResponse, 'triggers'> {
  const { id, key, name, description, badgeUrl, maxPoints, wallet } = system
  return { id, key, name, description, badgeUrl, maxPoints, ...(wallet === null ? {} : { spendable: true }) }
}

/**
 * The systems whose total changed, by key. Systems whose award a cap or a cooldown reduced are included, and systems for
 * which this entry stores points of time, which reads showed before.
 */
export function toPointsChanges(
  games: Games,
  game: Game,
  { before, after, awards, capped, at }: Extract<CommandOutcome, { readonly type: 'recorded' }>,
): { readonly [system: string]: Types.PointsChange } {
  if (before?.points === after.points && capped.length === 0) return {}
  const changes: [string, Types.PointsChange][] = []
  const today = localDate(zoneOf(after.profile), at)
  for (const system of game.points.values()) {
    const total = after.points.get(system.key)?.total ?? 0
    const previous = before?.points.get(system.key)?.total ?? 0
    const reductions = capped.filter((each) => each.system === system.key)
    const own = awards.filter((award) => award.system === system.key)
    if (total === previous && reductions.length === 0 && !own.some((award) => isByTime(games, award))) continue
    const change = {
      ...toSystem(system),
      total,
      ...toFigures(system, after),
      added: total - previous,
      awards: own.map((award) => toAward(games, award, today)),
      ...toLevelChange(system, previous, total),
      ...(reductions.length === 0 ? {} : { capped: reductions.map(toCapped) }),
    }
    changes.push([system.key, change])
  }
  return Object.fromEntries(changes)
}

/** Returns true if a time trigger of any game paid an award. The newest game may no longer have the trigger. */
export function isByTime(games: Games, award: Pick<Award, 'system' | 'trigger'>): boolean {
  return findTrigger(games, award)?.trigger.type === 'time'
}

function toCapped({ trigger, due, awarded, resetsAt }: CappedAward): Types.CappedPoints {
  return { triggerId: trigger, due, awarded, resetsAt: resetsAt === null ? null : toInstantText(resetsAt) }
}

function toLevelChange(
  system: PointsSystem,
  previous: number,
  total: number,
): { readonly level?: Types.PointsLevel | null } {
  const level = levelFor(system, total)
  if (level === levelFor(system, previous)) return {}
  return { level: level === null ? null : toLevel(level) }
}

export function toUserPoints(
  games: Games,
  system: PointsSystem,
  state: UserState,
  awards: readonly Award[],
  now: Instant,
): Types.UserPoints {
  const today = localDate(zoneOf(state.profile), now)
  const total = state.points.get(system.key)?.total ?? 0
  const level = levelFor(system, total)
  return {
    ...toSystem(system),
    total,
    ...toFigures(system, state),
    awards: awards.map((award) => toAward(games, award, today)),
    level: level === null ? null : toLevel(level),
  }
}

/** `today`: the date of the user, by which its boosts are over or not. */
export function toAward(games: Games, award: Award, today: Day): Types.PointsAward {
  const { id, awarded, total, boosts = [] } = award
  const applied = boosts.length === 0 ? {} : { boosts: boosts.map((boost) => toPointsBoost(boost, today)) }
  return { id, awarded, date: toInstantText(award.at), total, trigger: toTrigger(games, award), ...applied }
}

function findTrigger(
  games: Games,
  award: Pick<Award, 'system' | 'trigger'>,
): { readonly game: Game; readonly trigger: Trigger } | null {
  for (const game of [...games.values()].reverse()) {
    const trigger = game.points.get(award.system)?.triggers.find(({ id }) => id === award.trigger)
    if (trigger !== undefined) return { game, trigger }
  }
  return null
}

interface Rewarded {
  readonly rule: ChallengeRule
  readonly quest: Quest
  readonly status: 'active' | 'archived'
}

/** The quest whose reward has an id, in the newest game that has it. */
export function rewardOf(games: Games, id: string): Rewarded | null {
  for (const [index, { challenges }] of [...games.values()].reverse().entries()) {
    for (const rule of challenges.values()) {
      const quest = rule.quests.find((each) => each.id === id)
      if (quest !== undefined) return { rule, quest, status: index === 0 ? 'active' : 'archived' }
    }
  }
  return null
}

function toTrigger(games: Games, award: Award): Types.AwardTrigger {
  const found = findTrigger(games, award)
  if (found !== null) return toPointsTrigger(found.game, found.trigger)
  const { trigger: id, awarded: points } = award
  const dates = { created: toInstantText(award.at), updated: toInstantText(award.at) }
  if (id === pointsSystemId(award.system)) {
    return { id, type: 'adjustment', points, status: 'active', userAttributes: [], ...dates }
  }
  const rewarded = rewardOf(games, id)
  if (rewarded !== null) {
    const { rule, quest, status } = rewarded
    const named = {
      challengeKey: rule.key,
      challengeName: rule.name,
      ...(quest.key === '' ? {} : { questKey: quest.key }),
    }
    return { id, type: 'challenge', points, status, userAttributes: [], ...named, ...dates }
  }
  // Another process has just stored a game that this one has not read: only the award says anything of the trigger.
  return { id, type: 'metric', points, status: 'archived', userAttributes: [], ...dates }
}

export function toPointsSystem(game: Game, system: PointsSystem): Types.PointsSystemResponse {
  const active = system.triggers.filter(({ status }) => status === 'active')
  return { ...toSystem(system), triggers: active.map((trigger) => toPointsTrigger(game, trigger)) }
}

function toPointsTrigger(game: Game, trigger: Trigger): Types.PointsTrigger {
  const { id, type, points, created, updated } = trigger
  const status = trigger.status === 'active' ? 'active' : 'archived'
  const userAttributes = toFilters(trigger.userAttributes)
  const base = { id, type, points, status, userAttributes, created, updated } as const
  switch (trigger.type) {
    case 'metric': {
      const { metric: key, threshold: metricThreshold, eventAttributes } = trigger
      const metric = game.metrics.get(key)
      const named = { metricId: metric?.id ?? metricId(key), metricName: metric?.name ?? key }
      return { ...base, ...named, metricThreshold, ...toEventFilters(eventAttributes) }
    }
    case 'achievement': {
      const { achievement: key } = trigger
      const achievement = game.achievements.get(key)
      const achievementName = achievement?.name ?? key
      return { ...base, achievementId: achievement?.id ?? achievementId(key), achievementName }
    }
    case 'streak':
      return { ...base, streakLengthThreshold: trigger.length, ...toStreakKey(trigger) }
    case 'user_creation':
      return base
    case 'time':
      return { ...base, timeUnit: trigger.every.unit, timeInterval: trigger.every.count }
    default:
      return trigger satisfies never
  }
}

export function toPointsBoost(boost: AwardedBoost, date: Day): Types.PointsBoost {
  const { id, name, start, end, multiplier, rounding } = boost
  const dates = { start: toDateText(start), end: end === null ? null : toDateText(end) }
  return { id, name, status: boostStatus(boost, date), ...dates, multiplier, rounding }
}

export function toAdminFilters(type: 'user' | 'event', filters: Filters): readonly Types.AdminAttributeFilter[] {
  return filters.map(([key, attributeValue]) => ({ attributeId: attributeId(type, key), attributeValue }))
}

/** A boost for all users, with its status on a date in UTC. */
export function toAdminBoost(boost: Boost, now: Instant): Types.AdminPointsBoost {
  const userAttributes = toAdminFilters('user', boost.userAttributes)
  return { ...toPointsBoost(boost, localDate('UTC', now)), userId: null, userAttributes }
}

/** A boost of one user, with its status on the user's date. */
export function toUserBoost(boost: GivenBoost, user: string, state: UserState, now: Instant): Types.AdminPointsBoost {
  return { ...toPointsBoost(boost, localDate(zoneOf(state.profile), now)), userId: user }
}
