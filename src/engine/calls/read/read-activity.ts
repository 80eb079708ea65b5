import { parse } from '../../../requests/input.ts'
import { activityRequest } from '../../../requests/overview.ts'
import { type Day, endOfDate, toDateText } from '../../../rules/calendar.ts'
import { roundTo15Digits } from '../../../rules/total.ts'
import type { StoredActivity } from '../../../storage-overview.ts'
import type { ActivityDay, ActivityResponse } from '../../answers/wire/activity.ts'
import { createPause } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'

/** After so many milliseconds it answers the days that it has. */
const ENOUGH_MS = 150

/** What was done on each date in UTC, the newest first: one read a day. */
export async function readActivity(context: Context, tenant: string, request: unknown): Promise<ActivityResponse> {
  const { from, to } = parse(activityRequest, request, 'request')
  const start = performance.now()
  const pause = createPause()
  const days: ActivityDay[] = []
  for (let day = to; day >= from; day -= 1) {
    if (days.length > 0 && performance.now() - start >= ENOUGH_MS) return { days, before: toDateText(day) }
    days.push(toDay(day, await readDay(context, tenant, day)))
    await pause()
  }
  return { days, before: null }
}

async function readDay({ storage, activity, now }: Context, tenant: string, day: Day): Promise<StoredActivity> {
  const known = activity.find(tenant, day)
  if (known !== null) return known
  const end = endOfDate('UTC', day)
  const isOver = end <= now()
  const read = await storage.activity(tenant, endOfDate('UTC', day - 1), end)
  if (isOver) activity.keep(tenant, day, read)
  return read
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
