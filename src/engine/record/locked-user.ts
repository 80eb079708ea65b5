import type { HeldStorage, ReadUserOptions, UserView } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import type { Pace } from '../accept/award-rows.ts'
import { chain } from '../accept/chain.ts'
import type { ReadChunk } from '../replay/read-log.ts'
import type { Eventually } from '../types.ts'

/** A user whom nobody else can change meanwhile, and whose log is read as it stands. */
export interface LockedUser extends Pace {
  readonly view: UserView
  readonly readLog: ReadChunk
}

export function lockUser(held: HeldStorage, key: UserKey, options: ReadUserOptions): Eventually<LockedUser> {
  const locked = held.lockUser(key, options)
  // A storage that answers at once is given no promise, so it is not to wait for a turn of the event loop either.
  const atOnce = !(locked instanceof Promise)
  return chain(locked, (view) => ({ view, readLog: (place) => held.readLog(key, place), atOnce }))
}
