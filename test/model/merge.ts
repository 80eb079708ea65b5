// One history of two.
import type { Entry } from './fold.ts'

interface Merged {
  entries: Entry[]
  repeated: number
}

/**
 * The entries of both, those of `into` before those of `from` at one instant. Of two events with one key the later is
 * voided. The key names the event that `into` has, whichever of them counts.
 */
export function mergeEntries(into: Entry[], from: Entry[], { now, id }: { now: number; id: string }): Merged {
  const both: Entry[] = [
    ...into.map((entry) => ({ ...entry })),
    ...from.map((entry) => ({ ...entry, arrival: entry.arrival + into.length })),
  ]
  const end = Math.max(now, ...both.map(({ instant }) => instant))
  const first = new Map<string, Entry>()
  const voids: Entry[] = []
  let repeated = 0
  for (const entry of [...both].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)) {
    const { act } = entry
    if (act.call !== 'event' || act.idempotencyKey === undefined) continue
    const { metric, idempotencyKey } = act
    const key = JSON.stringify([metric, idempotencyKey])
    const other = first.get(key)
    if (other === undefined) {
      first.set(key, entry)
      continue
    }
    repeated += 1
    if (entry.mode !== 'void') {
      entry.mode = 'void'
      const act = { call: 'void' as const, now, id, metric, idempotencyKey }
      voids.push({ instant: end, arrival: both.length + voids.length, act })
    }
    const nameless = entry.arrival < into.length ? other : entry
    if (nameless.act.call === 'event') {
      const { idempotencyKey: _, ...event } = nameless.act
      nameless.act = event
    }
  }
  return { entries: [...both, ...voids], repeated }
}

/** What either has completed, when it first was, oldest first. */
export function firstOf(left: Map<string, number>, right: Map<string, number>): Map<string, number> {
  const all = new Map(left)
  for (const [key, instant] of right) all.set(key, Math.min(instant, all.get(key) ?? instant))
  return new Map([...all].sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1)))
}
