import { GamificationError } from '../../errors.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { EntryBody, PersonalStreak } from '../../rules/entry.ts'
import { refusePersonalStreak } from '../../rules/refuse.ts'
import type { WriteCall } from '../../runtime/context.ts'
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

export function createUser(call: WriteCall, request: unknown): Eventually<User> {
  const { id, ...update } = parse(userUpsert, request, 'user')
  return saveUser(call, id, update, true)
}

export function identifyUser(call: WriteCall, id: unknown, request: unknown): Eventually<User> {
  return saveUser(call, parseUserId(id), parse(userUpdate, request, 'user'), true)
}

export function updateUser(call: WriteCall, id: unknown, request: unknown): Eventually<User> {
  return saveUser(call, parseUserId(id), parse(userUpdate, request, 'user'), false)
}

function saveUser(call: WriteCall, user: string, update: ParsedUpdate, createsUser: boolean): Eventually<User> {
  const submission = { user, profile: toPatch(update), body: { kind: 'userUpserted' }, createsUser } as const
  return chain(submit(call, submission), (outcome) =>
    toUser(outcome.game, { tenant: call.tenant, user: outcome.user }, stateAfter(outcome)),
  )
}

export function suspendUser(call: WriteCall, id: unknown, request: unknown = {}): Eventually<SuspendedUser> {
  const { from, reason = null } = parse(suspensionRequest, request, 'request')
  return record(call, id, { kind: 'userSuspended', from, reason })
}

export function restoreUser(call: WriteCall, id: unknown): Eventually<SuspendedUser> {
  return record(call, id, { kind: 'userRestored' })
}

function record(call: WriteCall, id: unknown, body: EntryBody): Eventually<SuspendedUser> {
  return chain(submit(call, { user: parseUserId(id), body }), (outcome) => {
    return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
  })
}

export function updatePreferences(call: WriteCall, id: unknown, request: unknown): Eventually<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  return chain(streak === null ? null : checkCustomization(call, streak), () =>
    chain(submit(call, { user, body }), (outcome) => toPreferences(stateAfter(outcome).preferences)),
  )
}

/** Throws where personal streaks are off, whether the user exists or not. */
function checkCustomization({ mode }: WriteCall, streak: PersonalStreak): Eventually<null> {
  return chain(mode.current(), ({ game }) => {
    const refusal = refusePersonalStreak(game, streak)
    if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
    return null
  })
}
