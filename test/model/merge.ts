// One history of two.
import type { Entry } from './state.ts'

interface Merged {
  entries: Entry[]
  repeated: number
}

/**
 * The entries of both, at one instant entries of `into` before entries of `from`. If two events have one key, the later
 * is voided, and the key names the one that counts.
 */
export function mergeEntries(
  into: Entry[],
  from: Entry[],
  { now, id, epoch }: { now: number; id: string; epoch: number },
): Merged {
  const both: Entry[] = [
    ...into.map((entry) => ({ ...entry })),
    ...from.map((entry) => ({ ...entry, arrival: entry.arrival + into.length })),
  ]
  const end = Math.max(now, ...both.map(({ instant }) => instant))
  const first = new Map<string, Entry>()
  const voids: Entry[] = []
  let repeated = 0
  let newest = 0
  for (const entry of [...both].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)) {
    const { act } = entry
    // Epochs only ever go up.
    newest = Math.max(newest, entry.epoch)
    entry.epoch = newest
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
      voids.push({ instant: end, arrival: both.length + voids.length, epoch, act })
    }
    const { idempotencyKey: _, ...event } = act
    entry.act = event
  }
  return { entries: [...both, ...voids], repeated }
}

/** The completions of either user, each at its first time, oldest first. */
export function firstOf(left: Map<string, number[]>, right: Map<string, number[]>): Map<string, number[]> {
  const all = new Map(left)
  for (const [key, instants] of right) {
    const others = all.get(key) ?? []
    const [longer, shorter] = others.length > instants.length ? [others, instants] : [instants, others]
    all.set(
      key,
      longer.map((instant, index) => Math.min(instant, shorter[index] ?? instant)),
    )
  }
  return new Map([...all].sort(([a, [one = 0]], [b, [other = 0]]) => one - other || (a < b ? -1 : 1)))
}
