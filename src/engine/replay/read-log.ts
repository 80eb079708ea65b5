import type { Entry } from '../../rules/entry.ts'
import type { AwardPlace, LinePlace, LoggedEvent, LoggedValue, ReadLogOptions, Storage } from '../../storage.ts'
import type { Snapshot, UserKey } from '../../storage-rows.ts'
import { chain } from '../accept/chain.ts'
import type { Eventually } from '../types.ts'

/** Reads a chunk of one user's log. */
export type ReadChunk = (options: ReadLogOptions & { readonly limit: number }) => Eventually<readonly Entry[]>

const CHUNK = 1_000

/** How many lines come before where a fold begins, and the place of the last of them. */
export type FoldStart = Pick<Snapshot, 'lines' | 'at' | 'seq'>

/**
 * Lets the event loop turn between the chunks of a long log. `lines`: how many of them, by their `seq`, are asked for; what
 * comes after them may be there too, but is not waited for, or the log of a busy user would never end. `start`: where each
 * reading begins; null: at the beginning.
 */
export function readInTurns(storage: Storage, key: UserKey, lines: number, start: FoldStart | null = null): ReadChunk {
  let count = 0
  const isStart = ({ after }: ReadLogOptions): boolean =>
    start === null ? after === undefined : after?.at === start.at && after.seq === start.seq
  return async (options) => {
    if (isStart(options)) count = start?.lines ?? 0
    else if (count >= lines) return []
    else await new Promise((resolve) => setImmediate(resolve))
    const chunk = await storage.readLog(key, options)
    for (const { seq } of chunk) if (seq <= lines) count += 1
    return chunk
  }
}

/** Reads each chunk once, for a part of a log that is folded several times; it is to be short. */
export function readOnce(read: ReadChunk): ReadChunk {
  const chunks = new Map<string, Eventually<readonly Entry[]>>()
  return (options) => {
    const place = JSON.stringify(options)
    const known = chunks.get(place) ?? read(options)
    chunks.set(place, known)
    return known
  }
}

/** In a long log SQLite goes through what lies between two values, which may be much. */
const VALUES_CHUNK = 250
const EVENTS_CHUNK = 1_000

/** What the events of a metric added, from the beginning of the log on. */
export async function readAllValues(storage: Storage, key: UserKey, metric: string): Promise<readonly LoggedValue[]> {
  const values: LoggedValue[] = []
  const read = (after: After<LinePlace>) => storage.readValues(key, metric, { limit: VALUES_CHUNK, ...after })
  await readParts(read, (part) => values.push(...part.values))
  return values
}

/** Shows all events of the log that count, with their attributes. */
export function readAllEvents(
  storage: Storage,
  key: UserKey,
  see: (events: readonly LoggedEvent[]) => void,
): Promise<void> {
  const read = (after: After<LinePlace>) => storage.readEvents(key, { limit: EVENTS_CHUNK, ...after })
  return readParts(read, ({ events }) => see(events))
}

/** Shows what all awards of a points system gave and took. */
export function readAllAwarded(
  storage: Storage,
  key: UserKey,
  system: string,
  see: (awarded: readonly LoggedValue[]) => void,
): Promise<void> {
  const read = (after: After<AwardPlace>) => storage.readAwarded(key, system, { limit: CHUNK, ...after })
  return readParts(read, ({ values }) => see(values))
}

/** What a reading in parts goes on after; empty for the first part. */
export interface After<Place> {
  readonly after?: Place
}

/** Reads in parts, up to the one after which there is nothing, and lets the event loop turn between them. */
export async function readParts<Place, Part extends { readonly last: Place | null }>(
  read: (after: After<Place>) => Promise<Part>,
  see: (part: Part) => void,
): Promise<void> {
  let after: Place | null = null
  do {
    if (after !== null) await new Promise((resolve) => setImmediate(resolve))
    const part: Part = await read(after === null ? {} : { after })
    see(part)
    after = part.last
  } while (after !== null)
}

/**
 * Goes on after the last item of each page, up to one that has fewer than `size`. A storage may answer without ever waiting,
 * so that timers and requests get their turn between the pages.
 */
export async function* readPages<Item, Place>(
  size: number,
  read: (after: After<Place>) => Promise<readonly Item[]>,
  placeOf: (last: Item) => Place,
): AsyncGenerator<Item> {
  let after: After<Place> = {}
  for (;;) {
    const page = await read(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    after = { after: placeOf(last) }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Goes through the log until `step` answers false; returns whether it never did. */
export function forEachEntry(
  read: ReadChunk,
  step: (entry: Entry) => boolean,
  after?: NonNullable<ReadLogOptions['after']>,
): Eventually<boolean> {
  return chain(read({ limit: CHUNK, ...(after === undefined ? {} : { after }) }), (chunk) => {
    if (!chunk.every(step)) return false
    const last = chunk.at(-1)
    if (last === undefined) return true
    return forEachEntry(read, step, { at: last.at, seq: last.seq })
  })
}
