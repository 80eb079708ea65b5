import type { Storage, UserKey } from '../storage.ts'

const PAGE = 500

/** Every user who has a log, in order of tenant and user, after the given one. */
export function usersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return pages((options) => storage.listUsers(options), after)
}

/** Everybody who has a row of any kind. */
export function ownersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return pages((options) => storage.listOwners(options), after)
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

export async function* namedUsers(users: readonly string[], tenant: string): AsyncIterable<UserKey> {
  for (const user of new Set(users)) yield { tenant, user }
}
