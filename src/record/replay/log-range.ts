import { afterDate, beforeDate, type Day, type Instant } from '../../rules/calendar.ts'
import { type After, createPause, type YieldTurn } from '../../runtime/pages.ts'
import { loadSystemValues } from '../../sql/awards.ts'
import { type DatedValue, type EntryCursor, type LoggedEvent, loadEvents, loadMetricValues } from '../../sql/log.ts'
import { CHUNK, type Page } from '../../storage/reads.ts'
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

/** The values of a user's events of a metric, in the order of the log. */
export function readValuesOf(
  storage: Storage,
  key: UserKey,
  metric: string,
  { after, until }: LogRange,
  pause?: YieldTurn,
): Promise<readonly DatedValue[]> {
  return collect(after, (page) => loadMetricValues(storage, key, metric, { ...page, until: until.at }), pause)
}

/** The values of a user's awards of a points system, in their order. */
export function readAwardedOf(
  storage: Storage,
  key: UserKey,
  system: string,
  { after, until }: LogRange,
  pause?: YieldTurn,
): Promise<readonly DatedValue[]> {
  // Behind all awards of the line.
  const first = after === null ? null : { at: after.at, seq: after.seq + 1, ordinal: -1 }
  return collect(first, (page) => loadSystemValues(storage, key, system, { ...page, until: until.at }), pause)
}

async function collect<Place, Value extends Place>(
  first: Place | null,
  read: (page: Page<Place>) => Promise<readonly Value[]>,
  pause: YieldTurn = createPause(),
): Promise<readonly Value[]> {
  const values: Value[] = []
  for (let after = first; ; after = values.at(-1) ?? null) {
    await pause()
    const page = await read({ limit: CHUNK, ...(after === null ? {} : { after }) })
    values.push(...page)
    if (page.length < CHUNK) return values
  }
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
