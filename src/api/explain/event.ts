import { GamificationError } from '../../errors.ts'
import { pointsSystemId } from '../../game/ids.ts'
import { firstDayOf, periodOf, toDateText, toTimeText } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Decided } from '../../rules/decide.ts'
import { approvedEvent, type Entry, type EventRecorded, isHeld, type PointsAdjusted } from '../../rules/entry.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Boost, Game, Games, MetricAchievement, MetricTrigger, StreakRule } from '../../rules/game.ts'
import { findExceeded, limitsOf } from '../../rules/limit.ts'
import type { UserState } from '../../rules/state.ts'
import { about, isAbout, isNeutral, ruleOf, streakOf, streakRuleFor } from '../../rules/streak.ts'
import { runningOf } from '../../rules/tally.ts'
import { roundTo15Digits } from '../../rules/total.ts'
import { expiredAt } from '../../rules/validity.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { toInstantText } from '../users/answer.ts'
import type { EventFact, ExplainedBoost, ExplainedRule, ExplainedTrigger, Finding, StreakStepFact } from './facts.ts'
import type { FoldedEvent, HistoryReader } from './history.ts'
import type { EventReference } from './requests.ts'
import {
  differencesOf,
  findTriggerRule,
  missingOf,
  nextStep,
  periodFactsOf,
  spanOf,
  toAchievementRule,
  toNeeds,
  toPeriodDates,
  toTriggerRule,
} from './rules.ts'

/** Achievements of the event's metric that it did not complete, and why not. */
function passedAchievements(game: Game, folded: FoldedEvent): readonly EventFact[] {
  const { entry, step } = folded
  const completed = new Set(
    step.changes.flatMap((change) => (change.type === 'achievementCompleted' ? [change.achievement] : [])),
  )
  return [...game.achievements.values()].flatMap((achievement) => {
    if (achievement.trigger !== 'metric' || achievement.metric !== entry.metric) return []
    return completed.has(achievement.key) ? [] : passedAchievement(game, achievement, folded)
  })
}

function passedAchievement(game: Game, achievement: MetricAchievement, folded: FoldedEvent): readonly EventFact[] {
  const { key, status, value, metric } = achievement
  const { before, step } = folded
  const rule = toAchievementRule(key)
  if (status === 'inactive') return [{ type: 'inactive', rule }]
  const completion = before.completions.get(key)
  const count = completion?.count ?? 0
  const isExpired = expiredAt(achievement, before, folded.entry.at) !== null
  if (completion !== undefined && count >= achievement.most && !isExpired) {
    return [{ type: 'completed_before', achievement: key, achievedAt: toInstantText(completion.at) }]
  }
  if (status === 'locked') return [{ type: 'locked', rule }]
  const { until } = achievement
  if (until !== null && folded.entry.dating.date > until) return [{ type: 'ended', rule, until: toDateText(until) }]
  const differences = filterFacts(rule, achievement, folded)
  if (differences.length > 0) return differences
  const total = runningOf(achievement, step.state)?.total ?? 0
  const threshold = count === 0 || isExpired ? value : nextMultiple(count, value, total)
  // How much the best of several windows lacks says nothing about the next event.
  const missing = achievement.within === null ? missingOf(game, metric, total, threshold) : null
  return [{ type: 'not_reached', rule, metric, total, threshold, missing }]
}

/**
 * The total that completes an achievement once more; not rounded where 15 digits are too few to tell it from the total.
 */
function nextMultiple(count: number, value: number, total: number): number {
  const next = (count + 1) * value
  const rounded = roundTo15Digits(next)
  return rounded > total ? rounded : next
}

/** Metric triggers of the event's metric that paid nothing for it, and why not. */
function passedTriggers(game: Game, folded: FoldedEvent): readonly EventFact[] {
  const { entry, step } = folded
  const paid = new Set(
    step.changes.flatMap((change) =>
      change.type === 'pointsAwarded' || change.type === 'pointsClipped' ? [change.trigger] : [],
    ),
  )
  return [...game.points.values()].flatMap(({ key, triggers }) =>
    triggers.flatMap((trigger) => {
      if (trigger.type !== 'metric' || trigger.metric !== entry.metric || trigger.points === 0) return []
      return paid.has(trigger.id) ? [] : passedTrigger(game, key, trigger, folded)
    }),
  )
}

function passedTrigger(game: Game, system: string, trigger: MetricTrigger, folded: FoldedEvent): readonly EventFact[] {
  const rule = toTriggerRule(system, trigger)
  if (trigger.status === 'inactive') return [{ type: 'inactive', rule }]
  const differences = filterFacts(rule, trigger, folded)
  if (differences.length > 0) return differences
  const { total, highest } = runningOf(trigger, folded.step.state) ?? { total: 0, highest: 0 }
  const threshold = nextStep(highest, trigger.threshold)
  const { metric } = trigger
  return [{ type: 'not_reached', rule, metric, total, threshold, missing: missingOf(game, metric, total, threshold) }]
}

