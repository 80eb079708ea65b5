import type { UserState } from '../../src/rules/state.ts'
import type { UserKey } from '../../src/storage.ts'

/** A user as this process left it, which may be out of date: a save says so. */
export interface KnownUser {
  readonly state: UserState
  readonly version: number
}

/** The users written last, so that most batches need not read before they write. */
export interface StateCache {
  /** Undefined too while most of what is known is out of date, because other processes write the same users. */
  get(key: UserKey): KnownUser | undefined
  /** What the database has of users, by which what was known of them is judged. */
  compare(users: readonly (UserKey & { readonly version: number })[]): void
  put(key: UserKey, user: KnownUser): void
  remove(key: UserKey): void
  clear(): void
}

const MOST_USERS = 10_000
/** A save that finds one user in four changed costs as much as reading all of them first. */
const TRUSTED = 0.75
/** How many of the last comparisons count for most of the judgement. */
const MEMORY = 100

export function createStateCache(): StateCache {
  // The map's order is that of the last writes.
  const users = new Map<string, KnownUser>()
  const idOf = ({ tenant, user }: UserKey): string => `${tenant.length} ${tenant}${user}`
  let trust = 1
  return {
    get: (key) => (trust < TRUSTED ? undefined : users.get(idOf(key))),
    compare: (found) => {
      for (const user of found) {
        const known = users.get(idOf(user))
        if (known !== undefined) trust += ((known.version === user.version ? 1 : 0) - trust) / MEMORY
      }
    },
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
