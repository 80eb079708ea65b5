import type { Draft } from '../../messages/drafts/draft.ts'
import { draftsOfStep } from '../../messages/drafts/of-step.ts'
import { draftsBetween } from '../../messages/drafts/of-time.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Entry, EventRecorded } from '../../rules/entry.ts'
import { type Folded, gameOf } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import type { CurrentGame, Wanted } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'
import { type EntryCursor, usedKeyOf } from '../../storage/storage.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { wantsTime } from '../accept/user-messages.ts'
import type { ReadChunk } from './read-log.ts'

/** Two users' logs, read as the one that they become. */
export interface MergedLog {
  readonly readLog: ReadChunk
  /** The lines of `from` as they go on, in their order; these two are known once all is read. */
  readonly moved: readonly Entry[]
  /** Lines that come after one of a newer game, and are decided under that one. */
  readonly raised: readonly Entry[]
  /** Lines of `into`, by `seq`, whose idempotency keys now name lines of the other log, which come before them. */
  readonly unkeyed: ReadonlyMap<number, Entry>
}

export interface MergedLogOptions {
  readonly into: ReadChunk
  readonly from: ReadChunk
  /** How many lines `into` has: those of `from` get their `seq` after these. */
  readonly lines: number
  /** The newest epoch that stands in place of all before it. */
  readonly baselineEpoch: number
  /** Shown an event whose idempotency key an event of the other log has used before it, before it is folded. */
  repeated(event: Entry & EventRecorded): void
}

/**
 * Reads two logs in the order of the one that they become: by the instant, then `into` before `from`, then by arrival.
 * Read again from its beginning it is the same. Epochs only ever go up, as in the log of one user.
 */
export function mergeLogs({ into, from, lines, baselineEpoch, repeated }: MergedLogOptions): MergedLog {
  let left = openLog(into, 0)
  let right = openLog(from, lines)
  let epoch = 0
  let used = new Set<string>()
  const moved: Entry[] = []
  const raised: Entry[] = []
  const unkeyed = new Map<number, Entry>()

  function begin(): void {
    left = openLog(into, 0)
    right = openLog(from, lines)
    epoch = 0
    used = new Set()
    unkeyed.clear()
    moved.length = 0
    raised.length = 0
  }

  function toLine(line: Entry): Entry {
    const inForce = underNewest(line)
    const kept = isFirstOfKey(line) ? inForce : withoutKey(inForce)
    if (line.seq > lines) moved.push(kept)
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
    if (!isFirst && line.kind === 'eventRecorded') repeated(line)
    return isFirst
  }

  function underNewest(line: Entry): Entry {
    // Entries of what only replaced games gave or kept are passed over.
    if (line.epoch < baselineEpoch && (line.kind === 'granted' || line.kind === 'completionKept')) return line
    epoch = Math.max(epoch, line.epoch)
    if (line.epoch >= epoch || epoch <= baselineEpoch) return line
    const next = { ...line, epoch }
    raised.push(next)
    return next
  }

  return {
    moved,
    raised,
    unkeyed,
    readLog: ({ after, limit }) => {
      if (after === undefined) begin()
      const chunk: Entry[] = []
      const fill = (): Eventually<readonly Entry[]> =>
        chain(left.ready(limit), () =>
          chain(right.ready(limit), () => {
            while (chunk.length < limit && left.isReady() && right.isReady()) {
              const [a, b] = [left.peek(), right.peek()]
              if (a === null && b === null) return chunk
              const isLeft = b === null || (a !== null && a.at <= b.at)
              chunk.push(toLine((isLeft ? left : right).take()))
            }
            return chunk.length < limit ? fill() : chunk
          }),
        )
      return fill()
    },
  }
}

/** A line whose idempotency key another one has. An adjustment then counts once, by the other one. */
export function withoutKey(line: Entry): Entry {
  if (line.kind === 'eventRecorded') return { ...line, idempotencyKey: null }
  if (line.kind !== 'achievementClaimed' && line.kind !== 'pointsAdjusted') return line
  const { idempotencyKey: _, ...unkeyed } = line
  return unkeyed.kind === 'pointsAdjusted' ? { ...unkeyed, amount: 0 } : unkeyed
}

interface OpenLog {
  /** Reads on if all lines that were read are taken. */
  ready(limit: number): Eventually<void>
  /** True if the next line is read, or the log is over. */
  isReady(): boolean
  /** The next line; null at the end. */
  peek(): Entry | null
  take(): Entry
}

function openLog(read: ReadChunk, offset: number): OpenLog {
  let chunk: readonly Entry[] = []
  let next = 0
  let last: EntryCursor | null = null
  let isOver = false
  const isReady = (): boolean => isOver || next < chunk.length
  return {
    isReady,
    ready: (limit) => {
      if (isReady()) return
      return chain(read(last === null ? { limit } : { limit, after: last }), (lines) => {
        chunk = lines
        next = 0
        isOver = lines.length === 0
      })
    },
    peek: () => chunk[next] ?? null,
    take: () => {
      const line = chunk[next]
      if (line === undefined) throw new RangeError('There is no line')
      next += 1
      last = { at: line.at, seq: line.seq }
      return offset === 0 ? line : { ...line, seq: line.seq + offset }
    },
  }
}

/** The messages of a log as it is replayed: about its entries, and about the time between them. */
export interface LogMessages {
  see(folded: Folded): void
  /** Adds the messages that time causes after the newest entry, until an instant. */
  end(state: UserState, until: Instant): void
  /** The ids of all messages, except pieces. */
  readonly ids: ReadonlySet<string>
  /** The drafts that were kept, in order. */
  readonly drafts: readonly Draft[]
}

export interface LogMessagesOptions {
  readonly key: UserKey
  readonly current: Pick<CurrentGame, 'games' | 'noticesFrom'>
  readonly wanted: Wanted
  /** Selects the drafts to keep. Each holds a state in memory, and a log may have many. */
  readonly keeps: (draft: Draft) => boolean
}

export function startLogMessages({ key, current, wanted, keeps }: LogMessagesOptions): LogMessages {
  const { games } = current
  const ids = new Set<string>()
  let drafts: Draft[] = []
  const completions = new Map<string, string[]>()
  const withTime = wantsTime(wanted)

  const put = (some: readonly Draft[]): void => {
    for (const each of some) {
      if (each.due === null) ids.add(each.id)
      if (each.completed !== undefined) {
        completions.set(each.completed, [...(completions.get(each.completed) ?? []), each.id])
      }
      if (keeps(each)) drafts.push(each)
    }
  }
  const bring = (state: UserState, until: Instant, entry?: Folded['entry']): void => {
    if (!withTime) return
    put(draftsBetween(key, { ...current, wanted }, state, { from: state.at, to: until, entry }))
  }

  /** A revoked achievement leaves no message of its completions. */
  const retract = (achievement: string): void => {
    const gone = completions.get(achievement) ?? []
    for (const id of gone) ids.delete(id)
    drafts = drafts.filter(({ id }) => !gone.includes(id))
    completions.delete(achievement)
  }

  return {
    ids,
    get drafts() {
      return drafts
    },
    see: ({ entry, before, step }) => {
      const known = before.seq === 0 ? null : before
      if (known !== null) bring(known, entry.at, entry)
      if (entry.kind === 'achievementRevoked') retract(entry.achievement)
      const game = gameOf(games, entry.epoch)
      put(
        draftsOfStep(
          { key, game, games, before: known, entry, changes: step.changes, after: step.state },
          wanted.types,
        ),
      )
    },
    end: (state, until) => bring(state, until),
  }
}
