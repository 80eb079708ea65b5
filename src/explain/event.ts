import { toInstantText } from '../engine/answers/user.ts'
import type { CurrentGame } from '../engine/types.ts'
import { GamificationError } from '../errors.ts'
import type { EventReference } from '../requests/explain.ts'
import { toDateText, toTimeText } from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import { type Entry, type EventRecorded, isHeld } from '../rules/entry.ts'
import { gameOf } from '../rules/fold.ts'
import type { Boost, Game, Games } from '../rules/game.ts'
import type { UserState } from '../rules/state.ts'
import { passedAchievements, passedTriggers } from './event-passed.ts'
import { streakStep } from './event-streak.ts'
import type { EventFact, ExplainedBoost, ExplainedTrigger, Finding } from './facts.ts'
import { type HeldBy, startHeldBy } from './held-by.ts'
import type { FoldedEvent, HistoryReader } from './history.ts'
import { findTriggerRule } from './rules.ts'

/** What an event did, and what it did not count for. Throws `unknown_event`. */
export function explainEvent({ games }: CurrentGame, reference: EventReference): HistoryReader<Finding<EventFact>> {
  const voids = new Map<string, EventFact>()
  const approvals = new Map<string, EventFact>()
  const heldBy = startHeldBy(games)
  let found: FoldedEvent | null = null
  return {
    see: (seen) => {
      const { entry, before, step } = seen
      heldBy.see(seen)
      if (entry.kind === 'eventApproved') {
        const { id: approvalId, at, event } = entry
        approvals.set(event, { type: 'approved', approvalId, at: toInstantText(at) })
      }
      if (entry.kind === 'eventVoided') {
        const { id: voidId, at, reason } = entry
        voids.set(voidId, { type: 'voided', voidId, at: toInstantText(at), reason })
      }
      if (entry.kind === 'eventRecorded' && isMeant(entry, reference)) found = { entry, before, step }
    },
    end: () => {
      // Written out, because the compiler does not see what the callback assigns.
      const folded = found as FoldedEvent | null
      if (folded === null) throw unknownEvent(reference)
      const approved = approvals.get(folded.entry.id)
      const told = [
        ...recordFacts(folded.entry),
        ...replayFacts(folded.entry, reference),
        ...(isHeld(folded.entry) || approved !== undefined ? [heldFact(folded.entry, heldBy)] : []),
        ...(approved === undefined ? [] : [approved]),
      ]
      if (isHeld(folded.entry)) return { holds: false, facts: told }
      const { voidedBy } = folded.entry
      if (voidedBy !== undefined) {
        const voided = voids.get(voidedBy) ?? { type: 'voided', voidId: voidedBy, at: null, reason: null }
        return { holds: false, facts: [...told, voided] }
      }
      return { holds: true, facts: [...told, ...effectFacts(games, folded)] }
    },
  }
}

function heldFact(event: Entry & EventRecorded, heldBy: HeldBy): EventFact {
  const limit = heldBy.limitOf(event)
  const { metric } = event
  return { type: 'held', metric, limit: limit === null ? null : { value: limit.value, days: limit.days } }
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
