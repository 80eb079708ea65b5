import { liveInstant, requireUser } from '../../record/accept/accept-command.ts'
import { createPause } from '../../record/replay/read-log.ts'
import { type Day, endOfDate, type Instant, toDateText } from '../../rules/calendar.ts'
import { underGame } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import { roundTo15Digits } from '../../rules/total.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { onNewestGame } from '../../runtime/game-registry.ts'
import type { StoredActivity } from '../../storage/overview.ts'
import type { ReadUserOptions, UserView } from '../../storage/storage.ts'
import { parse } from '../input.ts'
import { activityRequest } from '../operate/requests.ts'
import { toListedUser, toPreferences, toUser } from './answer.ts'
import { parseUserId, usersRequest } from './requests.ts'
import type {
  ActivityDay,
  ActivityResponse,
  DamagedUser,
  ListedUser,
  User,
  UserPreferences,
  UsersResponse,
} from './types.ts'

export interface ReadUser extends CurrentGame {
  /** Whose state it is: the id that was asked for, or that of the user into whom that one was merged. */
  readonly user: string
  /** Under the newest game, not settled. */
  readonly state: UserState
  readonly view: UserView
  /** The clock, or the instant of the newest entry when the clock went back. */
  readonly at: Instant
}

/**
 * A user as of one moment, under the newest game; nothing is written. Of a merged user it reads the one that goes on.
 * Throws `unknown_user`.
 */
export async function readUser(
  context: Context,
  tenant: string,
  user: string,
  options: ReadUserOptions = {},
): Promise<ReadUser> {
  const read = await onNewestGame<ReadUser | string>(
    context,
    { tenant, user },
    options,
    'it was read',
    (view, current) => {
      const known = requireUser(view.state, user)
      if (known.mergedInto !== null) return known.mergedInto
      const at = liveInstant(known, context.now())
      return { ...current, user, state: underGame(current.games, known, current.epoch, at).state, view, at }
    },
  )
  return typeof read === 'string' ? readUser(context, tenant, read, options) : read
}

/** A user; `unknown_user` when there is none. */
export async function getUser(context: Context, tenant: string, id: unknown): Promise<User> {
  const { user, game, state } = await readUser(context, tenant, parseUserId(id))
  return toUser(game, { tenant, user }, state)
}

/** A page of a tenant's users in order of id, those alone whose id or name has a text in it where one is given. */
export async function listUsers(context: Context, tenant: string, request: unknown = {}): Promise<UsersResponse> {
  const { search, after, limit } = parse(usersRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  const { users, last } = await context.storage.findUsers(tenant, {
    limit,
    ...(search === undefined ? {} : { search }),
    ...(after === undefined ? {} : { after }),
  })
  const listed: ListedUser[] = []
  const damaged: DamagedUser[] = []
  for (const found of users) {
    if ('damage' in found) damaged.push({ tenant, user: found.user, message: found.damage })
    else listed.push(toListedUser(game, tenant, found))
  }
  return { users: listed, damaged, after: last }
}

/** What a user wants to be told of, and what streak. */
export async function readPreferences(context: Context, tenant: string, id: unknown): Promise<UserPreferences> {
  const { state } = await readUser(context, tenant, parseUserId(id))
  return toPreferences(state.preferences)
}

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
