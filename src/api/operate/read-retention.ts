import { isInControlGroup } from '../../game/ids.ts'
import { createPause } from '../../record/replay/read-log.ts'
import { type Day, endOfDate } from '../../rules/calendar.ts'
import type { Call } from '../../runtime/context.ts'
import type { FirstDays } from '../../storage/overview.ts'
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

export async function readRetention(call: Call, request: unknown): Promise<RetentionResponse> {
  const { from, to } = parse(activityRequest, request, 'request')
  const { storage, tenant, now } = call
  const { controlRatio } = (await call.games.current(storage)).game
  const range = { from: endOfDate('UTC', from - 1), before: endOfDate('UTC', to) }
  const today = Math.floor(now() / DAY_MS)
  const users: FirstDays[] = []
  const start = performance.now()
  const pause = createPause()
  let isWhole = false
  while (!isWhole && users.length < MOST_USERS && performance.now() - start < ENOUGH_MS) {
    const after = users.at(-1)
    const place = after === undefined ? {} : { after }
    const found = await storage.firstDays(tenant, { ...range, ...place, days: LAST_DAY, limit: MOST_IN_READ })
    users.push(...found)
    isWhole = found.length < MOST_IN_READ
    await pause()
  }
  const groups = [false, true].map((isControl) => {
    const own = users.filter(({ user }) => isInControlGroup({ tenant, user }, controlRatio) === isControl)
    return toGroup(isControl, own, today)
  })
  return { isWhole, groups }
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
