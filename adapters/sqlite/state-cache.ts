import type { UserState } from '../../src/rules/state.ts'
import type { Told } from '../../src/storage-outbox.ts'
import type { UserKey } from '../../src/storage-rows.ts'

export interface CachedUser {
  readonly state: UserState
  readonly version: number
  readonly told: Told | null
}

/**
 * The users written last, so that they need not be read before they are written again. Asked within a write transaction
 * only: SQLite's `data_version` then says whether another connection has written since, and nobody can do so meanwhile.
 */
export interface StateCache {
  /** Forgets everything unless `dataVersion` is that of the last time; null: it cannot be told. */
  begin(dataVersion: number | null): void
  get(key: UserKey): CachedUser | undefined
  /** After the commit. */
  put(key: UserKey, user: CachedUser): void
  remove(key: UserKey): void
}

const MOST_USERS = 2_000

export function createStateCache(): StateCache {
  const users = new Map<string, CachedUser>()
  let known: number | null = null
  const idOf = ({ tenant, user }: UserKey): string => `${tenant.length} ${tenant}${user}`

  return {
    begin: (dataVersion) => {
      if (dataVersion === null || dataVersion !== known) users.clear()
      known = dataVersion
    },
    get: (key) => users.get(idOf(key)),
    remove: (key) => void users.delete(idOf(key)),
    put: (key, user) => {
      if (known === null) return
      const id = idOf(key)
      // The map's order is that of the last writes.
      users.delete(id)
      users.set(id, user)
      if (users.size <= MOST_USERS) return
      for (const oldest of users.keys()) {
        users.delete(oldest)
        break
      }
    },
  }
}
