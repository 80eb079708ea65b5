import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { damageOf } from '../../damage.ts'
import { createPause } from '../../replay/read-log.ts'
import { followMerges } from '../read/follow-merges.ts'

const PAGE = 500

/** Every user who has a log, in order of tenant and user, after the given one. */
export function usersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(pages((options) => storage.listUsers(options), after))
}

/** Everybody who has a row of any kind. */
export function ownersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(pages((options) => storage.listOwners(options), after))
}

/** The named users, and after a merged one the user into whom it was merged. */
export function namedUsers(storage: Storage, users: readonly string[], tenant: string): AsyncIterable<UserKey> {
  return inTurns(withMergesFollowed(storage, [...new Set(users)], tenant))
}

async function* withMergesFollowed(storage: Storage, users: readonly string[], tenant: string): AsyncIterable<UserKey> {
  const seen = new Set(users)
  for (const user of users) {
    yield { tenant, user }
    const { key } = await followMerges(storage, { tenant, user }).catch((error: unknown) => {
      // It is the caller's to report what is damaged.
      damageOf({ tenant, user }, error)
      return { key: { tenant, user } }
    })
    if (!seen.has(key.user)) yield key
    seen.add(key.user)
  }
}

async function* inTurns(keys: AsyncIterable<UserKey> | Iterable<UserKey>): AsyncIterable<UserKey> {
  const pause = createPause()
  for await (const key of keys) {
    yield key
    await pause()
  }
}

async function* pages(
  read: (options: { readonly after?: UserKey; readonly limit: number }) => Promise<readonly UserKey[]>,
  first: UserKey | undefined,
): AsyncIterable<UserKey> {
  let after = first
  for (;;) {
    const keys = await read({ limit: PAGE, ...(after === undefined ? {} : { after }) })
    yield* keys
    after = keys.at(-1)
    if (keys.length < PAGE || after === undefined) return
  }
}
