import type { Game } from '../../rules/game.ts'
import type { Suspension } from '../../rules/state.ts'
import type { ReadUser } from '../../storage.ts'
import { toInstantText, toUser } from './user.ts'
import type { ListedUser, UserSuspension } from './wire/users.ts'

export function toSuspension(suspended: Suspension | null): UserSuspension | null {
  if (suspended === null) return null
  const { from, reason, since } = suspended
  return { from, reason, since: toInstantText(since) }
}

export function toListedUser(game: Game, tenant: string, { user, state }: ReadUser): ListedUser {
  const { suspended, mergedInto } = state
  return { ...toUser(game, { tenant, user }, state), suspended: toSuspension(suspended), mergedInto }
}
