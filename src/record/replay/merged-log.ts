import type { Entry, EventRecorded } from '../../rules/entry.ts'
import { isOfItsGame } from '../../rules/fold.ts'
import { usedKeyOf } from '../../sql/entry-rows.ts'

export interface MergedLog {
  readonly lines: readonly Entry[]
  readonly moved: readonly Entry[]
  /** Lines that come after one of a newer game, and are decided under that one. */
  readonly raised: readonly Entry[]
  /** Lines of `into`, by `seq`, whose idempotency keys now name lines of the other log, which come before them. */
  readonly unkeyed: ReadonlyMap<number, Entry>
  /** Events whose idempotency key an event of the other log has used before them. */
  readonly repeated: readonly (Entry & EventRecorded)[]
}

/** By the instant, then `into` before `from`, then by arrival. Epochs only ever go up, as in one user's log. */
export function mergeLogs(into: readonly Entry[], from: readonly Entry[], baselineEpoch: number): MergedLog {
  let epoch = 0
  const used = new Set<string>()
  const [moved, raised]: [Entry[], Entry[]] = [[], []]
  const unkeyed = new Map<number, Entry>()
  const repeated: (Entry & EventRecorded)[] = []

  function toLine(line: Entry): Entry {
    const inForce = underNewest(line)
    const kept = isFirstOfKey(line) ? inForce : withoutKey(inForce)
    if (line.seq > into.length) moved.push(kept)
    else if (kept !== inForce) unkeyed.set(line.seq, kept)
    // A repeated event is voided later, and keeps its key here. A repeated claim or adjustment loses its key, and so does nothing.
    return line.kind === 'eventRecorded' ? inForce : kept
  }

  /** True if a line is the first with its idempotency key: only that one counts, and keeps the key. */
  function isFirstOfKey(line: Entry): boolean {
    const key = usedKeyOf(line)
    if (key === null) return true
    const text = JSON.stringify([key.metric, key.idempotencyKey])
    const isFirst = !used.has(text)
    used.add(text)
    if (!isFirst && line.kind === 'eventRecorded') repeated.push(line)
    return isFirst
  }

  function underNewest(line: Entry): Entry {
    if (line.epoch < baselineEpoch && isOfItsGame(line)) return line
    epoch = Math.max(epoch, line.epoch)
    if (line.epoch >= epoch || epoch <= baselineEpoch) return line
    raised.push({ ...line, epoch })
    return { ...line, epoch }
  }

  const shifted = from.map((line) => ({ ...line, seq: line.seq + into.length }))
  const inOrder = [...into, ...shifted].sort((left, right) => left.at - right.at)
  return { lines: inOrder.map(toLine), moved, raised, unkeyed, repeated }
}

/**
 * A line whose idempotency key another one has. An adjustment or a reroll then counts once, by the other one. Spends and
 * refunds count twice: both were made.
 */
export function withoutKey(line: Entry): Entry {
  if (line.kind === 'eventRecorded') return { ...line, idempotencyKey: null }
  if (!('idempotencyKey' in line)) return line
  const { idempotencyKey: _, ...unkeyed } = line
  if (unkeyed.kind === 'pointsAdjusted') return { ...unkeyed, amount: 0 }
  return unkeyed.kind === 'challengeReplaced' ? { ...unkeyed, quest: '' } : unkeyed
}
