import { parseUserId } from '../../../requests/user.ts'
import { toPreferences } from '../../answers/user.ts'
import type { UserPreferences } from '../../answers/wire/user.ts'
import type { Context } from '../../types.ts'
import { readUser } from './read-user.ts'

/** What a user wants to be told of, and what streak. */
export async function readPreferences(context: Context, tenant: string, id: unknown): Promise<UserPreferences> {
  const { state } = await readUser(context, tenant, parseUserId(id))
  return toPreferences(state.preferences)
}
