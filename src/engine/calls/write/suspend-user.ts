import { parse } from '../../../requests/input.ts'
import { parseUserId } from '../../../requests/user.ts'
import { suspensionRequest } from '../../../requests/users.ts'
import type { EntryBody } from '../../../rules/entry.ts'
import { chain } from '../../accept/chain.ts'
import { toSuspension } from '../../answers/listed-user.ts'
import type { SuspendedUser } from '../../answers/wire/users.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { Context, Door, Eventually } from '../../types.ts'

/** Leaves a user out of leaderboards, past runs included, until the user is restored; all else goes on. */
export function suspendUser(
  context: Context,
  door: Door,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Eventually<SuspendedUser> {
  const { from, reason = null } = parse(suspensionRequest, request, 'request')
  return record(context, door, tenant, id, { kind: 'userSuspended', from, reason })
}

/** Puts the user back on leaderboards, as if there had been no suspension. */
export function restoreUser(context: Context, door: Door, tenant: string, id: unknown): Eventually<SuspendedUser> {
  return record(context, door, tenant, id, { kind: 'userRestored' })
}

function record(context: Context, door: Door, tenant: string, id: unknown, body: EntryBody): Eventually<SuspendedUser> {
  const user = parseUserId(id)
  const submission = { tenant, user, profile: null, body, createsUser: false }
  return chain(submit(context, door, submission), (outcome) => {
    return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
  })
}
