import type { UserColumns } from './tables.ts'

/** Users whose logs are looked through in one step. */
const USERS_AT_ONCE = 250

export interface EventSearch {
  /** The next users after the one given, in order. */
  listUsers(after: UserColumns, limit: number): Promise<readonly UserColumns[]>
  findAmong(
    after: string,
    last: string,
  ): Promise<readonly { readonly user_id: string; readonly metric: string | null }[]>
}

/**
 * Looks for an event by its id alone, for which no index is kept, as every event would pay for it: a few users' logs at a
 * time, so that nobody waits long.
 */
export async function findEvent(
  search: EventSearch,
  tenant: string,
): Promise<{ readonly user: string; readonly metric: string } | null> {
  let after = ''
  for (;;) {
    const users = await search.listUsers({ tenant_id: tenant, user_id: after }, USERS_AT_ONCE)
    const ofTenant = users.filter(({ tenant_id }) => tenant_id === tenant)
    const last = ofTenant.at(-1)?.user_id
    if (last === undefined) return null
    const [found] = await search.findAmong(after, last)
    if (found !== undefined) return { user: found.user_id, metric: found.metric ?? '' }
    if (users.length < USERS_AT_ONCE || ofTenant.length < users.length) return null
    after = last
    await new Promise((resolve) => setImmediate(resolve))
  }
}