function filterFacts(
  rule: ExplainedRule,
  { userAttributes, eventAttributes }: MetricAchievement | MetricTrigger,
  { entry, step }: FoldedEvent,
): readonly EventFact[] {
  const ofUser = differencesOf(userAttributes, step.state.profile.attributes)
  const ofEvent = differencesOf(eventAttributes, entry.attributes)
  return [
    ...ofUser.map((difference): EventFact => ({ type: 'attribute_differs', rule, whose: 'user', ...difference })),
    ...ofEvent.map((difference): EventFact => ({ type: 'attribute_differs', rule, whose: 'event', ...difference })),
  ]
}

/** What an event did to each streak, or why it did nothing. */
function streakStep(game: Game, event: FoldedEvent): readonly StreakStepFact[] {
  return game.streakRules.flatMap((rule) => {
    const facts = stepOf(game, rule, event)
    return rule.key === null ? facts : facts.map((fact) => ({ ...fact, ...about(rule) }))
  })
}

function stepOf(game: Game, { key }: StreakRule, { entry, step }: FoldedEvent): readonly StreakStepFact[] {
  for (const change of step.changes) {
    const fact = isAbout(change, key) ? toStepFact(change) : null
    if (fact !== null) return [fact]
  }
  const { state } = step
  const rule = streakRuleFor(ruleOf(game, key), state)
  if (rule === null) return []
  const { metric, dating } = entry
  if (!rule.metrics.has(metric)) return [{ type: 'streak_other_metric', metric, metrics: [...rule.metrics.keys()] }]
  const period = periodOf(rule.frequency, game.weekStartsOn, dating.date)
  const span = spanOf(rule, game, period)
  if (isNeutral(rule, state.preferences, period)) return [{ type: 'streak_neutral_day', date: toDateText(period) }]
  const { last, length } = streakOf(state, key)
  if (last !== null && period <= last) {
    const lastCounted = toDateText(firstDayOf(rule.frequency, game.weekStartsOn, last))
    return [{ type: 'streak_counted_already', date: toDateText(span.first), lastCounted, length }]
  }
  return [
    {
      type: 'streak_not_reached',
      ...toPeriodDates(span),
      ...toNeeds(game, rule, periodFactsOf(game, state, rule, period)),
    },
  ]
}

function toStepFact(change: FoldedEvent['step']['changes'][number]): StreakStepFact | null {
  switch (change.type) {
    case 'streakStarted':
      return { type: 'streak_started', date: toDateText(change.date), length: 1 }
    case 'streakExtended':
      return { type: 'streak_extended', date: toDateText(change.date), length: change.length }
    case 'streakHeld':
      return { type: 'streak_held', date: toDateText(change.date), length: change.length }
    default:
      return null
  }
}

export function explainEvent({ games }: CurrentGame, reference: EventReference): HistoryReader<Finding<EventFact>> {
  const voids = new Map<string, EventFact>()
  const approvals = new Map<string, EventFact>()
  let found: FoldedEvent | null = null
  let adjusted: EventFact | null = null
  return {
    see: (seen) => {
      const { entry, before, step } = seen
      if (entry.kind === 'eventApproved') {
        const { id: approvalId, at, event } = entry
        approvals.set(event, { type: 'approved', approvalId, at: toInstantText(at) })
      }
      if (entry.kind === 'eventVoided') {
        const { id: voidId, at, reason } = entry
        voids.set(voidId, { type: 'voided', voidId, at: toInstantText(at), reason })
      }
      if (entry.kind === 'eventRecorded' && isMeant(entry, reference)) found = { entry, before, step }
      if (entry.kind === 'pointsAdjusted' && entry.id === reference) adjusted = adjustedFact(entry, step)
    },
    end: () => {
      // Written out, because the compiler does not see what the callback assigns.
      const folded = found as FoldedEvent | null
      if (adjusted !== null) return { holds: true, facts: [adjusted] }
      if (folded === null) throw unknownEvent(reference)
      const approved = approvals.get(folded.entry.id)
      const known = [
        ...recordFacts(folded.entry),
        ...replayFacts(folded.entry, reference),
        ...(isHeld(folded.entry) || approved !== undefined ? [heldFact(games, folded)] : []),
        ...(approved === undefined ? [] : [approved]),
      ]
      if (isHeld(folded.entry)) return { holds: false, facts: known }
      const { voidedBy } = folded.entry
      if (voidedBy !== undefined) {
        const voided = voids.get(voidedBy) ?? { type: 'voided', voidId: voidedBy, at: null, reason: null }
        return { holds: false, facts: [...known, voided] }
      }
      return { holds: true, facts: [...known, ...effectFacts(games, folded)] }
    },
  }
}

function adjustedFact(entry: Entry & PointsAdjusted, { state, changes }: Decided): EventFact {
  const { system, amount, reason, at, by } = entry
  const award = changes.find((change) => change.type === 'pointsAwarded' && change.trigger === pointsSystemId(system))
  return {
    type: 'points_adjusted',
    system,
    at: toInstantText(at),
    amount,
    awarded: award?.type === 'pointsAwarded' ? award.awarded : 0,
    total: state.points.get(system)?.total ?? 0,
    reason,
    ...(by === undefined ? {} : { by }),
  }
}

