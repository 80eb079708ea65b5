import {
  type FindUsersOptions,
  type FoundUsers,
  LOOKED_AT,
  type TenantsOptions,
  type TenantUsers,
} from '../../src/storage.ts'
import { lowerCase } from '../sql/found-users.ts'
import { removeOf } from './outbox.ts'
import { CHUNK, compareText } from './read.ts'
import type { Memory } from './write.ts'

export function findUsers(
  { users }: Memory,
  tenant: string,
  { search, after, limit = CHUNK }: FindUsersOptions,
): FoundUsers {
  const following = [...users.values()]
    .filter(({ key }) => key.tenant === tenant && (after === undefined || compareText(key.user, after) > 0))
    .sort((a, b) => compareText(a.key.user, b.key.user))
  const looked = search === undefined ? following : following.slice(0, LOOKED_AT)
  const wanted = lowerCase(search ?? '')
  const found = looked.filter(({ key, state }) =>
    [key.user, state.profile.name ?? ''].some((text) => lowerCase(text).includes(wanted)),
  )
  const page = found.slice(0, limit)
  const end = found.length > limit ? page.at(-1) : looked.length < following.length ? looked.at(-1) : undefined
  return {
    users: page.map(({ key, state: { totals, tallies, completions, points, ...state } }) => ({
      user: key.user,
      state,
    })),
    last: end?.key.user ?? null,
  }
}

export function listTenants({ users }: Memory, { after, limit = CHUNK }: TenantsOptions): TenantUsers[] {
  const counts = new Map<string, number>()
  for (const { key, state } of users.values()) {
    if (state.mergedInto === null) counts.set(key.tenant, (counts.get(key.tenant) ?? 0) + 1)
  }
  return [...counts]
    .map(([tenant, count]) => ({ tenant, users: count }))
    .filter(({ tenant }) => after === undefined || compareText(tenant, after) > 0)
    .sort((a, b) => compareText(a.tenant, b.tenant))
    .slice(0, limit)
}

export function clearTenant({ keys, outbox }: Memory, tenant: string): void {
  removeOf(outbox, { tenant })
  for (const { prefix, owner } of [...keys.values()]) if (owner?.tenant === tenant) keys.delete(prefix)
}
