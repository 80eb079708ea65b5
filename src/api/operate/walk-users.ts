import { damageOf } from '../../runtime/damaged-users.ts'
import type { Parsed } from '../../runtime/input.ts'
import { type After, createPause, readPages } from '../../runtime/pages.ts'
import type { DamagedUser } from '../../shapes/users.ts'
import { loadRowOwners } from '../../sql/audit.ts'
import { loadUserKeys } from '../../sql/user-lists.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { followMerges } from '../users/read-user.ts'
import type { AuditOptions } from './requests.ts'

const PAGE = 500

/** All users of a list that `read` reads in pages. Yields to the event loop between them. */
async function* usersAfter(
  after: UserKey | undefined,
  read: (page: { readonly after?: UserKey; readonly limit: number }) => Promise<readonly UserKey[]>,
): AsyncGenerator<UserKey> {
  const pause = createPause()
  const readNext = (next: After<UserKey>) => read({ limit: PAGE, ...next })
  for await (const key of readPages(PAGE, readNext, (last) => last, after === undefined ? {} : { after })) {
    yield key
    await pause()
  }
}

/** Every user who has a log, in order of tenant and user, after the given one. */
export function eachUser(storage: Storage, after?: UserKey): AsyncGenerator<UserKey> {
  return usersAfter(after, (page) => loadUserKeys(storage, page))
}

export function ownersOf(storage: Storage, after?: UserKey): AsyncGenerator<UserKey> {
  return usersAfter(after, (page) => loadRowOwners(storage, page))
}

/** Yields the users of `all`, by tenant and user: of one tenant, or, if `tenant` is null, of all. */
export async function* usersFrom(
  all: typeof eachUser,
  storage: Storage,
  tenant: string | null,
): AsyncGenerator<UserKey> {
  // No user has an empty id.
  for await (const key of all(storage, tenant === null ? undefined : { tenant, user: '' })) {
    if (tenant !== null && key.tenant !== tenant) return
    yield key
  }
}

/** Yields the named users, and after a merged user also the user into whom it was merged. */
export async function* namedUsers(storage: Storage, users: readonly string[], tenant: string): AsyncGenerator<UserKey> {
  const pause = createPause()
  const seen = new Set(users)
  for (const user of new Set(users)) {
    yield { tenant, user }
    const { key } = await followMerges({ storage }, { tenant, user }).catch((error: unknown) => {
      // The caller reports the damage.
      damageOf({ tenant, user }, error)
      return { key: { tenant, user } }
    })
    if (!seen.has(key.user)) yield key
    seen.add(key.user)
    await pause()
  }
}

/**
 * Visits users one by one. Reports damaged users, and continues with the others. `visit` returns how many entries the
 * user has, or `null` for a user that does not count.
 */
export async function walk(
  users: AsyncIterable<UserKey>,
  { onProgress, signal }: Pick<Parsed<AuditOptions>, 'onProgress' | 'signal'>,
  visit: (key: UserKey) => Promise<number | null>,
): Promise<{ readonly users: number; readonly damaged: readonly DamagedUser[] }> {
  const damaged: DamagedUser[] = []
  let count = 0
  let entries = 0
  for await (const key of users) {
    signal?.throwIfAborted()
    try {
      const read = await visit(key)
      if (read === null) continue
      entries += read
    } catch (error) {
      damaged.push(damageOf(key, error))
    }
    count += 1
    onProgress?.({ users: count, entries, last: key })
  }
  onProgress?.({ users: count, entries, last: null })
  return { users: count, damaged }
}

/** Draws this many users at random, each as likely as any other; all if there are no more. */
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

/** Works on up to this many users at once, and yields answers in their order. No work is running when it ends. */
export async function* several<T>(
  users: AsyncIterable<UserKey>,
  atOnce: number,
  work: (key: UserKey) => Promise<T>,
): AsyncIterable<T> {
  const underWay: Promise<T>[] = []
  try {
    for await (const key of users) {
      underWay.push(work(key))
      // A failure is thrown when its turn comes.
      underWay.at(-1)?.catch(() => undefined)
      const first = underWay.length < atOnce ? undefined : underWay.shift()
      if (first !== undefined) yield await first
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first
  } finally {
    await Promise.allSettled(underWay)
  }
}
