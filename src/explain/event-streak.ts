import { firstDayOf, periodOf, toDateText } from '../rules/calendar.ts'
import type { Game, StreakRule } from '../rules/game.ts'
import { streakRuleFor } from '../rules/streak.ts'
import { about, isAbout, ruleOf, streakOf } from '../rules/streaks.ts'
import type { StreakStepFact } from './facts.ts'
import type { FoldedEvent } from './history.ts'
import { spanOf, sumsOf, toNeeds, toPeriodDates } from './streak-needs.ts'

/** What an event did to each streak, or why it did nothing. */
export function streakStep(game: Game, event: FoldedEvent): readonly StreakStepFact[] {
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
  const { last, length } = streakOf(state, key)
  if (last !== null && period <= last) {
    const lastCounted = toDateText(firstDayOf(rule.frequency, game.weekStartsOn, last))
    return [{ type: 'streak_counted_already', date: toDateText(span.first), lastCounted, length }]
  }
  return [{ type: 'streak_not_reached', ...toPeriodDates(span), ...toNeeds(rule, sumsOf(state, rule, period)) }]
}

function toStepFact(change: FoldedEvent['step']['changes'][number]): StreakStepFact | null {
  switch (change.type) {
    case 'streakStarted':
      return { type: 'streak_started', date: toDateText(change.date), length: change.length }
    case 'streakExtended':
      return { type: 'streak_extended', date: toDateText(change.date), length: change.length }
    case 'streakHeld':
      return { type: 'streak_held', date: toDateText(change.date), length: change.length }
    default:
      return null
  }
}
