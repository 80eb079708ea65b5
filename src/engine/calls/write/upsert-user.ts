import { parse } from '../../../requests/input.ts'
import { type ParsedUpdate, parseUserId, toPatch, userUpdate, userUpsert } from '../../../requests/user.ts'
import { chain } from '../../accept/chain.ts'
import { toUser } from '../../answers/user.ts'
import type { User } from '../../answers/wire/user.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { Context, Door, Eventually } from '../../types.ts'

/** Creates the user, or updates the one that is there. */
export function createUser(context: Context, door: Door, tenant: string, request: unknown): Eventually<User> {
  const { id, ...update } = parse(userUpsert, request, 'user')
  return saveUser(context, door, tenant, id, update, true)
}

/** Creates or updates: the id given decides, whatever the update says. */
export function identifyUser(
  context: Context,
  door: Door,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<User> {
  return saveUser(context, door, tenant, parseUserId(id), parse(userUpdate, request, 'user'), true)
}

/** Updates only: `unknown_user` when there is none. */
export function updateUser(
  context: Context,
  door: Door,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<User> {
  return saveUser(context, door, tenant, parseUserId(id), parse(userUpdate, request, 'user'), false)
}

function saveUser(
  context: Context,
  door: Door,
  tenant: string,
  user: string,
  update: ParsedUpdate,
  createsUser: boolean,
): Eventually<User> {
  const profile = toPatch(update)
  const submission = { tenant, user, profile, body: { kind: 'userUpserted' } as const, createsUser }
  return chain(submit(context, door, submission), (outcome) =>
    toUser(outcome.game, { tenant, user: outcome.user }, stateAfter(outcome)),
  )
}
