import type { UserKey } from '../storage-rows.ts'
/** A text for each user, and another one for every other. */
export function userKeyText({ tenant, user }: UserKey): string {
  return `${tenant.length} ${tenant}${user}`
}
