import type { UserState } from '../../src/rules/state.ts'
import type { Told } from '../../src/storage-outbox.ts'
import type { UserKey } from '../../src/storage-rows.ts'

/** A user as this process left it, which may be out of date: a save says so. */
export interface KnownUser {
  readonly state: UserState
  readonly version: number
  readonly told: Told | null
}

/** The users written last, so that most batches need not read before they write. */
export interface StateCache {
  get(key: UserKey): KnownUser | undefined
  put(key: UserKey, user: KnownUser): void
  remove(key: UserKey): void
  clear(): void
}

const MOST_USERS = 10_000

export function createStateCache(): StateCache {
  // The map's order is that of the last writes.
  const users = new Map<string, KnownUser>()
  const idOf = ({ tenant, user }: UserKey): string => `${tenant.length} ${tenant}${user}`
  return {
    get: (key) => users.get(idOf(key)),
    put: (key, user) => {
      const id = idOf(key)
      users.delete(id)
      users.set(id, user)
      if (users.size <= MOST_USERS) return
      for (const oldest of users.keys()) {
        users.delete(oldest)
        break
      }
    },
    remove: (key) => void users.delete(idOf(key)),
    clear: () => users.clear(),
  }
}
