import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterDate, beforeDate, type Instant } from '../../rules/calendar.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Snapshot, UserKey } from '../../storage/rows.ts'
import { type Eventually, type Steps, wait } from '../../storage/steps.ts'
import {
  type AwardCursor,
  CHUNK,
  type DateRange,
  type EntryCursor,
  type LoggedEvent,
  type LoggedValue,
  type ReadLogOptions,
  type Storage,
  type TenantCursor,
} from '../../storage/storage.ts'

export interface ReadChunk {
  (options: ReadLogOptions & { readonly limit: number }): Eventually<readonly Entry[]>
  /** Called after each line. Absent if no work may come between the lines, as in a transaction. */
  readonly pause?: YieldTurn
}

/** A call may run for this many milliseconds before it yields to the event loop. */
const MOST_MS = 10

/** Yields to the event loop if the call has run for long enough since the last time. */
export type YieldTurn = () => Promise<void> | undefined

/** The parts of a call share it, so that a read of many short parts yields too. Throws the reason of an abort. */
export function createPause(signal?: AbortSignal): YieldTurn {
  let since = performance.now()
  const yieldTurn = async (): Promise<void> => {
    await nextTurn()
    signal?.throwIfAborted()
    since = performance.now()
  }
  return () => (performance.now() - since < MOST_MS ? undefined : yieldTurn())
}

/** This many lines take less time to read than the event loop may wait. */
const PART = 100

/**
 * Reads a long log in parts, from `start` or the beginning, and pauses between parts and between lines. `lines`: how many
 * lines, by their `seq`, are asked for. Later lines are left out, or the log of a busy user would never end.
 */
export function readInTurns(
  storage: Pick<Storage, 'readLog'>,
  key: UserKey,
  lines: number,
  start: Pick<Snapshot, 'lines'> | null = null,
  pause: YieldTurn = createPause(),
): ReadChunk {
  let count = start?.lines ?? 0
  const read: ReadChunk = async ({ after: first }) => {
    let after = first
    while (count < lines) {
      await pause()
      const part = await storage.readLog(key, { limit: PART, ...(after === undefined ? {} : { after }) })
      const own = part.filter(({ seq }) => seq <= lines)
      count += own.length
      after = part.at(-1)
      if (own.length > 0 || after === undefined) return own
    }
    return []
  }
  return Object.assign(read, { pause })
}

export function* readWhole(read: ReadChunk, after: EntryCursor | null = null): Steps<readonly Entry[]> {
  const lines: Entry[] = []
  yield* forEachEntry(read, (line) => lines.push(line) > 0, after)
  return lines
}

export function readFrom(lines: readonly Entry[]): ReadChunk {
  return ({ after }) => (after === undefined ? lines : lines.filter((line) => compareCursors(line, after) > 0))
}

export function compareCursors(left: EntryCursor, right: EntryCursor): number {
  return left.at - right.at || left.seq - right.seq
}

/** A part of a log: the lines after a place, up to another; a few more may be read. */
export interface Stretch {
  readonly after: EntryCursor | null
  readonly until: EntryCursor
}

/** The place after every line at an instant, and before the lines of the next. */
export function behind(at: Instant): EntryCursor {
  return { at, seq: Number.MAX_SAFE_INTEGER }
}

export const WHOLE_LOG: Stretch = { after: null, until: behind(Number.POSITIVE_INFINITY) }

/** A stretch that has all lines with a date of a range. */
export function stretchOf({ from, to }: DateRange): Stretch {
  return { after: { at: beforeDate(from), seq: 0 }, until: behind(afterDate(to)) }
}

export function readValuesOf(
  storage: Storage,
  key: UserKey,
  metric: string,
  stretch: Stretch,
  pause?: YieldTurn,
): Promise<readonly LoggedValue[]> {
  const of = { user: key.user, metric }
  const after = stretch.after && { ...stretch.after, user: key.user }
  const read = (next: After<TenantCursor>) => storage.eventValues(key.tenant, { of, limit: CHUNK, ...next })
  return collectValues(read, { after, until: stretch.until }, pause)
}

