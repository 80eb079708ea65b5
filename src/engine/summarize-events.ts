import { z } from 'zod'
import { type Day, firstDayOf, lastDayOf, parseDate, periodOf, toDateText } from '../rules/calendar.ts'
import type { WeekStart } from '../rules/game.ts'
import { add } from '../rules/total.ts'
import type { Context } from './context.ts'
import { parse } from './input.ts'
import { activeMetric } from './read-metrics.ts'
import { readUser } from './read-user.ts'
import { metricKey } from './record-event.ts'
import { readWholeLog } from './refold.ts'
import { parseUserId } from './user-input.ts'
import type { EventSummaryItem } from './wire.ts'

export interface EventSummaryRequest {
  readonly aggregation: 'daily' | 'weekly' | 'monthly'
  /** `YYYY-MM-DD`, inclusive. */
  readonly startDate: string
  /** `YYYY-MM-DD`, inclusive: after `startDate`, at most 400 days after it. */
  readonly endDate: string
}

const MOST_DAYS = 400

const day = z.string().transform((text, context): Day => {
  const parsed = parseDate(text)
  if (parsed !== null) return parsed
  context.issues.push({ code: 'custom', message: 'must be a date, YYYY-MM-DD', input: text })
  return 0
})

const summaryRequest = z
  .object({ aggregation: z.enum(['daily', 'weekly', 'monthly']), startDate: day, endDate: day })
  .refine(({ startDate, endDate }) => startDate < endDate, { path: ['startDate'], message: 'must be before endDate' })
  .refine(({ startDate, endDate }) => endDate - startDate <= MOST_DAYS, {
    path: ['endDate'],
    message: `must be at most ${MOST_DAYS} days after startDate`,
  })

type Summary = z.output<typeof summaryRequest>

/** Specification 4.12; decisions, section 7. */
export async function summarizeEvents(
  context: Context,
  tenant: string,
  id: unknown,
  metric: unknown,
  request: unknown,
): Promise<readonly EventSummaryItem[]> {
  const user = parseUserId(id)
  const key = parse(metricKey, metric, 'metric key')
  const summary = parse(summaryRequest, request, 'summary request')
  const { game } = await readUser(context, tenant, user)
  activeMetric(game, key)
  const events: DatedValue[] = []
  for await (const chunk of readWholeLog(context.storage, { tenant, user })) {
    for (const entry of chunk) {
      if (entry.kind !== 'eventRecorded' || entry.metric !== key) continue
      const { date } = entry.dating
      if (date <= summary.endDate) events.push({ date, value: entry.value })
    }
  }
  return toItems(summary, game.weekStartsOn, events)
}

interface DatedValue {
  readonly date: Day
  readonly value: number
}

/** Each value is added on its own, in the order of the log, so that the totals are those of the events' answers. */
function toItems(
  { aggregation, startDate, endDate }: Summary,
  weekStartsOn: WeekStart,
  events: readonly DatedValue[],
): readonly EventSummaryItem[] {
  const ordered = events.toSorted((left, right) => left.date - right.date)
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
