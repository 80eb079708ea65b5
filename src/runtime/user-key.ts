import type { UserKey } from '../storage/rows.ts'

/** A key that is unique for each tenant and user. */
export function userKeyText({ tenant, user }: UserKey): string {
  return `${tenant.length} ${tenant}${user}`
}