export function readAwardedOf(
  storage: Storage,
  key: UserKey,
  system: string,
  { after, until }: Stretch,
  pause?: YieldTurn,
): Promise<readonly LoggedValue[]> {
  // Behind all awards of the line.
  const of = { user: key.user, system }
  const place = after === null ? null : { ...of, at: after.at, seq: after.seq + 1, ordinal: -1 }
  const read = (next: After<AwardCursor>) => storage.awardValues(key.tenant, { of, limit: CHUNK, ...next })
  return collectValues(read, { after: place, until }, pause)
}

async function collectValues<Place extends EntryCursor>(
  read: (after: After<Place>) => Promise<{ readonly values: readonly LoggedValue[]; readonly last: Place | null }>,
  between: { readonly after: Place | null; readonly until: EntryCursor },
  pause: YieldTurn | undefined,
): Promise<readonly LoggedValue[]> {
  const values: LoggedValue[] = []
  await readParts(read, (part) => values.push(...part.values) >= 0, between, pause)
  return values
}

/** Shows the events that count, with their attributes, until `see` answers false. */
export function readEventsOf(
  storage: Storage,
  key: UserKey,
  { after, until }: Stretch,
  see: (events: readonly LoggedEvent[]) => boolean,
): Promise<void> {
  const read = (next: After<EntryCursor>) => storage.readEvents(key, { limit: CHUNK, ...next })
  return readParts(read, ({ events }) => see(events), { after, until })
}

/** The place after which a read in parts continues; empty for the first part. */
export interface After<Place> {
  readonly after?: Place
}

/**
 * Reads in parts, after the place `after` (null for the beginning). The last part is the one that ends at `until` or
 * behind it, that nothing comes after, or for which `see` answers false. Yields to the event loop between the parts,
 * see `createPause`.
 */
export async function readParts<Place extends EntryCursor, Part extends { readonly last: Place | null }>(
  read: (after: After<Place>) => Promise<Part>,
  see: (part: Part) => boolean,
  {
    after: first = null,
    until = WHOLE_LOG.until,
  }: { readonly after?: Place | null; readonly until?: EntryCursor } = {},
  pause: YieldTurn = createPause(),
): Promise<void> {
  let after = first
  for (;;) {
    await pause()
    const part = await read(after === null ? {} : { after })
    after = part.last
    if (!see(part) || after === null || compareCursors(after, until) >= 0) return
  }
}

/**
 * Continues after the last item of each page, up to a page with fewer than `size` items. Yields between them, see
 * `createPause`.
 */
export async function* readPages<Item, Place>(
  size: number,
  read: (after: After<Place>) => Promise<readonly Item[]>,
  placeOf: (last: Item) => Place,
  first: After<Place> = {},
): AsyncGenerator<Item> {
  const pause = createPause()
  let after = first
  for (;;) {
    await pause()
    const page = await read(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    after = { after: placeOf(last) }
  }
}

/** Goes through the log until `step` answers false; returns whether it never did. */
export function* forEachEntry(
  read: ReadChunk,
  step: (entry: Entry) => boolean,
  after: EntryCursor | null = null,
): Steps<boolean> {
  let place = after
  for (;;) {
    const chunk = yield* wait(read(chunkAfter(place)))
    const isDone = read.pause === undefined ? chunk.every(step) : yield* stepInTurns(chunk, step, read.pause)
    if (!isDone) return false
    const last = chunk.at(-1)
    if (last === undefined) return true
    place = last
  }
}

/** Asks for a pause after each line. A replay in a transaction cannot pause, and is faster without the question. */
function* stepInTurns(chunk: readonly Entry[], step: (entry: Entry) => boolean, pause: YieldTurn): Steps<boolean> {
  for (const line of chunk) {
    if (!step(line)) return false
    const turn = pause()
    if (turn !== undefined) yield* wait(turn)
  }
  return true
}

function chunkAfter(place: EntryCursor | null): Parameters<ReadChunk>[0] {
  return { limit: CHUNK, ...(place === null ? {} : { after: { at: place.at, seq: place.seq } }) }
}
