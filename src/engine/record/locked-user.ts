import type { HeldStorage, ReadUserOptions, UserView } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { chain } from '../accept/chain.ts'
import type { ReadChunk } from '../replay/read-log.ts'
import type { Eventually } from '../types.ts'

/** A user whom nobody else can change meanwhile, and whose log is read as it stands. */
export interface LockedUser {
  readonly view: UserView
  readonly readLog: ReadChunk
}

export function lockUser(held: HeldStorage, key: UserKey, options: ReadUserOptions): Eventually<LockedUser> {
  return chain(held.lockUser(key, options), (view) => ({ view, readLog: (place) => held.readLog(key, place) }))
}
