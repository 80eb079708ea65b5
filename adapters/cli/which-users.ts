import { GamificationError } from '../../src/errors.ts'
import { quote } from '../../src/game/suggest.ts'
import { checkTenant, type Opened } from './game.ts'
import { wrongCall } from './text.ts'

/** The users that a command walks over. */
export interface WhichUsers {
  /** Ids. Null: all users of all tenants. */
  readonly users: readonly string[] | null
  readonly tenant: string | null
}

/** From `--user` and `--tenant`. */
export function readUsers(given: readonly string[] | undefined, tenant: string | null): WhichUsers {
  if (given?.includes('') === true) throw wrongCall('--user must not be empty')
  if (given === undefined && tenant !== null) {
    throw wrongCall('--tenant says whose the users are: name them with --user, or leave it out to look at all tenants')
  }
  return { users: given === undefined ? null : [...new Set(given)], tenant }
}

/** For the engine. Throws `unknown_user` where nothing at all is kept of a user who was named. */
export async function toWhichUsers(
  { users, tenant }: WhichUsers,
  { game, storage }: Opened,
): Promise<{ readonly users?: readonly string[]; readonly tenant?: string }> {
  if (users === null) return {}
  checkTenant(game, tenant)
  for (const user of users) {
    const key = { tenant: tenant ?? '', user }
    const hasLog = (await storage.readLog(key, { limit: 1 })).length > 0
    if (hasLog || (await storage.audit(key, null)).drift.length > 0) continue
    throw new GamificationError('unknown_user', `There is no user ${quote(user)}.`)
  }
  return { users, ...(tenant === null ? {} : { tenant }) }
}
