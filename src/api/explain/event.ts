import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { pointsSystemId } from '../../game/ids.ts'
import { expiredAt } from '../../rules/achievement.ts'
import { firstDayOf, periodOf, toDateText, toTimeText } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Decided } from '../../rules/decide.ts'
import { approvedEvent, type Entry, type EventRecorded, isHeld, type PointsAdjusted } from '../../rules/entry.ts'
import { type AppliedEntry, gameOf } from '../../rules/fold.ts'
import type { Game, Games, MetricAchievement, MetricTrigger, StreakRule } from '../../rules/game.ts'
import { findExceeded, limitsOf } from '../../rules/limit.ts'
import { streakRuleOn } from '../../rules/streak.ts'
import { about, isAbout, ruleOf, streakOf } from '../../rules/streak-names.ts'
import { runningOf } from '../../rules/tally.ts'
import { fullMultiples, roundTo15Digits } from '../../rules/total.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { EventFact, ExplainedRule, Finding, StreakStepFact } from './facts.ts'
import type { HistoryReader } from './read-history.ts'
import type { ExplainEvent } from './requests.ts'
import {
  filterFacts,
  findTriggerRule,
  missingOf,
  periodFactsOf,
  spanOf,
  toAchievementRule,
  toNeeds,
  toPeriodDates,
  toTriggerRule,
} from './rules.ts'

type Reference = ExplainEvent['event']

type AppliedEvent = AppliedEntry & { readonly entry: Entry & EventRecorded }

export function explainEvent({ games }: CurrentGame, reference: Reference): HistoryReader<Finding<EventFact>> {
  /** Voids are mapped by their own ids, and approvals by the ids of their events. */
  const notes = new Map<string, EventFact>()
  let found: AppliedEvent | null = null
  let adjusted: EventFact | null = null
  return {
    see: ({ entry, before, decided }) => {
      if (entry.kind === 'eventApproved') {
        notes.set(entry.event, { type: 'approved', approvalId: entry.id, at: toInstantText(entry.at) })
      }
      if (entry.kind === 'eventVoided') {
        const { id: voidId, at, reason } = entry
        notes.set(voidId, { type: 'voided', voidId, at: toInstantText(at), reason })
      }
      if (entry.kind === 'eventRecorded' && isMeant(entry, reference)) found = { entry, before, decided }
      if (entry.kind === 'pointsAdjusted' && entry.id === reference) adjusted = adjustedFact(entry, decided)
    },
    end: () => {
      if (adjusted !== null) return { holds: true, facts: [adjusted] }
      if (found === null) throw unknownEvent(reference)
      const { entry } = found
      const approved = notes.get(entry.id)
      const facts = recordFacts(entry, reference)
      if (isHeld(entry) || approved !== undefined) facts.push(heldFact(games, found))
      if (approved !== undefined) facts.push(approved)
      if (isHeld(entry)) return { holds: false, facts }
      const { voidedBy: voidId } = entry
      if (voidId === undefined) return { holds: true, facts: [...facts, ...effectFacts(games, found)] }
      facts.push(notes.get(voidId) ?? { type: 'voided', voidId, at: null, reason: null })
      return { holds: false, facts }
    },
  }
}

function isMeant({ id, metric, idempotencyKey }: Entry & EventRecorded, reference: Reference): boolean {
  if (typeof reference === 'string') return id === reference
  return metric === reference.metric && idempotencyKey === reference.idempotencyKey
}

