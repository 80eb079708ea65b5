// Criteria: how much a user has of each, and whether that is enough.

import { Decimal } from 'decimal.js'
import { localDate } from '../dates.ts'
import { countOf, type State, streakOf } from './fold.ts'
import { aggregationOf, amountIn, bestWindow, eventsOf } from './totals.ts'
import type { Condition, Criterion, Progress } from './types.ts'

type Criteria = Extract<Condition, { trigger: 'criteria' }>

const DAY = 86_400_000

export const criterionName = (achievement: string, criterion: Criterion): string =>
  `${achievement} ${JSON.stringify(criterion)}`

/** The user's value, and the target. */
function measure(state: State, criterion: Criterion, at: number): { current: number | null; target: number } {
  const { game, events, points } = state
  if ('metric' in criterion) {
    const amount = amountIn(game, events, criterion)
    return { current: isLowest(state, criterion) ? amount : (amount ?? 0), target: criterion.value }
  }
  if ('events' in criterion) {
    const own = eventsOf(events, { ...criterion, metric: criterion.events })
    const current = criterion.within === undefined ? own.length : bestWindow(own, criterion.within.days, () => 1)
    return { current, target: criterion.count }
  }
  if ('streak' in criterion) {
    const key = criterion.streak === 'streak' ? '' : criterion.streak
    return { current: streakOf(state, key, at).length, target: criterion.length }
  }
  if ('level' in criterion) {
    const [system = '', level = ''] = criterion.level.split('.')
    return { current: points.get(system) ?? 0, target: game.points[system]?.levels?.[level]?.points ?? 0 }
  }
  if ('points' in criterion) return { current: points.get(criterion.points) ?? 0, target: criterion.total }
  if ('achievement' in criterion) return { current: Math.min(1, countOf(state, criterion.achievement)), target: 1 }
  const today = localDate(state.tz, at)
  const created = state.isKnown ? localDate(state.tz, state.createdAt) : today
  const { days, since } = criterion.membership
  const first = since === undefined ? created : (state.signUpDate ?? created)
  return { current: (Date.parse(today) - Date.parse(first)) / DAY, target: days }
}

const isLowest = ({ game }: State, criterion: Criterion): boolean =>
  'metric' in criterion && aggregationOf(game, criterion.metric) === 'min'

function isEnough(state: State, criterion: Criterion, at: number): boolean {
  const { current, target } = measure(state, criterion, at)
  if (current === null) return false
  return isLowest(state, criterion) ? current <= target : current >= target
}

/** Once satisfied, a criterion stays so. */
export function latch(state: State, key: string, { of, atLeast = of.length }: Criteria, at: number): boolean {
  for (const criterion of of) if (isEnough(state, criterion, at)) state.satisfied.add(criterionName(key, criterion))
  return of.filter((criterion) => state.satisfied.has(criterionName(key, criterion))).length >= atLeast
}

/** True if time has met a criterion that no entry has judged yet: then a call that changes nothing is an entry too. */
export function isMembershipReached(
  state: State,
  conditions: Iterable<readonly [string, Condition]>,
  at: number,
): boolean {
  return [...conditions].some(([key, condition]) => {
    if (condition.trigger !== 'criteria' || countOf(state, key) > 0) return false
    return condition.of.some(
      (criterion) =>
        'membership' in criterion &&
        !state.satisfied.has(criterionName(key, criterion)) &&
        isEnough(state, criterion, at),
    )
  })
}

/** The ratio is the mean of as many criteria as it takes, those that are furthest. */
export function progressOfCriteria(state: State, key: string, { of, atLeast = of.length }: Criteria, at: number) {
  const criteria = of.map((criterion) => {
    const satisfied = state.satisfied.has(criterionName(key, criterion)) || isEnough(state, criterion, at)
    const { current, target } = measure(state, criterion, at)
    const ratio = satisfied ? 1 : isLowest(state, criterion) ? 0 : ratioOf(current ?? 0, target)
    return { current, target, ratio, satisfied }
  })
  const best = criteria.map(({ ratio }) => ratio).sort((a, b) => b - a)
  const sum = best.slice(0, atLeast).reduce((total, ratio) => total.plus(ratio), new Decimal(0))
  const current = criteria.filter(({ satisfied }) => satisfied).length
  return { current, target: atLeast, ratio: ratioOf(sum.toNumber(), atLeast), criteria } satisfies Progress
}

/** Rounded down to four decimals, and below 1 until the achievement is completed. */
export function ratioOf(current: number, target: number): number {
  const ratio = new Decimal(current).div(target).toDecimalPlaces(4, Decimal.ROUND_DOWN).toNumber()
  return Math.min(0.9999, Math.max(0, ratio))
}
