import { isVisible, toFilters } from '../../answers/achievements.ts'
import { toInstantText } from '../../answers/users.ts'
import { expiredAt, hasAchievement, hasReached } from '../../rules/achievement.ts'
import { type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { Decided } from '../../rules/decide.ts'
import { type Entry, type EventRecorded, isHeld } from '../../rules/entry.ts'
import type * as Rules from '../../rules/game.ts'
import { addsUp, aggregationOf, matches, repeats } from '../../rules/game.ts'
import { progressOfCriterion } from '../../rules/progress.ts'
import { type UserState, zoneOf } from '../../rules/state.ts'
import { about, ruleOf, streakOf } from '../../rules/streak-names.ts'
import { runningOf } from '../../rules/tally.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { knownAchievement } from '../named-parts.ts'
import type { AchievementFact, Finding } from './facts.ts'
import { describeCriterion } from './game-sentences.ts'
import type { HistoryReader, Present } from './read-history.ts'
import { differencesOf, filterFacts, missingOf, toAchievementRule } from './rules.ts'

export function explainAchievement({ game }: CurrentGame, key: string): HistoryReader<Finding<AchievementFact>> {
  const achievement = knownAchievement(game, key)
  const counts: NotCounted = new Map()
  let completedBy: Entry | null = null
  let revoked: AchievementFact | null = null
  return {
    only: ({ state, at }) => {
      return hasAchievement(achievement, state, at) ? (state.completions.get(key)?.entryId ?? null) : null
    },
    see: (appliedEntry) => {
      const { entry, decided } = appliedEntry
      if (achievement.trigger === 'metric' && entry.kind === 'eventRecorded' && entry.metric === achievement.metric) {
        const why = whyNotCounted(achievement, entry, decided)
        if (why !== null) counts.set(why, { count: (counts.get(why)?.count ?? 0) + 1, newest: entry })
      }
      if (decided.changes.some((change) => change.type === 'achievementCompleted' && change.achievement === key)) {
        completedBy = entry
      }
      if (entry.kind === 'achievementRevoked' && entry.achievement === key) {
        revoked = { type: 'revoked', achievement: key, at: toInstantText(entry.at), reason: entry.reason }
      }
    },
    end: (present, found) => {
      const { state, at } = present
      const status = statusFacts(achievement, state, at)
      const facts = completionFacts(achievement, state, found ?? completedBy)
      if (hasAchievement(achievement, state, at)) {
        const holds = isVisible(achievement, state)
        return { holds, facts: holds ? facts : [...facts, ...status] }
      }
      if (revoked !== null && !state.completions.has(key)) return { holds: false, facts: [revoked, ...status] }
      const expiry = expiredAt(achievement, state, at)
      if (expiry !== null) facts.push({ type: 'expired', achievement: key, expiredAt: toInstantText(expiry) })
      const { userAttributes } = achievement
      const differences = filterFacts(toAchievementRule(key), 'user', userAttributes, state.profile.attributes)
      return {
        holds: false,
        facts: [...facts, ...status, ...differences, ...missingFacts(game, achievement, present, counts)],
      }
    },
  }
}

function completionFacts(rule: Rules.AchievementRule, state: UserState, entry: Entry | null): AchievementFact[] {
  const { key: achievement } = rule
  const completion = state.completions.get(achievement)
  if (completion === undefined) return []
  const { at, entryId, count } = completion
  // A voided event changes only the profile that was sent with it.
  const isVoid = entry?.kind === 'eventRecorded' && entry.voidedBy !== undefined
  const by = isVoid ? 'profile' : ((entry && COMPLETERS[entry.kind]) ?? 'entry')
  const metric = by === 'event' && entry?.kind === 'eventRecorded' ? entry.metric : null
  const why = entry?.kind === 'achievementGranted' ? { reason: entry.reason } : {}
  const fact = { type: 'completed', achievement, achievedAt: toInstantText(at), entryId, by, metric, ...why } as const
  return [repeats(rule) ? { ...fact, count } : fact]
}

const COMPLETERS: {
  readonly [Kind in Entry['kind']]?: Extract<AchievementFact, { readonly type: 'completed' }>['by']
} = {
  eventRecorded: 'event',
  userUpserted: 'profile',
  achievementClaimed: 'claim',
  completionKept: 'kept',
  granted: 'granted',
  achievementGranted: 'support',
}

function statusFacts(
  { key, status, until }: Rules.AchievementRule,
  state: UserState,
  at: Instant,
): readonly AchievementFact[] {
  const rule = toAchievementRule(key)
  if (status !== 'active') return [{ type: status, rule }]
  const isOver = until !== null && localDate(zoneOf(state.profile), at) > until
  return isOver ? [{ type: 'ended', rule, until: toDateText(until) }] : []
}

function missingFacts(
  game: Rules.Game,
  achievement: Rules.AchievementRule,
  present: Present,
  counts: NotCounted,
): readonly AchievementFact[] {
  const { state } = present
  switch (achievement.trigger) {
    case 'metric':
      return [...metricFacts(game, achievement, state), ...countFacts(achievement, counts)]
    case 'api':
      return [{ type: 'not_claimed', achievement: achievement.key }]
    case 'streak':
      return streakFacts(game, achievement, state)
    case 'achievement':
      return compositeFacts(achievement, state)
    case 'criteria':
    case 'anniversary':
      return criteriaFacts(game, achievement, present)
    default:
      return achievement satisfies never
  }
}

function metricFacts(
  game: Rules.Game,
  achievement: Rules.MetricAchievement,
  state: UserState,
): readonly AchievementFact[] {
  const { metric, value: threshold } = achievement
  const isArchived = game.metrics.get(metric)?.status === 'archived'
  const archived = isArchived ? [{ type: 'metric_archived', metric } as const] : []
  const running = runningOf(achievement, state)
  const total = running?.total ?? 0
  // A total that is no sum has no value before the first event.
  const isSum = addsUp(aggregationOf(game, metric))
  if ((!isSum && running === undefined) || !hasReached(achievement, total)) {
    const { within } = achievement
    const missing = within === null ? missingOf(game, metric, total, threshold) : null
    const eventAttributes = toFilters(achievement.eventAttributes)
    const short = { type: 'metric_short', metric, total, threshold, missing, eventAttributes } as const
    return [...archived, within === null ? short : { ...short, withinDays: within }]
  }
  // Without a tally yet, one matching event has to be counted first.
  const isAnyEvent = running !== undefined || achievement.tally === null
  return [...archived, { type: 'reached', next: isAnyEvent ? 'event_of_metric' : 'matching_event' }]
}

function streakFacts(
  game: Rules.Game,
  { length: needed, streak: key }: Rules.StreakAchievement,
  state: UserState,
): readonly AchievementFact[] {
  const rule = ruleOf(game, key)
  const { length } = streakOf(state, key)
  // A game without the streak of an achievement is refused.
  if (rule === null) return []
  if (length >= needed) return [{ type: 'reached', next: 'event' }]
  const { frequency } = rule
  return [{ type: 'streak_short', length, needed, missing: needed - length, frequency, ...about(rule) }]
}

function compositeFacts(achievement: Rules.CompositeAchievement, state: UserState): readonly AchievementFact[] {
  const { completions } = state
  const { achievements, status } = achievement
  const missing = achievements.filter((key) => !completions.has(key))
  const completed = achievements.filter((key) => completions.has(key))
  if (missing.length > 0) return [{ type: 'parts_missing', missing, completed }]
  return status === 'active' ? [reached(achievement, state)] : []
}

function reached({ userAttributes }: Rules.AchievementRule, { profile }: UserState): AchievementFact {
  return { type: 'reached', next: matches(userAttributes, profile.attributes) ? 'any' : 'attributes' }
}

function criteriaFacts(
  game: Rules.Game,
  achievement: Rules.CriteriaAchievement,
  { state, at }: Present,
): readonly AchievementFact[] {
  const { atLeast, status } = achievement
  const today = localDate(zoneOf(state.profile), at)
  const criteria = achievement.criteria.map((criterion) => {
    const { current, target, satisfied } = progressOfCriterion(criterion, state, today)
    return { type: criterion.type, description: describeCriterion(game, criterion), current, target, satisfied }
  })
  const fact = { type: 'criteria', atLeast, criteria } as const
  const met = criteria.filter(({ satisfied }) => satisfied).length
  return status !== 'active' || met < atLeast ? [fact] : [fact, reached(achievement, state)]
}

/** Why events of a metric achievement's metric do not count for it, in the order of the answer. */
const NOT_COUNTED = ['events_not_matching', 'events_before_rule', 'events_held', 'events_voided'] as const

/** By reason, how many events do not count, and the newest of them. */
type NotCounted = Map<(typeof NOT_COUNTED)[number], { readonly count: number; readonly newest: Entry & EventRecorded }>

/** Returns `null` if the event counts. */
function whyNotCounted(
  { id, eventAttributes }: Rules.MetricAchievement,
  entry: Entry & EventRecorded,
  { changes }: Decided,
): (typeof NOT_COUNTED)[number] | null {
  if (isHeld(entry)) return 'events_held'
  if (entry.voidedBy !== undefined) return 'events_voided'
  const isCounted = changes.some((change) => change.type === 'tallyChanged' && change.rule === id)
  if (eventAttributes.length === 0 || isCounted) return null
  return matches(eventAttributes, entry.attributes) ? 'events_before_rule' : 'events_not_matching'
}

function countFacts(
  { metric, eventAttributes }: Rules.MetricAchievement,
  counts: NotCounted,
): readonly AchievementFact[] {
  return NOT_COUNTED.flatMap((type): readonly AchievementFact[] => {
    const found = counts.get(type)
    if (found === undefined) return []
    const { count, newest } = found
    if (type !== 'events_not_matching') return [{ type, metric, count }]
    const differences = differencesOf(eventAttributes, newest.attributes)
    return [{ type, metric, count, newest: { eventId: newest.id, at: toInstantText(newest.at), differences } }]
  })
}
