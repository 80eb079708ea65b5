import { toPreferences, toSuspension, toUser } from '../../answers/users.ts'
import { liveInstant, MOST_ALIASES, requireUser, tooManyAliases } from '../../record/accept/accept-command.ts'
import type { Instant } from '../../rules/calendar.ts'
import { underGame } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import type { Call, CurrentGame } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import { onNewestGame } from '../../runtime/newest-game.ts'
import type * as Types from '../../shapes/users.ts'
import { loadUser, type ReadUserOptions } from '../../sql/read-user.ts'
import { findUsers } from '../../sql/user-lists.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage, StoredUser } from '../../storage/storage.ts'
import type { ParsedUsersRequest } from './requests.ts'

export interface UserInGame extends CurrentGame {
  /** The user whose state it is: of a merged user, the one who remains. */
  readonly key: UserKey
  /** Under the newest game, not settled. */
  readonly state: UserState
  readonly storedUser: StoredUser
  /** The clock, or the instant of the newest entry when the clock went back. */
  readonly at: Instant
}

/** A user as of one moment; in place of a merged user, the one who remains. Throws `unknown_user`. */
export async function readUser(call: Call, user: string, options: ReadUserOptions = {}): Promise<UserInGame> {
  let key = { tenant: call.tenant, user }
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const read = await readNamed(call, key, options)
    if (typeof read !== 'string') return read
    await call.confirm?.()
    key = { ...key, user: read }
  }
  throw tooManyAliases(user)
}

/** Reads a user. For a merged user, returns the id of the user into whom it was merged. */
function readNamed(call: Call, key: UserKey, options: ReadUserOptions): Promise<UserInGame | string> {
  return onNewestGame<UserInGame | string>(call, key, options, 'it was read', (storedUser, current) => {
    const known = requireUser(storedUser.state, key.user)
    if (known.mergedInto !== null) return known.mergedInto
    const at = liveInstant(known, call.now())
    return { ...current, key, state: underGame(current.games, known, current.epoch, at).state, storedUser, at }
  })
}

export async function getUser(call: Call, id: string): Promise<Types.User> {
  const { key, game, state } = await readUser(call, id)
  return toUser(game, key, state)
}

export async function listUsers(
  call: Call,
  { search, after, limit }: ParsedUsersRequest,
): Promise<Types.UsersResponse> {
  const { tenant } = call
  const { game } = await call.games.current(call.storage)
  const { users, last } = await findUsers(call.storage, tenant, { limit, ...withoutUndefined({ search, after }) })
  const listed: Types.ListedUser[] = []
  const damaged: Types.DamagedUser[] = []
  for (const found of users) {
    const { user } = found
    if ('damage' in found) damaged.push({ tenant, user, message: found.damage })
    else {
      const { suspended, mergedInto } = found.state
      listed.push({ ...toUser(game, { tenant, user }, found.state), suspended: toSuspension(suspended), mergedInto })
    }
  }
  return { users: listed, damaged, after: last }
}

export async function readPreferences(call: Call, id: string): Promise<Types.UserPreferences> {
  const { game, state } = await readUser(call, id)
  return toPreferences(game, state.preferences)
}

/** The user that an id leads to. For a merged user, the user into whom it was merged. */
export async function followMerges(
  call: { readonly storage: Storage; readonly confirm?: Call['confirm'] },
  named: UserKey,
): Promise<{ readonly key: UserKey; readonly state: UserState | null }> {
  let key = named
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const { state } = await loadUser(call.storage, key)
    const into = state?.mergedInto ?? null
    if (into === null) return { key, state }
    await call.confirm?.()
    key = { tenant: key.tenant, user: into }
  }
  throw tooManyAliases(named.user)
}
