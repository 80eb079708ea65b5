import type { Instant } from '../../rules/calendar.ts'
import type { CurrentGame } from '../types.ts'

type Boosted = CurrentGame['boosted']

/**
 * The epoch for what happened at `at` and is recorded under `newest`: an earlier one, down to `least`, where only
 * boosts were given, changed or deleted since. So what was done offline gets the boosts of its own time.
 */
export function epochBack(boosted: Boosted, newest: number, least: number, at: Instant): number {
  let epoch = newest
  while (epoch > least && (boosted.get(epoch) ?? at) > at) epoch -= 1
  return epoch
}

/**
 * The same for what lies between two entries: `first` is the epoch of the earlier one, and `last` that of the later.
 */
export function epochBetween(boosted: Boosted, first: number, last: number, at: Instant): number {
  let epoch = first
  while (epoch < last && (boosted.get(epoch + 1) ?? Number.POSITIVE_INFINITY) <= at) epoch += 1
  return epoch
}
