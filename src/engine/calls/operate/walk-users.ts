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

/** So many of the users, each as likely as any other; all where there are no more. */
export async function* drawUsers(
  users: AsyncIterable<UserKey>,
  count: number,
  signal: AbortSignal | undefined,
): AsyncIterable<UserKey> {
  const drawn: UserKey[] = []
  let seen = 0
  for await (const key of users) {
    signal?.throwIfAborted()
    seen += 1
    const place = drawn.length < count ? drawn.length : Math.floor(Math.random() * seen)
    if (place < count) drawn[place] = key
  }
  yield* drawn
}

/** Works on so many users at once, and answers in their order. Nothing is under way when it ends. */
export async function* several<T>(
  users: AsyncIterable<UserKey>,
  atOnce: number,
  work: (key: UserKey) => Promise<T>,
): AsyncIterable<T> {
  const underWay: Promise<T>[] = []
  try {
    for await (const key of users) {
      underWay.push(work(key))
      // A failure is told when its turn comes.
      underWay.at(-1)?.catch(() => undefined)
      const first = underWay.length < atOnce ? undefined : underWay.shift()
      if (first !== undefined) yield await first
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first
  } finally {
    await Promise.allSettled(underWay)
  }
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
