import { toInstantText } from '../engine/answers/user.ts'
import type { Game, MetricAchievement, MetricTrigger } from '../rules/game.ts'
import { roundTo15Digits } from '../rules/total.ts'
import type { EventFact, ExplainedRule } from './facts.ts'
import type { FoldedEvent } from './history.ts'
import { differencesOf, missingTo, nextStep, runningOf, toAchievementRule, toTriggerRule } from './rules.ts'

/** Achievements of the event's metric that it did not complete, and why not. */
export function passedAchievements(game: Game, folded: FoldedEvent): readonly EventFact[] {
  const { entry, step } = folded
  const completed = new Set(
    step.changes.flatMap((change) => (change.type === 'achievementCompleted' ? [change.achievement] : [])),
  )
  return [...game.achievements.values()].flatMap((achievement) => {
    if (achievement.trigger !== 'metric' || achievement.metric !== entry.metric) return []
    return completed.has(achievement.key) ? [] : passedAchievement(achievement, folded)
  })
}

function passedAchievement(achievement: MetricAchievement, folded: FoldedEvent): readonly EventFact[] {
  const { key, status, value, metric } = achievement
  const { before, step } = folded
  const rule = toAchievementRule(key)
  if (status === 'inactive') return [{ type: 'inactive', rule }]
  const completion = before.completions.get(key)
  const count = completion?.count ?? 0
  if (completion !== undefined && count >= achievement.most) {
    return [{ type: 'completed_before', achievement: key, achievedAt: toInstantText(completion.at) }]
  }
  if (status === 'locked') return [{ type: 'locked', rule }]
  const differences = filterFacts(rule, achievement, folded)
  if (differences.length > 0) return differences
  const total = runningOf(achievement, step.state)?.total ?? 0
  const threshold = count === 0 ? value : nextMultiple(count, value, total)
  return [{ type: 'not_reached', rule, metric, total, threshold, missing: missingTo(total, threshold) }]
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
export function passedTriggers(game: Game, folded: FoldedEvent): readonly EventFact[] {
  const { entry, step } = folded
  const paid = new Set(
    step.changes.flatMap((change) =>
      change.type === 'pointsAwarded' || change.type === 'pointsClipped' ? [change.trigger] : [],
    ),
  )
  return [...game.points.values()].flatMap(({ key, triggers }) =>
    triggers.flatMap((trigger) => {
      if (trigger.type !== 'metric' || trigger.metric !== entry.metric || trigger.points === 0) return []
      return paid.has(trigger.id) ? [] : passedTrigger(key, trigger, folded)
    }),
  )
}

function passedTrigger(system: string, trigger: MetricTrigger, folded: FoldedEvent): readonly EventFact[] {
  const rule = toTriggerRule(system, trigger)
  if (trigger.status === 'inactive') return [{ type: 'inactive', rule }]
  const differences = filterFacts(rule, trigger, folded)
  if (differences.length > 0) return differences
  const { total, highest } = runningOf(trigger, folded.step.state) ?? { total: 0, highest: 0 }
  const threshold = nextStep(highest, trigger.threshold)
  const { metric } = trigger
  return [{ type: 'not_reached', rule, metric, total, threshold, missing: missingTo(total, threshold) }]
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
