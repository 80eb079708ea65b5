import { type EventSummary, eventSummaryRequest } from '../../../requests/event-summary.ts'
import { parse } from '../../../requests/input.ts'
import { metricKey } from '../../../requests/metric-event.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { WeekStart } from '../../../rules/calendar.ts'
import { afterDate, beforeDate, firstDayOf, lastDayOf, periodOf, toDateText } from '../../../rules/calendar.ts'
import type { UserState } from '../../../rules/state.ts'
import { add } from '../../../rules/total.ts'
import type { LoggedValue } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { activeMetric } from '../../answers/known-names.ts'
import type { EventSummaryItem } from '../../answers/wire/metric.ts'
import { behind, readValuesOf, type Stretch } from '../../replay/read-log.ts'
import { readStart } from '../../replay/read-start.ts'
import type { Context } from '../../types.ts'
import { type ReadUser, readUser } from './read-user.ts'

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
  const read = await readUser(context, tenant, named)
  activeMetric(read.game, key)
  const user = { tenant, user: read.user }
  const { before, stretch } = await readBefore(context, user, read, summary)
  const values = await readValuesOf(context.storage, user, key, stretch)
  return toSummary(summary, read.game.weekStartsOn, { total: before?.totals.get(key)?.total ?? 0, values, plus: add })
}

/** The lines to read for a summary, and the state that those before them have left; null: there are none before. */
export async function readBefore(
  { storage }: Context,
  user: UserKey,
  read: ReadUser,
  { startDate, endDate }: EventSummary,
): Promise<{ readonly before: UserState | null; readonly stretch: Stretch }> {
  const start = await readStart((until) => storage.readSnapshot(user, until), read, beforeDate(startDate))
  const after = start === null ? null : { at: start.at, seq: start.seq }
  return { before: start?.state ?? null, stretch: { after, until: behind(afterDate(endDate)) } }
}

export interface Summed {
  /** The total before the first value. */
  readonly total: number
  /** In the order of the log. */
  readonly values: readonly LoggedValue[]
  /** How the total of an answer comes from the one before. */
  plus(total: number, value: number): number
}

/** Each value is added on its own, in the order of the log, so that the totals are those of the events' answers. */
export function toSummary(
  { aggregation, startDate, endDate }: EventSummary,
  weekStartsOn: WeekStart,
  { total: first, values, plus }: Summed,
): readonly EventSummaryItem[] {
  const within = values.filter(({ date }) => date >= startDate && date <= endDate)
  const ordered = within.toSorted((left, right) => left.date - right.date)
  const items: EventSummaryItem[] = []
  const last = periodOf(aggregation, weekStartsOn, endDate)
  let total = values.reduce((sum, { date, value }) => (date < startDate ? plus(sum, value) : sum), first)
  let next = 0
  for (let period = periodOf(aggregation, weekStartsOn, startDate); period <= last; period += 1) {
    const end = lastDayOf(aggregation, weekStartsOn, period)
    let change = 0
    for (let event = ordered[next]; event !== undefined && event.date <= end; event = ordered[next]) {
      total = plus(total, event.value)
      change = plus(change, event.value)
      next += 1
    }
    items.push({ date: toDateText(firstDayOf(aggregation, weekStartsOn, period)), total, change })
  }
  return items
}
