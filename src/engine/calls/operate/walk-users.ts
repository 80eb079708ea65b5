import { setImmediate as turn } from 'node:timers/promises'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'

const PAGE = 500

/** Every user who has a log, in order of tenant and user, after the given one. */
export function usersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(pages((options) => storage.listUsers(options), after))
}

/** Everybody who has a row of any kind. */
export function ownersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(pages((options) => storage.listOwners(options), after))
}

export function namedUsers(users: readonly string[], tenant: string): AsyncIterable<UserKey> {
  return inTurns([...new Set(users)].map((user) => ({ tenant, user })))
}

/** A database in the process answers at once: without a pause nothing else of the host's would have its turn. */
async function* inTurns(keys: AsyncIterable<UserKey> | Iterable<UserKey>): AsyncIterable<UserKey> {
  for await (const key of keys) {
    yield key
    await turn()
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
