import type { UserState } from '../../src/rules/state.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import { type UserKey, userKeyText } from '../../src/storage/rows.ts'

/** A user as this process wrote or read it last. */
export interface CachedUser {
  readonly state: UserState
  readonly version: number
  readonly notices: NoticeCursor | null
}

/** The users written last, so that they need not be read before they are written again. */
export interface CachedUsers {
  get(key: UserKey): CachedUser | undefined
  put(key: UserKey, user: CachedUser): void
  remove(key: UserKey): void
  clear(): void
}

export function createCachedUsers(most: number): CachedUsers {
  // The map's order is that of the last writes.
  const users = new Map<string, CachedUser>()
  return {
    get: (key) => users.get(userKeyText(key)),
    put: (key, user) => {
      const id = userKeyText(key)
      users.delete(id)
      users.set(id, user)
      if (users.size <= most) return
      for (const oldest of users.keys()) {
        users.delete(oldest)
        break
      }
    },
    remove: (key) => void users.delete(userKeyText(key)),
    clear: () => users.clear(),
  }
}
