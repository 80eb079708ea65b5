import type { Change } from './change.ts'
import type { Entry, EventRecorded } from './entry.ts'
import { aggregationOf, countsEvents, type Game, matches, type Tallied } from './game.ts'
import { addOn, greatestAround } from './limit.ts'
import type { RunningTotal, UserState } from './state.ts'
import { addTo } from './total.ts'

/** The total that counts towards a rule: the metric's total, or the rule's own tally. */
export function runningOf({ tally, metric }: Tallied, { totals, tallies }: UserState): RunningTotal | undefined {
  return tally === null ? totals.get(metric) : tallies.get(tally)
}

export function tallyEvent(game: Game, before: UserState, entry: Entry & EventRecorded): readonly Change[] {
  const changes: Change[] = []
  for (const rule of game.byMetric.get(entry.metric)?.tallied ?? []) {
    const { tally } = rule
    if (tally === null || !isCounted(rule, before, entry)) continue
    const value = countsEvents(rule) ? 1 : entry.value
    const known = before.tallies.get(tally)
    if ('within' in rule && rule.within !== null) {
      const sums = addOn(before.dateSums.get(tally) ?? [], entry.dating.date, value, rule.within)
      // The tally is the best window so far.
      const best = Math.max(known?.total ?? 0, greatestAround(rule.within, sums, entry.dating.date))
      changes.push(
        { type: 'dateSummed', key: tally, sums },
        { type: 'tallyChanged', rule: tally, total: best, highest: best },
      )
    } else {
      const aggregation = countsEvents(rule) ? 'sum' : aggregationOf(game, entry.metric)
      changes.push({ type: 'tallyChanged', rule: tally, ...addTo(aggregation, known, value) })
    }
  }
  return changes
}

/** User attributes filter which events a trigger counts, but only who may complete an achievement. */
function isCounted(rule: Tallied, { profile }: UserState, { attributes }: EventRecorded): boolean {
  if (!matches(rule.eventAttributes, attributes)) return false
  return !('threshold' in rule) || matches(rule.userAttributes, profile.attributes)
}
