import { parse } from '../requests/input.ts'
import { type ParsedUpdate, parseUserId, toPatch, userUpdate, userUpsert } from '../requests/user.ts'
import { toUser } from './answers/user.ts'
import type { Context } from './context.ts'
import { perform, stateAfter } from './perform.ts'
import type { User } from './wire.ts'

/** Specification 4.4: creates the user, or updates the one that is there. */
export async function createUser(context: Context, tenant: string, request: unknown): Promise<User> {
  const { id, ...update } = parse(userUpsert, request, 'user')
  return saveUser(context, tenant, id, update, true)
}

/** Specification 4.6: the path's id decides, whatever the body says. */
export async function identifyUser(context: Context, tenant: string, id: unknown, request: unknown): Promise<User> {
  return saveUser(context, tenant, parseUserId(id), parse(userUpdate, request, 'user'), true)
}

/** Specification 4.7: `unknown_user` when there is none. */
export async function updateUser(context: Context, tenant: string, id: unknown, request: unknown): Promise<User> {
  return saveUser(context, tenant, parseUserId(id), parse(userUpdate, request, 'user'), false)
}

async function saveUser(
  context: Context,
  tenant: string,
  user: string,
  update: ParsedUpdate,
  createsUser: boolean,
): Promise<User> {
  const profile = toPatch(update)
  const outcome = await perform(context, { tenant, user, profile, body: { kind: 'userUpserted' }, createsUser })
  return toUser(user, stateAfter(outcome))
}