function unknownEvent(reference: Reference): GamificationError {
  const message =
    typeof reference === 'string'
      ? `The user has no event ${JSON.stringify(reference)}: name the eventId that recording it answered.`
      : `The user has no event of ${JSON.stringify(reference.metric)} with the idempotency key ${JSON.stringify(reference.idempotencyKey)}.`
  return new GamificationError('unknown_event', message)
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

function recordFacts(entry: Entry & EventRecorded, reference: Reference): EventFact[] {
  const { id: eventId, metric, value, recordedAt, dating, by } = entry
  const at = toInstantText(entry.at)
  const where = { date: toDateText(dating.date), time: toTimeText(dating.time), zone: dating.zone }
  const facts: EventFact[] = [
    { type: 'recorded', eventId, metric, value, at, ...where, ...(by === undefined ? {} : { by }) },
  ]
  if (recordedAt > entry.at) facts.push({ type: 'recorded_late', at, recordedAt: toInstantText(recordedAt) })
  if (typeof reference !== 'string') {
    facts.push({ type: 'replayed', idempotencyKey: reference.idempotencyKey, eventId })
  }
  return facts
}

function heldFact(games: Games, { entry, before }: AppliedEvent): EventFact {
  const { metric } = entry
  const game = gameOf(games, entry.epoch)
  const [only, ...others] = limitsOf(game, metric).filter(({ holds }) => holds)
  const exceeded = findExceeded(game, before.dateSums, approvedEvent(entry))?.limit
  // An event that counted then may have been voided since. Then only a single limit is known to have held it back.
  const single = others.length === 0 ? only : undefined
  const limit = exceeded?.holds === true ? exceeded : single
  return { type: 'held', metric, limit: limit === undefined ? null : { value: limit.value, days: limit.days } }
}

function effectFacts(games: Games, appliedEntry: AppliedEvent): readonly EventFact[] {
  const game = gameOf(games, appliedEntry.entry.epoch)
  // Points of the time before the event were paid under the game before it.
  const both = [game, gameOf(games, appliedEntry.before.epoch)]
  return [
    ...appliedEntry.decided.changes.flatMap((change) => changeFacts(games, both, appliedEntry, change)),
    ...passedAchievements(game, appliedEntry),
    ...passedTriggers(game, appliedEntry),
    ...game.streakRules.flatMap((rule) => streakFacts(game, rule, appliedEntry)),
  ]
}

function changeFacts(
  games: Games,
  decidedUnder: readonly Game[],
  { before }: AppliedEvent,
  change: Change,
): readonly EventFact[] {
  switch (change.type) {
    case 'metricChanged': {
      const { metric, value, total: after } = change
      return [{ type: 'total_changed', metric, value, before: before.totals.get(metric)?.total ?? 0, after }]
    }
    case 'achievementCompleted': {
      const { achievement, count } = change
      return [{ type: 'achievement_completed', achievement, ...(count === undefined ? {} : { count }) }]
    }
    case 'pointsAwarded':
    case 'pointsClipped':
      return paymentFacts(games, decidedUnder, change)
    default:
      return []
  }
}

function paymentFacts(
  games: Games,
  decidedUnder: readonly Game[],
  change: Extract<Change, { readonly type: 'pointsAwarded' | 'pointsClipped' }>,
): readonly EventFact[] {
  const { due, reduction, boosts: applied = [] } = change
  const rule = findTriggerRule(games, decidedUnder, change)
  const boosts = applied.map(({ id, name, multiplier }) => ({ id, name, multiplier }))
  const multiplied = boosts.length === 0 ? {} : { boosts }
  const facts: EventFact[] = []
  if (reduction !== undefined) {
    const { left, by, resetsAt } = reduction
    const again = resetsAt === null ? null : toInstantText(resetsAt)
    facts.push({ type: 'points_held_back', rule, due, left, by, resetsAt: again })
  }
  if (change.type === 'pointsAwarded') {
    const { awarded, total } = change
    const type = rule.pays.for === 'time' ? 'points_by_time' : 'points_awarded'
    facts.push({ type, rule, due, awarded, total, ...multiplied })
  } else if (reduction?.left !== 0) {
    facts.push({ type: 'points_clipped', rule, due: reduction?.left ?? due, ...multiplied })
  }
  return facts
}

/** Achievements of the event's metric that it did not complete, and why not. */
function passedAchievements(game: Game, appliedEntry: AppliedEvent): readonly EventFact[] {
  const { entry, decided } = appliedEntry
  const completed = new Set(
    decided.changes.map((change) => change.type === 'achievementCompleted' && change.achievement),
  )
  return [...game.achievements.values()].flatMap((achievement) => {
    if (achievement.trigger !== 'metric' || achievement.metric !== entry.metric) return []
    return completed.has(achievement.key) ? [] : passedAchievement(game, achievement, appliedEntry)
  })
}

function passedAchievement(
  game: Game,
  achievement: MetricAchievement,
  appliedEntry: AppliedEvent,
): readonly EventFact[] {
  const { key, status, value, metric, until } = achievement
  const { entry, before, decided } = appliedEntry
  const rule = toAchievementRule(key)
  if (status === 'inactive') return [{ type: 'inactive', rule }]
  const completion = before.completions.get(key)
  const count = completion?.count ?? 0
  const isExpired = expiredAt(achievement, before, entry.at) !== null
  if (completion !== undefined && count >= achievement.most && !isExpired) {
    return [{ type: 'completed_before', achievement: key, achievedAt: toInstantText(completion.at) }]
  }
  if (status === 'locked') return [{ type: 'locked', rule }]
  if (until !== null && entry.dating.date > until) return [{ type: 'ended', rule, until: toDateText(until) }]
  const differences = filtersOf(rule, achievement, appliedEntry)
  if (differences.length > 0) return differences
  const total = runningOf(achievement, decided.state)?.total ?? 0
  const threshold = count === 0 || isExpired ? value : roundTo15Digits((count + 1) * value)
  // How much the best of several windows lacks says nothing about the next event.
  const missing = achievement.within === null ? missingOf(game, metric, total, threshold) : null
  return [{ type: 'not_reached', rule, metric, total, threshold, missing }]
}

/** Metric triggers of the event's metric that paid nothing for it, and why not. */
function passedTriggers(game: Game, appliedEntry: AppliedEvent): readonly EventFact[] {
  const { entry, decided } = appliedEntry
  const paid = new Set(
    decided.changes.map(
      (change) => (change.type === 'pointsAwarded' || change.type === 'pointsClipped') && change.trigger,
    ),
  )
  return [...game.points.values()].flatMap(({ key, triggers }) =>
    triggers.flatMap((trigger) => {
      if (trigger.type !== 'metric' || trigger.metric !== entry.metric || trigger.points === 0) return []
      return paid.has(trigger.id) ? [] : passedTrigger(game, key, trigger, appliedEntry)
    }),
  )
}

function passedTrigger(
  game: Game,
  system: string,
  trigger: MetricTrigger,
  appliedEntry: AppliedEvent,
): readonly EventFact[] {
  const rule = toTriggerRule(system, trigger)
  if (trigger.status === 'inactive') return [{ type: 'inactive', rule }]
  const differences = filtersOf(rule, trigger, appliedEntry)
  if (differences.length > 0) return differences
  const { total, highest } = runningOf(trigger, appliedEntry.decided.state) ?? { total: 0, highest: 0 }
  // The next step after the highest total that the trigger has seen.
  const threshold = roundTo15Digits((fullMultiples(highest, trigger.threshold) + 1) * trigger.threshold)
  const { metric } = trigger
  return [{ type: 'not_reached', rule, metric, total, threshold, missing: missingOf(game, metric, total, threshold) }]
}

function filtersOf(
  rule: ExplainedRule,
  { userAttributes, eventAttributes }: MetricAchievement | MetricTrigger,
  { entry, decided }: AppliedEvent,
): readonly EventFact[] {
  return [
    ...filterFacts(rule, 'user', userAttributes, decided.state.profile.attributes),
    ...filterFacts(rule, 'event', eventAttributes, entry.attributes),
  ]
}

/** Explains how an event changed a streak, or why it did not. */
function streakFacts(game: Game, rule: StreakRule, event: AppliedEvent): readonly StreakStepFact[] {
  const own = event.decided.changes.filter((change) => isAbout(change, rule.key))
  const fact = own.map(toStepFact).find((each) => each !== null) ?? idleFact(game, rule, event)
  return fact === null ? [] : [{ ...fact, ...about(rule) }]
}

function toStepFact(change: Change): StreakStepFact | null {
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

/** Why an event did nothing to a streak, or `null` if the user has none. */
function idleFact(game: Game, { key }: StreakRule, { entry, decided: { state } }: AppliedEvent): StreakStepFact | null {
  const { metric, dating } = entry
  const rule = streakRuleOn(ruleOf(game, key), state, dating.date)
  if (rule === null) return null
  if (!rule.metrics.has(metric)) return { type: 'streak_other_metric', metric, metrics: [...rule.metrics.keys()] }
  const period = periodOf(rule.frequency, game.weekStartsOn, dating.date)
  const span = spanOf(rule, game, period)
  const { last, length } = streakOf(state, key)
  if (last !== null && period <= last) {
    const lastCounted = toDateText(firstDayOf(rule.frequency, game.weekStartsOn, last))
    return { type: 'streak_counted_already', date: toDateText(span.first), lastCounted, length }
  }
  const needs = toNeeds(game, rule, periodFactsOf(game, state, rule, period))
  return { type: 'streak_not_reached', ...toPeriodDates(span), ...needs }
}
