import type { Entry, EventRecorded } from '../../rules/entry.ts'
import type { LinePlace } from '../../storage.ts'
import type { ReadChunk } from './read-log.ts'

/** Two users' logs, read as the one that they become. */
export interface MergedLog {
  readonly readLog: ReadChunk
  /** The lines of `from` as they go on, in their order; these two are known once all is read. */
  readonly moved: readonly Entry[]
  /** Lines that come after one of a newer game, and are decided under that one. */
  readonly raised: readonly Entry[]
}

export interface MergedLogOptions {
  readonly into: ReadChunk
  readonly from: ReadChunk
  /** How many lines `into` has: those of `from` get their `seq` after these. */
  readonly lines: number
  /** The newest epoch that stands in place of all before it. */
  readonly since: number
  /** Shown an event whose idempotency key an event of the other log has used before it, before it is folded. */
  repeated(event: Entry & EventRecorded): void
}

/**
 * Reads two logs in the order of the one that they become: by the instant, then `into` before `from`, then by arrival. Read
 * again from its beginning it is the same. Epochs only ever go up, as in the log of one user.
 */
export function mergeLogs({ into, from, lines, since, repeated }: MergedLogOptions): MergedLog {
  let left = openLog(into, 0)
  let right = openLog(from, lines)
  let epoch = 0
  /** By idempotency key: where its first event is among `moved`, null where it is not. */
  let used = new Map<string, { readonly place: number | null }>()
  const moved: Entry[] = []
  const raised: Entry[] = []

  function begin(): void {
    left = openLog(into, 0)
    right = openLog(from, lines)
    epoch = 0
    used = new Map()
    moved.length = 0
    raised.length = 0
  }

  function toLine(line: Entry): Entry {
    const inForce = underNewest(line)
    if (line.seq > lines) moved.push(inForce)
    if (line.kind === 'eventRecorded' && line.idempotencyKey !== null) {
      noteKey(line, JSON.stringify([line.metric, line.idempotencyKey]))
    }
    return inForce
  }

  function underNewest(line: Entry): Entry {
    // What only earlier games gave or kept is passed over where a newer one stands in their place.
    if (line.epoch < since && (line.kind === 'granted' || line.kind === 'completionKept')) return line
    epoch = Math.max(epoch, line.epoch)
    if (line.epoch >= epoch || epoch <= since) return line
    const next = { ...line, epoch }
    raised.push(next)
    return next
  }

  /** The first of two events counts; the key stays with the one that has been in the log all along. */
  function noteKey(line: Entry & EventRecorded, key: string): void {
    const own = line.seq > lines ? moved.length - 1 : null
    const first = used.get(key)
    if (first === undefined) {
      used.set(key, { place: own })
      return
    }
    repeated(line)
    const place = own ?? first.place
    const keyed = place === null ? undefined : moved[place]
    if (place !== null && keyed?.kind === 'eventRecorded') moved[place] = { ...keyed, idempotencyKey: null }
  }

  return {
    moved,
    raised,
    readLog: async ({ after, limit }) => {
      if (after === undefined) begin()
      const chunk: Entry[] = []
      while (chunk.length < limit) {
        // One after the other: each may wait for a turn of the event loop.
        const [a, b] = [await left.peek(limit), await right.peek(limit)]
        if (a === null && b === null) break
        const isLeft = b === null || (a !== null && a.at <= b.at)
        chunk.push(toLine((isLeft ? left : right).take()))
      }
      return chunk
    },
  }
}

interface OpenLog {
  /** The next line; null at the end. */
  peek(limit: number): Promise<Entry | null>
  take(): Entry
}

function openLog(read: ReadChunk, offset: number): OpenLog {
  let chunk: readonly Entry[] = []
  let next = 0
  let last: LinePlace | null = null
  let isOver = false
  return {
    peek: async (limit) => {
      if (next === chunk.length && !isOver) {
        chunk = await read(last === null ? { limit } : { limit, after: last })
        next = 0
        isOver = chunk.length === 0
      }
      return chunk[next] ?? null
    },
    take: () => {
      const line = chunk[next]
      if (line === undefined) throw new RangeError('There is no line')
      next += 1
      last = { at: line.at, seq: line.seq }
      return offset === 0 ? line : { ...line, seq: line.seq + offset }
    },
  }
}
