import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import type { ReadUserOptions, UserView } from '../storage.ts'
import type { UserKey } from '../storage-rows.ts'
import type { Context, CurrentGame } from './types.ts'

/** The answer of work that has to be done once more: the user has changed meanwhile, … */
export const CHANGED: unique symbol = Symbol('changed')
/** … or a game was stored that this process has not read yet. */
export const OUTDATED: unique symbol = Symbol('outdated')

export type Again = typeof CHANGED | typeof OUTDATED

const MOST_TRIES = 100

/**
 * Does `work` under the newest game, once more while it answers that the user or the game has changed; other work of the
 * process goes on in between. Throws `unavailable` after a hundred tries: `what` says what was tried.
 */
export async function untilDone<T>(
  { storage, games }: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  what: string,
  work: (current: CurrentGame, tries: number) => Promise<T | Again>,
): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (tries > 1) await nextTurn()
    const done = await work(await games.current(storage), tries)
    if (done === OUTDATED) await games.refresh(storage)
    else if (done !== CHANGED) return done
  }
  const who = `The user ${JSON.stringify(key.user)} or the game changed ${MOST_TRIES} times while ${what}`
  throw new GamificationError('unavailable', `${who}: try again.`)
}

/** As `untilDone`, with the user as it is read under that game. */
export async function onNewestGame<T>(
  context: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  options: ReadUserOptions,
  what: string,
  work: (view: UserView, current: CurrentGame, tries: number) => T | Again | Promise<T | Again>,
): Promise<T> {
  return untilDone(context, key, what, async (current, tries) => {
    const view = await context.storage.readUser(key, options)
    return view.epoch === current.epoch ? work(view, current, tries) : OUTDATED
  })
}
