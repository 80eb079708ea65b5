import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import { loadUser, type ReadUserOptions } from '../sql/read-user.ts'
import type { UserKey } from '../storage/rows.ts'
import type { StoredUser } from '../storage/storage.ts'
import type { Context, CurrentGame } from './context.ts'

/** Returned if the work has to be repeated, because the user or the game changed in the meantime. */
export const AGAIN: unique symbol = Symbol('again')

export type Again = typeof AGAIN

/** The most tries of one piece of work. Each failed try lost to a write of another process. */
export const MOST_TRIES = 100

/** Does `work` under the newest game until it is done. Throws `unavailable` after `MOST_TRIES`; `what` names the work. */
export async function untilDone<T>(
  { storage, games }: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  what: string,
  work: (current: CurrentGame) => Promise<T | Again>,
): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (tries > 1) await nextTurn()
    const done = await work(await games.current(storage))
    if (done !== AGAIN) return done
    await games.refresh(storage)
  }
  const who = `The user ${JSON.stringify(key.user)} or the game changed ${MOST_TRIES} times while ${what}`
  throw new GamificationError('unavailable', `${who}: try again.`)
}

/** As `untilDone`, with the user as read under that game. */
export async function onNewestGame<T>(
  context: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  options: ReadUserOptions,
  what: string,
  work: (storedUser: StoredUser, current: CurrentGame) => T | Again | Promise<T | Again>,
): Promise<T> {
  return untilDone(context, key, what, async (current) => {
    const storedUser = await loadUser(context.storage, key, options)
    return storedUser.epoch === current.epoch ? work(storedUser, current) : AGAIN
  })
}
