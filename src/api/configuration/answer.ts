import { achievementId, attributeId, metricId, pointsSystemId } from '../../game/ids.ts'
import { type Day, type Instant, toDateText } from '../../rules/calendar.ts'
import type { Filters, Game, Leaderboard, Level, Metric, PointsSystem, Trigger } from '../../rules/game.ts'
import { statusOn } from '../../rules/leaderboard.ts'
import { NO_LIMIT, toClock } from '../leaderboards/answer.ts'
import { toAdminBoost } from '../points/answer.ts'
import type {
  AdminAttribute,
  AdminAttributeFilter,
  AdminBadge,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
} from './types.ts'

type AttributeType = AdminAttribute['type']

export function toAttributes({ userAttributes, eventAttributes }: Game): readonly AdminAttribute[] {
  const to =
    (type: AttributeType) =>
    (key: string): AdminAttribute => ({ id: attributeId(type, key), name: key, key, type })
  return [...[...userAttributes].map(to('user')), ...[...eventAttributes].map(to('event'))]
}

/** The metrics that are not archived, as in answers about a user. */
export function toMetrics({ metrics }: Game): readonly AdminMetric[] {
  return [...metrics.values()].filter(({ status }) => status === 'active').map(toMetric)
}

function toMetric({ id, name, key, unit }: Metric): AdminMetric {
  return { id, name, key, unitType: 'number', units: unit ?? '' }
}

export function toSystems({ points }: Game, now: Instant): readonly AdminPointsSystem[] {
  return [...points.values()].map((system) => toSystem(system, now))
}

function toSystem(system: PointsSystem, now: Instant): AdminPointsSystem {
  const { id, name, key, description, badgeUrl, maxPoints, levels, triggers, boosts } = system
  return {
    id,
    name,
    key,
    description: description ?? '',
    status: 'active',
    badge: toBadge(badgeUrl),
    maxPoints,
    levels: levels.map(toLevel),
    boosts: boosts.map((boost) => toAdminBoost(boost, now)),
    triggers: triggers.map(toTrigger),
  }
}

function toLevel({ id, name, key, points, description, badgeUrl }: Level): AdminPointsLevel {
  return { id, name, key, points, description: description ?? '', badge: toBadge(badgeUrl) }
}

function toBadge(url: string | null): AdminBadge | null {
  return url === null ? null : { url }
}

function toFilters(type: AttributeType, filters: Filters): readonly AdminAttributeFilter[] {
  return filters.map(([key, attributeValue]) => ({ attributeId: attributeId(type, key), attributeValue }))
}

function toTrigger(trigger: Trigger): AdminPointsTrigger {
  const { id, type, points, status, blockIfOutOfPoints } = trigger
  const base = { id, type, points, status, userAttributes: toFilters('user', trigger.userAttributes) }
  return { ...base, ...toCondition(trigger), blockIfOutOfPoints }
}

function toCondition(trigger: Trigger): Partial<AdminPointsTrigger> {
  switch (trigger.type) {
    case 'metric': {
      const { metric, threshold, eventAttributes } = trigger
      const filters = toFilters('event', eventAttributes)
      return { metricId: metricId(metric), metricThreshold: threshold, eventAttributes: filters }
    }
    case 'achievement':
      return { achievementId: achievementId(trigger.achievement) }
    case 'streak':
      return { streakLength: trigger.length, ...(trigger.streak === null ? {} : { streakKey: trigger.streak }) }
    case 'user_creation':
      return {}
    case 'time': {
      const { unit, count } = trigger.every
      return { timeUnit: `${unit}s`, timeInterval: count }
    }
    default:
      return trigger satisfies never
  }
}

/** `today`: the date that decides the status. */
export function toLeaderboards({ leaderboards }: Game, today: Day): readonly AdminLeaderboard[] {
  return [...leaderboards.values()].map((leaderboard) => toLeaderboard(leaderboard, today))
}

function toLeaderboard(leaderboard: Leaderboard, today: Day): AdminLeaderboard {
  const {
    id,
    name,
    key,
    description,
    rankBy,
    metric,
    system,
    maxParticipants,
    start,
    end,
    breakdown,
    run,
    startTime,
    endTime,
  } = leaderboard
  return {
    id,
    name,
    key,
    ...(description === null ? {} : { description }),
    status: statusOn(leaderboard, today),
    rankBy,
    ...(metric === null ? {} : { metricId: metricId(metric) }),
    ...(system === null ? {} : { pointsSystemId: pointsSystemId(system) }),
    ...(leaderboard.streak === null ? {} : { streakKey: leaderboard.streak }),
    maxParticipants: maxParticipants ?? NO_LIMIT,
    start: toDateText(start),
    ...(end === null ? {} : { end: toDateText(end) }),
    ...(startTime === null ? {} : { startTime: toClock(startTime) }),
    ...(endTime === null ? {} : { endTime: toClock(endTime) }),
    breakdownAttributes: breakdown.map((attribute) => attributeId('user', attribute)),
    ...(run === null ? {} : { runUnit: run.unit, runInterval: run.interval }),
  }
}
