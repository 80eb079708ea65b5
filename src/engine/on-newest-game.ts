import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import type { ReadUserOptions, UserView } from '../storage.ts'
import type { UserKey } from '../storage-rows.ts'
import type { Context, CurrentGame } from './types.ts'

/** The answer of work that has to be done once more: the user has changed meanwhile, … */
export const CHANGED: unique symbol = Symbol('changed')
/** … or a game was stored that this process has not read yet. */
export const OUTDATED: unique symbol = Symbol('outdated')

type Again = typeof CHANGED | typeof OUTDATED

const MOST_TRIES = 100
/** So often a user may change while its log is folded; after that nobody else may write to it during the fold. */
export const MOST_FREE_TRIES = 5

/**
 * Reads a user under the newest game and does `work` with both, once more while it answers that either has changed;
 * other work of the process goes on in between. Throws `unavailable` after a hundred tries: `what` says what was tried.
 */
export async function onNewestGame<T>(
  context: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  options: ReadUserOptions,
  what: string,
  work: (view: UserView, current: CurrentGame, tries: number) => T | Again | Promise<T | Again>,
): Promise<T> {
  const { storage, games } = context
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (tries > 1) await nextTurn()
    const current = await games.current(storage)
    const view = await storage.readUser(key, options)
    const done = view.epoch === current.epoch ? await work(view, current, tries) : OUTDATED
    if (done === OUTDATED) await games.refresh(storage)
    else if (done !== CHANGED) return done
  }
  const who = `The user ${JSON.stringify(key.user)} or the game changed ${MOST_TRIES} times while ${what}`
  throw new GamificationError('unavailable', `${who}: try again.`)
}
