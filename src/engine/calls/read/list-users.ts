import { parse } from '../../../requests/input.ts'
import { usersRequest } from '../../../requests/users.ts'
import { toListedUser } from '../../answers/listed-user.ts'
import type { DamagedUser, ListedUser, UsersResponse } from '../../answers/wire/users.ts'
import type { Context } from '../../types.ts'

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
