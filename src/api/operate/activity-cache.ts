import type { Day } from '../../rules/calendar.ts'
import type { StoredActivity } from '../../storage/overview.ts'

/** Keeps the activity of past days for a while only: late events and voids still change it now and then. */
export interface ActivityCache {
  find(tenant: string, day: Day): StoredActivity | null
  keep(tenant: string, day: Day, activity: StoredActivity): void
}

const KEPT_MS = 60_000
const MOST_KEPT = 10_000

export function createActivityCache(): ActivityCache {
  /** The oldest first. */
  const kept = new Map<string, { readonly activity: StoredActivity; readonly until: number }>()
  const nameOf = (tenant: string, day: Day): string => `${day} ${tenant}`

  return {
    find: (tenant, day) => {
      const found = kept.get(nameOf(tenant, day))
      return found !== undefined && performance.now() < found.until ? found.activity : null
    },
    keep: (tenant, day, activity) => {
      const name = nameOf(tenant, day)
      kept.delete(name)
      const [oldest] = kept.keys()
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(name, { activity, until: performance.now() + KEPT_MS })
    },
  }
}
