import type { AttributeDifference, ExplainedRule, ExplainedTrigger, StreakNeed, StreakNeeds } from './facts.ts'

// Pieces of the sentences.

export function quoteKey(text: string): string {
  return JSON.stringify(text)
}

export function quoteAll(texts: readonly string[]): string {
  return joined(texts.map(quoteKey), 'and')
}

/** //=> joined(['a', 'b', 'c'], 'and') is 'a, b and c' */
export function joined(parts: readonly string[], word: 'and' | 'or'): string {
  if (parts.length <= 1) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
}

/** //=> quantity(2, 'event') is '2 events' */
export function quantity(number: number, noun: string, several: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : several}`
}

/** What a period of a streak is called. */
export const NOUNS = { daily: 'day', weekly: 'week', monthly: 'month' } as const

export function periods(number: number, frequency: keyof typeof NOUNS): string {
  return quantity(number, NOUNS[frequency])
}

export function because({ reason = null }: { readonly reason?: string | null | undefined }): string {
  return reason === null ? '' : `, because ${quoteKey(reason)}`
}

/** The game's streak, or a named one. */
export function theStreak({ key }: { readonly key?: string }): string {
  return key === undefined ? 'the streak' : `the streak ${quoteKey(key)}`
}

/** A date, or the two of a longer period. */
export function dates({
  periodStart,
  periodEnd,
}: {
  readonly periodStart: string
  readonly periodEnd: string
}): string {
  return periodStart === periodEnd ? periodStart : `${periodStart} to ${periodEnd}`
}

export function nameRule(rule: ExplainedRule): string {
  return rule.kind === 'achievement'
    ? `The achievement ${quoteKey(rule.achievement)}`
    : `The trigger of ${nameTrigger(rule)}`
}

/** `"xp" that pays 10 for every 5 of "words"`. */
export function nameTrigger({ system, points, pays }: ExplainedTrigger): string {
  const name = quoteKey(system)
  switch (pays.for) {
    case 'metric':
      return `${name} that pays ${points} for every ${pays.threshold} of ${quoteKey(pays.metric)}`
    case 'achievement':
      return `${name} that pays ${points} for the achievement ${quoteKey(pays.achievement)}`
    case 'streak':
      return `${name} that pays ${points} for every ${pays.length} of ${theStreak(pays)}`
    case 'user_creation':
      return `${name} that pays ${points} for a new user`
    case 'time':
      return `${name} that pays ${points} every ${pays.count === 1 ? pays.unit : quantity(pays.count, pays.unit)}`
    default:
      return pays satisfies never
  }
}

export function describeDifference({ attribute, expected, actual }: AttributeDifference): string {
  const is = actual === null ? 'was not set' : `was ${quoteKey(actual)}`
  return `${quoteKey(attribute)} ${is} instead of ${quoteKey(expected)}`
}

/** `2 of 3 of "words"`. */
function describeNeed({ metric, sum, threshold, aggregation }: StreakNeed): string {
  if (aggregation !== undefined && aggregation !== 'distinct') return `${quoteKey(metric)} at ${sum}`
  return threshold === null
    ? `${sum} of ${quoteKey(metric)}, which counts above 0`
    : `${sum} of ${threshold} of ${quoteKey(metric)}`
}

/** What the period has of everything that keeps the streak. */
export function describeNeeds({ needs, evaluationMode, days }: StreakNeeds): string {
  if (days !== undefined) return `${days.reached} of ${quantity(days.needed, 'day')}`
  return joined(needs.map(describeNeed), evaluationMode === 'OR' ? 'or' : 'and')
}

/** What has to be added for the period to count. */
export function describeMissing({ needs, evaluationMode, days }: StreakNeeds): string {
  if (days !== undefined && days.reached < days.needed) return `${quantity(days.needed - days.reached, 'more day')}`
  const open = needs.filter(({ isReached }) => !isReached)
  // The rule has become easier since.
  if (open.length === 0) return 'one more event'
  const parts = open.map(({ metric, sum, missing, threshold, aggregation }) => {
    if (missing !== null) return `${missing} more of ${quoteKey(metric)}`
    if (aggregation !== undefined) return `an event of ${quoteKey(metric)}${describeGoal(aggregation, threshold)}`
    return sum < 0 ? `more than ${-sum} of ${quoteKey(metric)}` : `anything above 0 of ${quoteKey(metric)}`
  })
  return joined(parts, evaluationMode === 'OR' ? 'or' : 'and')
}

function describeGoal(aggregation: NonNullable<StreakNeed['aggregation']>, threshold: number | null): string {
  return threshold === null ? '' : ` with ${threshold} or ${aggregation === 'min' ? 'less' : 'more'}`
}

export function describeTimes(count: number | undefined): string {
  return count === undefined ? '' : `, ${count === 1 ? 'once' : `${count} times`} so far`
}
