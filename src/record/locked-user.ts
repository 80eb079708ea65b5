import type { Instant } from '../rules/calendar.ts'
import type { Context, CurrentGame } from '../runtime/context.ts'
import { damagedLog } from '../runtime/damage.ts'
import { type Again, CHANGED, isReplaced, OUTDATED, untilDone } from '../runtime/game-registry.ts'
import type { UserKey } from '../storage/rows.ts'
import type { ReadUserOptions, StorageTransaction, UserView } from '../storage/storage.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import { toReplacement } from './accept-late.ts'
import { ALL_ROWS } from './replay/fold-start.ts'
import type { ReadChunk } from './replay/read-log.ts'

/** A user that no other call can change until the transaction ends, under the game in force. */
export interface LockedUser {
  readonly key: UserKey
  readonly view: UserView
  readonly current: CurrentGame
  readonly readLog: ReadChunk
}

/**
 * Locks a user until the transaction of `storage` ends. `gameOf` gives the game of the epoch that is in force then.
 * CHANGED: the user's state was of a replaced game. It is of the newest one now: lock the user again.
 */
export function lockUser(
  storage: StorageTransaction,
  key: UserKey,
  options: ReadUserOptions,
  gameOf: (epoch: number) => Eventually<CurrentGame | typeof OUTDATED>,
  now: Instant,
): Eventually<LockedUser | Again> {
  const readLog: ReadChunk = (place) => storage.readLog(key, place)
  return chain(storage.lockUser(key, options), (view) =>
    chain(gameOf(view.epoch), (current): Eventually<LockedUser | Again> => {
      if (current === OUTDATED) return OUTDATED
      if (!isReplaced(view.state, current)) return { key, view, current, readLog }
      return chain(storage.lockUser(key, ALL_ROWS), (all) =>
        chain(toReplacement({ key, readLog, current, view: all, now }), (save) => {
          if (save === null) throw damagedLog(key.user)
          return chain(storage.save(key, all, save), (ranks) => (ranks === null ? OUTDATED : CHANGED))
        }),
      )
    }),
  )
}

/** Work on a locked user: `isReplaced` says that the user was brought to the newest game just before. */
type WorkOnUser<T> = (
  tx: StorageTransaction,
  user: LockedUser & { readonly isReplaced: boolean },
) => Eventually<T | Again>

/**
 * Runs `work` on a locked user in a transaction of its own, again if the game has changed meanwhile. The user is brought
 * to the newest game before. `work` must answer at once if the storage does.
 */
export async function withLockedUser<T>(
  context: Pick<Context, 'storage' | 'games' | 'now'>,
  key: UserKey,
  options: ReadUserOptions,
  work: WorkOnUser<T>,
): Promise<T> {
  const { storage, now } = context
  let isNew = false
  return untilDone(context, key, 'it was locked', async (current) => {
    let wasReplaced = false
    const done = await storage.transaction((tx) => {
      const locked = lockUser(tx, key, options, (epoch) => (epoch === current.epoch ? current : OUTDATED), now())
      return chain(locked, (user): Eventually<T | Again> => {
        wasReplaced = user === CHANGED
        return typeof user === 'symbol' ? user : work(tx, { ...user, isReplaced: isNew })
      })
    })
    isNew ||= wasReplaced
    return done
  })
}

/** Replays a user under the newest game if its state is of a replaced one. */
export async function bringToNewestGame(context: Parameters<typeof withLockedUser>[0], key: UserKey): Promise<void> {
  await withLockedUser(context, key, {}, () => null)
}
