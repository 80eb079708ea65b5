import { GamificationError } from '../../errors.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { EntryBody, PersonalStreak } from '../../rules/entry.ts'
import { refusePersonalStreak } from '../../rules/refuse.ts'
import type { Context, WriteMode } from '../../runtime/context.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { parse } from '../input.ts'
import { toPreferences, toSuspension, toUser } from './answer.ts'
import {
  type ParsedUpdate,
  parseUserId,
  suspensionRequest,
  toPatch,
  toPreferencesBody,
  userUpdate,
  userUpsert,
} from './requests.ts'
import type { SuspendedUser, User, UserPreferences } from './types.ts'

/** Creates the user, or updates the one that is there. */
export function createUser(context: Context, mode: WriteMode, tenant: string, request: unknown): Eventually<User> {
  const { id, ...update } = parse(userUpsert, request, 'user')
  return saveUser(context, mode, tenant, id, update, true)
}

/** Creates or updates: the id given decides, whatever the update says. */
export function identifyUser(
  context: Context,
  mode: WriteMode,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<User> {
  return saveUser(context, mode, tenant, parseUserId(id), parse(userUpdate, request, 'user'), true)
}

/** Updates only: `unknown_user` when there is none. */
export function updateUser(
  context: Context,
  mode: WriteMode,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<User> {
  return saveUser(context, mode, tenant, parseUserId(id), parse(userUpdate, request, 'user'), false)
}

function saveUser(
  context: Context,
  mode: WriteMode,
  tenant: string,
  user: string,
  update: ParsedUpdate,
  createsUser: boolean,
): Eventually<User> {
  const profile = toPatch(update)
  const submission = { tenant, user, profile, body: { kind: 'userUpserted' } as const, createsUser }
  return chain(submit(context, mode, submission), (outcome) =>
    toUser(outcome.game, { tenant, user: outcome.user }, stateAfter(outcome)),
  )
}

/** Leaves a user out of leaderboards, past runs included, until the user is restored; all else goes on. */
export function suspendUser(
  context: Context,
  mode: WriteMode,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Eventually<SuspendedUser> {
  const { from, reason = null } = parse(suspensionRequest, request, 'request')
  return record(context, mode, tenant, id, { kind: 'userSuspended', from, reason })
}

/** Puts the user back on leaderboards, as if there had been no suspension. */
export function restoreUser(context: Context, mode: WriteMode, tenant: string, id: unknown): Eventually<SuspendedUser> {
  return record(context, mode, tenant, id, { kind: 'userRestored' })
}

function record(
  context: Context,
  mode: WriteMode,
  tenant: string,
  id: unknown,
  body: EntryBody,
): Eventually<SuspendedUser> {
  const user = parseUserId(id)
  const submission = { tenant, user, profile: null, body, createsUser: false }
  return chain(submit(context, mode, submission), (outcome) => {
    return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
  })
}

/** Changes the preferences that are named; the others stay. */
export function updatePreferences(
  context: Context,
  mode: WriteMode,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  return chain(streak === null ? null : checkCustomization(mode, streak), () =>
    chain(submit(context, mode, { tenant, user, profile: null, body, createsUser: false }), (outcome) =>
      toPreferences(stateAfter(outcome).preferences),
    ),
  )
}

/** Throws where personal streaks are off, whether the user exists or not. */
function checkCustomization(mode: WriteMode, streak: PersonalStreak): Eventually<null> {
  return chain(mode.current(), ({ game }) => {
    const refusal = refusePersonalStreak(game, streak)
    if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
    return null
  })
}
