import { rewardOf } from '../../answers/points.ts'
import { type Day, firstDayOf, lastDayOf, type Period, toDateText } from '../../rules/calendar.ts'
import {
  addsUp,
  aggregationOf,
  type Filters,
  type Game,
  type Games,
  type StreakRule,
  type Trigger,
} from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { datesReached, isEnough } from '../../rules/streak.ts'
import { streakOf } from '../../rules/streak-names.ts'
import { add } from '../../rules/total.ts'
import type * as Facts from './facts.ts'

export function toAchievementRule(achievement: string): Facts.ExplainedAchievement {
  return { kind: 'achievement', achievement }
}

export function toTriggerRule(system: string, trigger: Trigger): Facts.ExplainedTrigger {
  return { kind: 'trigger', system, trigger: trigger.id, points: trigger.points, pays: toPays(trigger) }
}

function toPays(trigger: Trigger): Facts.ExplainedTrigger['pays'] {
  switch (trigger.type) {
    case 'metric':
      return { for: 'metric', metric: trigger.metric, threshold: trigger.threshold }
    case 'achievement':
      return { for: 'achievement', achievement: trigger.achievement }
    case 'streak':
      return { for: 'streak', length: trigger.length, ...(trigger.streak === null ? {} : { key: trigger.streak }) }
    case 'user_creation':
      return { for: 'user_creation' }
    case 'time':
      return { for: 'time', ...trigger.every }
    default:
      return trigger satisfies never
  }
}

/**
 * The trigger of an award, by its id: in one of the games that an entry was decided under (`decidedUnder`), or a quest.
 * A window may have the quests of an older game.
 */
export function findTriggerRule(
  games: Games,
  decidedUnder: readonly Game[],
  { system, trigger: id }: { readonly system: string; readonly trigger: string },
): Facts.ExplainedTrigger {
  for (const { points } of decidedUnder) {
    const trigger = points.get(system)?.triggers.find((candidate) => candidate.id === id)
    if (trigger !== undefined) return toTriggerRule(system, trigger)
  }
  const rewarded = rewardOf(games, id)
  if (rewarded !== null) {
    const { rule, quest } = rewarded
    const points = quest.reward.points.find((each) => each.system === system)?.points ?? 0
    const named = quest.key === '' ? {} : { quest: quest.key }
    return { kind: 'trigger', system, trigger: id, points, pays: { for: 'challenge', challenge: rule.key, ...named } }
  }
  throw new RangeError(`The game that gave an award has no trigger ${id}`)
}

/** If the filters ask for something else, in their order. */
export function differencesOf(
  filters: Filters,
  attributes: ReadonlyMap<string, string>,
): readonly Facts.AttributeDifference[] {
  return filters
    .map(([attribute, expected]) => ({ attribute, expected, actual: attributes.get(attribute) ?? null }))
    .filter(({ expected, actual }) => actual !== expected)
}

export function filterFacts(
  rule: Facts.ExplainedRule,
  whose: Facts.AttributeDiffers['whose'],
  filters: Filters,
  attributes: ReadonlyMap<string, string>,
): readonly Facts.AttributeDiffers[] {
  return differencesOf(filters, attributes).map((difference) => {
    return { type: 'attribute_differs', rule, whose, ...difference }
  })
}

/**
 * The least to be added to a total for it to reach a threshold, or `null` for a total that is the value of one event.
 */
export function missingOf(game: Game, metric: string, total: number, threshold: number): number | null {
  return addsUp(aggregationOf(game, metric)) ? Math.max(0, add(threshold, -total)) : null
}

export function toNeeds(
  game: Game,
  { evaluationMode, metrics, days }: StreakRule,
  known: PeriodFacts | undefined,
): Facts.StreakNeeds {
  const needs = [...metrics].map(([metric, threshold]): Facts.StreakNeed => {
    const sum = known?.sums.get(metric) ?? 0
    const isReached = isEnough(game, metric, known?.sums.get(metric), threshold)
    const missing = isReached || threshold === null ? null : missingOf(game, metric, sum, threshold)
    const aggregation = aggregationOf(game, metric)
    return { metric, sum, threshold, isReached, missing, ...(aggregation === 'sum' ? {} : { aggregation }) }
  })
  return { evaluationMode, needs, ...(days === null ? {} : { days: { reached: known?.days ?? 0, needed: days } }) }
}

export type Span = { readonly first: Day; readonly last: Day }

export function spanOf({ frequency }: StreakRule, { weekStartsOn }: Game, period: Period): Span {
  return { first: firstDayOf(frequency, weekStartsOn, period), last: lastDayOf(frequency, weekStartsOn, period) }
}

export function toPeriodDates({ first, last }: Span): Facts.PeriodDates {
  return { periodStart: toDateText(first), periodEnd: toDateText(last) }
}

/** The totals of a period, as the rules remember them. */
export interface PeriodFacts {
  /** The sums of the period. If the week is judged by its dates, the sums of the newest date with events. */
  readonly sums: ReadonlyMap<string, number>
  /** On how many dates of the week the condition held. */
  readonly days?: number
}

export function periodFactsOf(game: Game, state: UserState, rule: StreakRule, period: Period): PeriodFacts | undefined {
  const { open } = streakOf(state, rule.key)
  if (rule.days === null) return open.find((sums) => sums.period === period)
  const newest = open.findLast(({ within }) => within?.week === period)
  return newest && { sums: newest.sums, days: datesReached(game, rule, open, period) }
}
