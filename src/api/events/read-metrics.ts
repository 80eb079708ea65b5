import { gameFor, visibleAchievements, withProgress } from '../../answers/achievements.ts'
import { behind, type LogRange, readValuesOf } from '../../record/replay/log-range.ts'
import { readStart } from '../../record/replay/replay-start.ts'
import {
  afterDate,
  beforeDate,
  firstDayOf,
  type Instant,
  lastDayOf,
  type Period,
  periodOf,
  toDateText,
  type WeekStart,
} from '../../rules/calendar.ts'
import { aggregationOf, type Game, type Metric } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { add, aggregate } from '../../rules/total.ts'
import type { Call, Context } from '../../runtime/context.ts'
import type { EventSummaryItem, MetricResponse } from '../../shapes/events.ts'
import type { DatedValue } from '../../sql/log.ts'
import { loadSnapshot } from '../../sql/read-user.ts'
import { runSteps } from '../../storage/steps.ts'
import { activeMetric } from '../named-parts.ts'
import { readUser, type UserInGame } from '../users/read-user.ts'
import type { EventSummary } from './requests.ts'

export async function listUserMetrics(call: Call, user: string): Promise<readonly MetricResponse[]> {
  const { game: current, state, at } = await readUser(call, user)
  const game = gameFor(call, current, state)
  return [...game.metrics.values()]
    .filter(({ status }) => status === 'active')
    .map((metric) => toMetric(game, metric, state, at))
}

export async function readUserMetric(call: Call, user: string, key: string): Promise<MetricResponse> {
  const { game: current, state, at } = await readUser(call, user)
  const game = gameFor(call, current, state)
  return toMetric(game, activeMetric(game, key), state, at)
}

function toMetric(game: Game, metric: Metric, state: UserState, at: Instant): MetricResponse {
  const { id, key, name, status, unit, aggregation } = metric
  const achievements = visibleAchievements(game, state)
    // The metric of a hidden achievement is hidden too.
    .filter((each) => each.isHidden !== true && each.trigger === 'metric' && each.metric === key)
    .map((achievement) => withProgress(game, achievement, state, at))
  const current = state.totals.get(key)?.total ?? 0
  const units = unit === null ? {} : { units: unit }
  return { id, key, name, status, ...units, ...(aggregation === 'sum' ? {} : { aggregation }), current, achievements }
}

export async function summarizeEvents(
  call: Call,
  user: string,
  key: string,
  summary: EventSummary,
): Promise<readonly EventSummaryItem[]> {
  const read = await readUser(call, user)
  activeMetric(read.game, key)
  const { before, logRange } = await readBefore(call, read, summary)
  const values = await readValuesOf(call.storage, read.key, key, logRange)
  const aggregation = aggregationOf(read.game, key)
  const plus = (total: number | undefined, value: number): number => aggregate(aggregation, total, value)
  const items = toSummary(summary, read.game.weekStartsOn, { total: before?.totals.get(key)?.total, values, plus })
  if (aggregation === 'sum') return items
  // The changes are the differences of the totals.
  const first = before?.totals.get(key)?.total ?? 0
  return items.map((item, index) => ({ ...item, change: add(item.total, -(items[index - 1]?.total ?? first)) }))
}

/**
 * The lines to read for a summary, and the state that those before them have left, or `null` if there are none before.
 */
export async function readBefore(
  { storage }: Context,
  read: UserInGame,
  { startDate, endDate }: EventSummary,
): Promise<{ readonly before: UserState | null; readonly logRange: LogRange }> {
  const start = await runSteps(
    readStart((until) => loadSnapshot(storage, read.key, until), read, beforeDate(startDate)),
  )
  const after = start === null ? null : { at: start.at, seq: start.seq }
  return { before: start?.state ?? null, logRange: { after, until: behind(afterDate(endDate)) } }
}

export interface Summed {
  /** The total before the first value, or `undefined` if there was none. */
  readonly total: number | undefined
  /** One entry of a user's log. Entries follow in the order of the log. */
  readonly values: readonly DatedValue[]
  /** How the total of an answer comes from the one before. */
  plus(total: number | undefined, value: number): number
}

/** A change of zone moves the date back by at most this many days. */
const MOST_BACK = 2

/**
 * Adds each value on its own and in the order of the log, so that the totals match the answers of the events. A change
 * of zone can move dates back, so later entries can belong to an earlier period.
 */
export function toSummary(
  { aggregation, startDate, endDate }: EventSummary,
  weekStartsOn: WeekStart,
  { total: first, values, plus }: Summed,
): readonly EventSummaryItem[] {
  const changes = new Map<Period, number>()
  for (const { date, value } of values) {
    if (date < startDate || date > endDate) continue
    const period = periodOf(aggregation, weekStartsOn, date)
    changes.set(period, plus(changes.get(period), value))
  }
  const items: EventSummaryItem[] = []
  const last = periodOf(aggregation, weekStartsOn, endDate)
  let settled = first
  let next = 0
  for (let period = periodOf(aggregation, weekStartsOn, startDate); period <= last; period += 1) {
    const end = Math.min(lastDayOf(aggregation, weekStartsOn, period), endDate)
    for (let value = values[next]; value !== undefined && value.date <= end; value = values[next]) {
      settled = plus(settled, value.value)
      next += 1
    }
    let total = settled
    for (let behind = next; (values[behind]?.date ?? Number.POSITIVE_INFINITY) <= end + MOST_BACK; behind += 1) {
      const value = values[behind]
      if (value !== undefined && value.date <= end) total = plus(total, value.value)
    }
    const date = toDateText(firstDayOf(aggregation, weekStartsOn, period))
    items.push({ date, total: total ?? 0, change: changes.get(period) ?? 0 })
  }
  return items
}
