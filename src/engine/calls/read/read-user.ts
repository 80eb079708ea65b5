import { parseUserId } from '../../../requests/user.ts'
import type { Instant } from '../../../rules/calendar.ts'
import { underGame } from '../../../rules/fold.ts'
import type { UserState } from '../../../rules/state.ts'
import type { ReadUserOptions, UserView } from '../../../storage.ts'
import { liveInstant, requireUser } from '../../accept/accept-command.ts'
import { toUser } from '../../answers/user.ts'
import type { User } from '../../answers/wire/user.ts'
import { onNewestGame } from '../../on-newest-game.ts'
import type { Context, CurrentGame } from '../../types.ts'

export interface ReadUser extends CurrentGame {
  /** Whose state it is: the id that was asked for, or that of the user into whom that one was merged. */
  readonly user: string
  /** Under the newest game, not settled. */
  readonly state: UserState
  readonly view: UserView
  /** The clock, or the instant of the newest entry when the clock went back. */
  readonly at: Instant
}

/**
 * A user as of one moment, under the newest game; nothing is written. Of a merged user it reads the one that goes on.
 * Throws `unknown_user`.
 */
export async function readUser(
  context: Context,
  tenant: string,
  user: string,
  options: ReadUserOptions = {},
): Promise<ReadUser> {
  const read = await onNewestGame<ReadUser | string>(
    context,
    { tenant, user },
    options,
    'it was read',
    (view, current) => {
      const known = requireUser(view.state, user)
      if (known.mergedInto !== null) return known.mergedInto
      const at = liveInstant(known, context.now())
      return { ...current, user, state: underGame(current.games, known, current.epoch, at).state, view, at }
    },
  )
  return typeof read === 'string' ? readUser(context, tenant, read, options) : read
}

/** A user; `unknown_user` when there is none. */
export async function getUser(context: Context, tenant: string, id: unknown): Promise<User> {
  const { user, game, state } = await readUser(context, tenant, parseUserId(id))
  return toUser(game, { tenant, user }, state)
}
