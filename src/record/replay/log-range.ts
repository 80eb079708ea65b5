import { afterDate, beforeDate, type Day, type Instant } from '../../rules/calendar.ts'
import { type After, createPause, type YieldTurn } from '../../runtime/pages.ts'
import { type AwardCursor, loadAwardValues } from '../../sql/awards.ts'
import {
  type EntryCursor,
  type LoggedEvent,
  type LoggedValue,
  loadEvents,
  loadEventValues,
  type TenantCursor,
} from '../../sql/log.ts'
import { CHUNK } from '../../storage/reads.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { compareCursors } from './read-log.ts'

/** Local dates, both included. */
export interface DateRange {
  readonly from: Day
  readonly to: Day
}

/** A part of a log: the lines after a cursor, up to another. A read may return a few more. */
export interface LogRange {
  readonly after: EntryCursor | null
  readonly until: EntryCursor
}

/** The cursor after every line at an instant, and before the lines of the next. */
export function behind(at: Instant): EntryCursor {
  return { at, seq: Number.MAX_SAFE_INTEGER }
}

export const WHOLE_LOG: LogRange = { after: null, until: behind(Number.POSITIVE_INFINITY) }

/** The part of a log that has all lines with a date of a range. */
export function logRangeOf({ from, to }: DateRange): LogRange {
  return { after: { at: beforeDate(from), seq: 0 }, until: behind(afterDate(to)) }
}

export function readValuesOf(
  storage: Storage,
  key: UserKey,
  metric: string,
  logRange: LogRange,
  pause?: YieldTurn,
): Promise<readonly LoggedValue[]> {
  const of = { user: key.user, metric }
  const after = logRange.after && { ...logRange.after, user: key.user }
  const read = (next: After<TenantCursor>) => loadEventValues(storage, key.tenant, { of, limit: CHUNK, ...next })
  return collectValues(read, { after, until: logRange.until }, pause)
}

export function readAwardedOf(
  storage: Storage,
  key: UserKey,
  system: string,
  { after, until }: LogRange,
  pause?: YieldTurn,
): Promise<readonly LoggedValue[]> {
  // Behind all awards of the line.
  const of = { user: key.user, system }
  const cursor = after === null ? null : { ...of, at: after.at, seq: after.seq + 1, ordinal: -1 }
  const read = (next: After<AwardCursor>) => loadAwardValues(storage, key.tenant, { of, limit: CHUNK, ...next })
  return collectValues(read, { after: cursor, until }, pause)
}

async function collectValues<Cursor extends EntryCursor>(
  read: (after: After<Cursor>) => Promise<{ readonly values: readonly LoggedValue[]; readonly last: Cursor | null }>,
  between: { readonly after: Cursor | null; readonly until: EntryCursor },
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
  { after, until }: LogRange,
  see: (events: readonly LoggedEvent[]) => boolean,
): Promise<void> {
  const read = (next: After<EntryCursor>) => loadEvents(storage, key, { limit: CHUNK, ...next })
  return readParts(read, ({ events }) => see(events), { after, until })
}

/**
 * Reads in parts, after the cursor `after`, or from the beginning if it is `null`. The last part is the one that reaches
 * `until`, that nothing comes after, or for which `see` answers false. Yields to the event loop between the parts, see
 * `createPause`.
 */
export async function readParts<Cursor extends EntryCursor, Part extends { readonly last: Cursor | null }>(
  read: (after: After<Cursor>) => Promise<Part>,
  see: (part: Part) => boolean,
  {
    after: first = null,
    until = WHOLE_LOG.until,
  }: { readonly after?: Cursor | null; readonly until?: EntryCursor } = {},
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
