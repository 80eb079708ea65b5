import { isInControlGroup } from '../../game/ids.ts'
import { createPause } from '../../record/replay/read-log.ts'
import { type Day, endOfDate } from '../../rules/calendar.ts'
import type { Call } from '../../runtime/context.ts'
import type { FirstDays, FirstDaysPlace } from '../../storage/overview.ts'
import { parse } from '../input.ts'
import type { RetentionGroup, RetentionResponse } from '../users/types.ts'
import { activityRequest } from './requests.ts'

const DAYS = [1, 7, 14, 30] as const
const LAST_DAY = 30
const DAY_MS = 86_400_000
/** One read takes a few milliseconds for each of its users who are active every day. */
const MOST_IN_READ = 250
const MOST_USERS = 10_000
/** After so many milliseconds it answers the users that it has read. */
const ENOUGH_MS = 2_000

/** Counts which users came back who were created on these dates in UTC, in the control group and outside of it. */
export async function readRetention(call: Call, request: unknown): Promise<RetentionResponse> {
  const { from, to } = parse(activityRequest, request, 'request')
  const { storage, tenant, now } = call
  const { controlRatio } = (await call.games.current(storage)).game
  const range = { from: endOfDate('UTC', from - 1), before: endOfDate('UTC', to) }
  const today = Math.floor(now() / DAY_MS)
  const members: FirstDays[] = []
  const others: FirstDays[] = []
  const start = performance.now()
  const pause = createPause()
  let isWhole = false
  for (let after: FirstDaysPlace | null = null; ; ) {
    const options = { ...range, days: LAST_DAY, limit: MOST_IN_READ, ...(after === null ? {} : { after }) }
    const found: readonly FirstDays[] = await storage.firstDays(tenant, options)
    for (const user of found)
      (isInControlGroup({ tenant, user: user.user }, controlRatio) ? members : others).push(user)
    isWhole = found.length < MOST_IN_READ
    after = found.at(-1) ?? null
    const isEnough = members.length + others.length >= MOST_USERS || performance.now() - start >= ENOUGH_MS
    if (isWhole || isEnough) break
    await pause()
  }
  return { isWhole, groups: [toGroup(false, others, today), toGroup(true, members, today)] }
}

function toGroup(isControl: boolean, users: readonly FirstDays[], today: Day): RetentionGroup {
  const active = users.flatMap(({ active }) => active)
  return {
    isControl,
    users: users.length,
    activeUsers: users.filter((user) => user.active.length > 0).length,
    activeDays: active.length,
    events: active.reduce((sum, { events }) => sum + events, 0),
    days: DAYS.map((day) => {
      const reached = users.filter(({ created }) => created + day < today)
      const hasReturned = ({ created, active }: FirstDays) => active.some(({ date }) => date === created + day)
      return { day, users: reached.length, returned: reached.filter(hasReturned).length }
    }),
  }
}