function heldFact(games: Games, { entry, before }: FoldedEvent): EventFact {
  const { metric } = entry
  const game = gameOf(games, entry.epoch)
  const [only, ...others] = limitsOf(game, metric).filter(({ holds }) => holds)
  const exceeded = findExceeded(game, before.dateSums, approvedEvent(entry))?.limit
  // What counted then may have been voided since. Then only a single limit is known to have held it back.
  const single = others.length === 0 ? only : undefined
  const limit = exceeded?.holds === true ? exceeded : single
  return { type: 'held', metric, limit: limit === undefined ? null : { value: limit.value, days: limit.days } }
}

function isMeant({ id, metric, idempotencyKey }: Entry & EventRecorded, reference: EventReference): boolean {
  if (typeof reference === 'string') return id === reference
  return metric === reference.metric && idempotencyKey === reference.idempotencyKey
}

function unknownEvent(reference: EventReference): GamificationError {
  const message =
    typeof reference === 'string'
      ? `The user has no event ${JSON.stringify(reference)}: name the eventId that recording it answered.`
      : `The user has no event of ${JSON.stringify(reference.metric)} with the idempotency key ${JSON.stringify(reference.idempotencyKey)}.`
  return new GamificationError('unknown_event', message)
}

function recordFacts({ id, metric, value, at, recordedAt, dating, by }: Entry & EventRecorded): readonly EventFact[] {
  const instant = toInstantText(at)
  const where = { date: toDateText(dating.date), time: toTimeText(dating.time), zone: dating.zone }
  const whose = by === undefined ? {} : { by }
  const recorded: EventFact = { type: 'recorded', eventId: id, metric, value, at: instant, ...where, ...whose }
  if (recordedAt <= at) return [recorded]
  return [recorded, { type: 'recorded_late', at: instant, recordedAt: toInstantText(recordedAt) }]
}

function replayFacts({ id: eventId }: Entry, reference: EventReference): readonly EventFact[] {
  if (typeof reference === 'string') return []
  return [{ type: 'replayed', idempotencyKey: reference.idempotencyKey, eventId }]
}

function effectFacts(games: Games, folded: FoldedEvent): readonly EventFact[] {
  const game = gameOf(games, folded.entry.epoch)
  // Points of the time before the event were paid under the game before it.
  const both = [game, gameOf(games, folded.before.epoch)]
  return [
    ...changeFacts(both, folded),
    ...passedAchievements(game, folded),
    ...passedTriggers(game, folded),
    ...streakStep(game, folded),
  ]
}

function changeFacts(games: readonly Game[], { before, step }: FoldedEvent): readonly EventFact[] {
  return step.changes.flatMap((change): EventFact[] => {
    switch (change.type) {
      case 'metricChanged': {
        const { metric, value, total: after } = change
        return [{ type: 'total_changed', metric, value, before: totalOf(before, metric), after }]
      }
      case 'achievementCompleted':
        return [completedFact(change)]
      case 'pointsAwarded': {
        const { due, awarded, total } = change
        const rule = findTriggerRule(games, change.system, change.trigger)
        const type = rule.pays.for === 'time' ? 'points_by_time' : 'points_awarded'
        return [...heldBackFacts(rule, change), { type, rule, due, awarded, total, ...boostsOf(change) }]
      }
      case 'pointsClipped': {
        const { due, heldBack } = change
        const rule = findTriggerRule(games, change.system, change.trigger)
        const left = heldBack?.left ?? due
        const clipped: EventFact = { type: 'points_clipped', rule, due: left, ...boostsOf(change) }
        return [...heldBackFacts(rule, change), ...(heldBack?.left === 0 ? [] : [clipped])]
      }
      default:
        return []
    }
  })
}

function heldBackFacts(
  rule: ExplainedTrigger,
  { due, heldBack }: Extract<Change, { readonly type: 'pointsAwarded' | 'pointsClipped' }>,
): readonly EventFact[] {
  if (heldBack === undefined) return []
  const { left, by, resetsAt } = heldBack
  return [
    { type: 'points_held_back', rule, due, left, by, resetsAt: resetsAt === null ? null : toInstantText(resetsAt) },
  ]
}

function boostsOf({ boosts = [] }: { readonly boosts?: readonly Boost[] }): {
  readonly boosts?: readonly ExplainedBoost[]
} {
  return boosts.length === 0 ? {} : { boosts: boosts.map(({ id, name, multiplier }) => ({ id, name, multiplier })) }
}

function completedFact({ achievement, count }: Extract<Change, { readonly type: 'achievementCompleted' }>): EventFact {
  const fact = { type: 'achievement_completed', achievement } as const
  return count === undefined ? fact : { ...fact, count }
}

function totalOf({ totals }: UserState, metric: string): number {
  return totals.get(metric)?.total ?? 0
}
