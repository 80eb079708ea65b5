import { type CachedUsers, createCachedUsers } from '../sql/cached-users.ts'

export type { CachedUser } from '../sql/cached-users.ts'

/**
 * The users written last. To be asked within a write transaction only: there SQLite's `data_version` says whether
 * another connection has written since, and none can write meanwhile.
 */
export interface StateCache extends Omit<CachedUsers, 'clear'> {
  /** Forgets everything unless `dataVersion` is that of the last time; null: it cannot be told, and nothing is kept. */
  begin(dataVersion: number | null): void
}

const MOST_USERS = 2_000

export function createStateCache(): StateCache {
  const users = createCachedUsers(MOST_USERS)
  let known: number | null = null

  return {
    begin: (dataVersion) => {
      if (dataVersion === null || dataVersion !== known) users.clear()
      known = dataVersion
    },
    get: users.get,
    remove: users.remove,
    put: (key, user) => {
      if (known !== null) users.put(key, user)
    },
  }
}
