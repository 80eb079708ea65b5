import { createPause } from '../../record/replay/read-log.ts'
import type { Context } from '../../runtime/context.ts'
import { damageOf, wrapErrors } from '../../runtime/damage.ts'
import { tracedCall } from '../../runtime/tracing.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { parse, tenantId } from '../input.ts'
import { followMerges } from '../users/read-user.ts'
import {
  type ExportOptions,
  type TenantDeletionOptions,
  type TenantsRequest,
  tenantDeletionOptions,
  tenantsRequest,
} from '../users/requests.ts'
import type { DeletedTenant, TenantsResponse } from '../users/types.ts'
import { exportAll, usersAfter, usersFrom } from './export-users.ts'

/** Every user who has a log, in order of tenant and user, after the given one. */
export function eachUser(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(usersAfter(after, (options) => storage.listUsers(options)))
}

/** Everybody who has a row of any kind. */
export function ownersOf(storage: Storage, after?: UserKey): AsyncIterable<UserKey> {
  return inTurns(usersAfter(after, (options) => storage.listOwners(options)))
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

/** Tenants as a whole. In a game without tenants there is one, whose id is empty. */
export interface TenantsApi {
  /** A page of the tenants that have users, in order of id, with their counts. */
  list(request?: TenantsRequest): Promise<TenantsResponse>
  /** Everything that is kept of a tenant's users, as lines of JSON, each with its end. */
  export(id: string, options?: ExportOptions): AsyncGenerator<string>
  /**
   * Deletes the users of a tenant one by one, then all other rows of it. Interrupted, the same call goes on with those
   * that are left; users who come meanwhile may be left too.
   */
  delete(id: string, options?: TenantDeletionOptions): Promise<DeletedTenant>
}

export function createTenants(context: Context): TenantsApi {
  return {
    list: (request) => tracedCall('tenants.list', () => wrapErrors('internal', () => listTenants(context, request))),
    export: (id, options = {}) => exportAll(context, readTenant(id), options),
    delete: (id, options) => tracedCall('tenants.delete', async () => deleteTenant(context, id, options)),
  }
}

async function listTenants({ storage }: Context, request: unknown = {}): Promise<TenantsResponse> {
  const { after, limit } = parse(tenantsRequest, request, 'request')
  // One item more than the page says whether another page follows.
  const found = await storage.tenants({ limit: limit + 1, ...(after === undefined ? {} : { after }) })
  const tenants = found.slice(0, limit).map(({ tenant, users }) => ({ id: tenant, users }))
  return { tenants, after: found.length > limit ? (tenants.at(-1)?.id ?? null) : null }
}

async function deleteTenant({ storage }: Context, given: unknown, options: unknown = {}): Promise<DeletedTenant> {
  const id = readTenant(given)
  const { onProgress, signal } = parse(tenantDeletionOptions, options, 'options')
  const pause = createPause()
  let users = 0
  for await (const { user } of usersFrom(storage, id)) {
    signal?.throwIfAborted()
    if ((await storage.transaction((tx) => tx.removeUser({ tenant: id, user }))) === 'unknown') continue
    users += 1
    onProgress?.({ users, last: user })
    await pause()
  }
  await storage.clearTenant(id)
  return { id, users }
}

/** The id of a tenant: the empty text is that of a game without tenants. */
function readTenant(id: unknown): string {
  return id === '' ? '' : parse(tenantId, id, 'tenant id')
}
