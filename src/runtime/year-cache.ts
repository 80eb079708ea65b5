import type { Instant } from '../rules/calendar.ts'

/** The sums of the users who had an event in a period. */
export interface SumsOfUsers {
  active: number
  /** By key, one for each user who has any, in no order. */
  readonly metrics: Map<string, number[]>
  readonly points: Map<string, number[]>
}

/** By the names of the year and of its weeks and months. */
export type YearSums = ReadonlyMap<string, SumsOfUsers>

type Sums = Promise<YearSums | null>

/** The sums of all users of a tenant in a year. They are cached, because they cost a read of all logs. */
export interface YearCache {
  /** Reads once for all who ask within ten minutes, at the same time or later. A failed reading is not kept. */
  find(name: string, read: () => Sums): Sums
}

const CACHE_MS = 600_000
const MOST_CACHED = 30

export function createYearCache(now: () => Instant): YearCache {
  const cached = new Map<string, { readonly at: Instant; readonly sums: Sums }>()
  return {
    find: (name, read) => {
      const at = now()
      for (const [each, { at: begun }] of cached) if (at < begun || at >= begun + CACHE_MS) cached.delete(each)
      const known = cached.get(name)
      if (known !== undefined) return known.sums
      const [oldest] = cached.keys()
      if (cached.size >= MOST_CACHED && oldest !== undefined) cached.delete(oldest)
      const made = { at, sums: read() }
      cached.set(name, made)
      made.sums.catch(() => {
        if (cached.get(name) === made) cached.delete(name)
      })
      return made.sums
    },
  }
}
