import { add, roundTo15Digits } from '../../../rules/total.ts'
import type { Sums } from '../../../storage.ts'
import { roundTo2 } from './percent.ts'

/** What one user's change in each range is, by the key of a metric or points system. */
export type Changes = readonly ReadonlyMap<string, number>[]

/** Who of the others was active in each range, and by how many the user's own changes are exceeded. */
export interface Comparison {
  /** Takes all sums of events of one user. */
  seeEvents(user: string, sums: readonly Sums[]): void
  /** Takes all sums of awards of one user; after the events of all. */
  seeAwards(user: string, sums: readonly Sums[]): void
  /** Percentiles in each range, by key. */
  percentiles(): { readonly metrics: Changes; readonly points: Changes }
}

/**
 * Compares a user with all others who were active in each range, that is, had an event in it. The change of a user who
 * has nothing of a key is 0.
 */
export function compareWith(metrics: Changes, points: Changes): Comparison {
  const active = metrics.map(() => new Set<string>())
  const [ofMetrics, ofPoints] = [createKeyCounts(metrics), createKeyCounts(points)]
  return {
    seeEvents: (user, sums) => {
      for (const { ranges } of sums)
        for (const [range, { count }] of ranges.entries()) if (count > 0) active[range]?.add(user)
      ofMetrics.see(sums)
    },
    seeAwards: (user, sums) => {
      ofPoints.see(sums, (range) => active[range]?.has(user) ?? false)
    },
    percentiles: () => {
      const others = active.map(({ size }) => size)
      return { metrics: ofMetrics.percentiles(others), points: ofPoints.percentiles(others) }
    },
  }
}

interface KeyCounts {
  see(sums: readonly Sums[], isActive?: (range: number) => boolean): void
  percentiles(others: readonly number[]): Changes
}

interface Count {
  readonly own: number
  /** How many others have anything there, and how many of them more. */
  others: number
  above: number
}

function createKeyCounts(own: Changes): KeyCounts {
  const counts = own.map((changes) => new Map([...changes].map(([key, change]) => [key, newCount(change)])))
  return {
    see: (sums, isActive = () => true) => {
      for (const { key, ranges } of sums) {
        for (const [range, { count, sum }] of ranges.entries()) {
          const known = counts[range]?.get(key)
          if (known === undefined || count === 0 || !isActive(range)) continue
          known.others += 1
          if (roundTo15Digits(sum) > known.own) known.above += 1
        }
      }
    },
    percentiles: (others) =>
      counts.map((ofRange, range) => {
        const all = others[range] ?? 0
        return new Map([...ofRange].map(([key, count]) => [key, percentileOf(count, all)]))
      }),
  }
}

function newCount(own: number): Count {
  return { own, others: 0, above: 0 }
}

/** In percent, with the user counted among all. */
function percentileOf({ own, others, above }: Count, all: number): number {
  const withoutAny = own < 0 ? all - others : 0
  return roundTo2(((all + 1 - above - withoutAny) / (all + 1)) * 100)
}

/** The sums of two parts of what a user did. */
export function addSums(left: Sums, right: Sums): Sums {
  const ranges = left.ranges.map(({ count, sum }, range) => {
    const more = right.ranges[range] ?? { count: 0, sum: 0 }
    return { count: count + more.count, sum: add(roundTo15Digits(sum), roundTo15Digits(more.sum)) }
  })
  return { ...left, ranges }
}
