import { type EventSummary, eventSummaryRequest } from '../../../requests/event-summary.ts'
import { parse } from '../../../requests/input.ts'
import { metricKey } from '../../../requests/metric-event.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { WeekStart } from '../../../rules/calendar.ts'
import { firstDayOf, lastDayOf, periodOf, toDateText } from '../../../rules/calendar.ts'
import { add } from '../../../rules/total.ts'
import type { LoggedValue } from '../../../storage.ts'
import type { EventSummaryItem } from '../../answers/wire/metric.ts'
import { readAllValues } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import { activeMetric } from './read-metrics.ts'
import { readUser } from './read-user.ts'

/** A user's events of one metric over time, on the local dates on which they counted. */
export async function summarizeEvents(
  context: Context,
  tenant: string,
  id: unknown,
  metric: unknown,
  request: unknown,
): Promise<readonly EventSummaryItem[]> {
  const named = parseUserId(id)
  const key = parse(metricKey, metric, 'metric key')
  const summary = parse(eventSummaryRequest, request, 'summary request')
  const { user, game } = await readUser(context, tenant, named)
  activeMetric(game, key)
  const events = await readAllValues(context.storage, { tenant, user }, key)
  return toSummary(summary, game.weekStartsOn, events)
}

/** Each value is added on its own, in the order of the log, so that the totals are those of the events' answers. */
export function toSummary(
  { aggregation, startDate, endDate }: EventSummary,
  weekStartsOn: WeekStart,
  values: readonly LoggedValue[],
): readonly EventSummaryItem[] {
  const ordered = values.filter(({ date }) => date <= endDate).toSorted((left, right) => left.date - right.date)
  const items: EventSummaryItem[] = []
  const last = periodOf(aggregation, weekStartsOn, endDate)
  let total = 0
  let next = 0
  for (let period = periodOf(aggregation, weekStartsOn, startDate); period <= last; period += 1) {
    const end = lastDayOf(aggregation, weekStartsOn, period)
    let change = 0
    for (let event = ordered[next]; event !== undefined && event.date <= end; event = ordered[next]) {
      total = add(total, event.value)
      if (event.date >= startDate) change = add(change, event.value)
      next += 1
    }
    items.push({ date: toDateText(firstDayOf(aggregation, weekStartsOn, period)), total, change })
  }
  return items
}
