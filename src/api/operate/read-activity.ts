import { type Day, endOfDate, toDateText } from '../../rules/calendar.ts'
import { roundTo15Digits } from '../../rules/total.ts'
import type { Call } from '../../runtime/context.ts'
import { createPause } from '../../runtime/pages.ts'
import type { ActivityDay, ActivityResponse } from '../../shapes/users.ts'
import { loadActivity, type StoredActivity } from '../../sql/overview.ts'
import type { ParsedActivityRequest } from './requests.ts'

/** After this many milliseconds it returns the days that it has read. */
const ENOUGH_MS = 150

export async function readActivity(
  { storage, tenant }: Call,
  { from, to }: ParsedActivityRequest,
): Promise<ActivityResponse> {
  const start = performance.now()
  const pause = createPause()
  const days: ActivityDay[] = []
  for (let day = to; day >= from; day -= 1) {
    if (days.length > 0 && performance.now() - start >= ENOUGH_MS) return { days, before: toDateText(day) }
    days.push(toDay(day, await loadActivity(storage, tenant, endOfDate('UTC', day - 1), endOfDate('UTC', day))))
    await pause()
  }
  return { days, before: null }
}

function toDay(day: Day, { events, users, newUsers, completions, points }: StoredActivity): ActivityDay {
  const sums = [...points].sort((left, right) => (left.system < right.system ? -1 : 1))
  return {
    date: toDateText(day),
    events,
    activeUsers: users,
    newUsers,
    completions,
    points: Object.fromEntries(sums.map(({ system, sum }) => [system, roundTo15Digits(sum)])),
  }
}
