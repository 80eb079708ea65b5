import type { Instant } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import {
  CHUNK_BYTES,
  type LoggedEvents,
  type LoggedValues,
  type ReadLogOptions,
  type ReadNewestOptions,
} from '../../src/storage.ts'
import type { Snapshot, UserKey } from '../../src/storage-rows.ts'
import { fromEntryRow } from '../sql/entry-rows.ts'
import { type LinesRead, toLinesRead, toLoggedEvents, toLoggedValues, toNewestRead } from '../sql/log.ts'
import type { Queries } from '../sql/queries.ts'
import type { Statement } from '../sql/statement.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Reader } from './runner.ts'

/** A chunk of a log, which ends sooner where its lines are long. */
export async function loadLog(
  reader: Reader,
  { log }: Queries,
  key: UserKey,
  options?: ReadLogOptions,
): Promise<readonly Entry[]> {
  return (await reader.all(shortened(log.read, ['profile', 'data']), toLinesRead(key, options))).map(fromEntryRow)
}

export async function loadNewest(
  reader: Reader,
  { log }: Queries,
  key: UserKey,
  options?: ReadNewestOptions,
): Promise<readonly Entry[]> {
  const statement = shortened(log.readNewest, ['profile', 'data'], 'desc')
  return (await reader.all(statement, toNewestRead(key, options))).map(fromEntryRow)
}

/** The newest snapshot whose last line is at an instant or before it. */
export async function loadSnapshot(
  reader: Reader,
  { snapshots }: Queries,
  key: UserKey,
  until: Instant,
): Promise<Snapshot | null> {
  const [row] = await reader.all(snapshots.newest, { ...toUserColumns(key), until })
  return row ?? null
}

/** The events of a chunk of a log, which ends sooner where their attributes are long. */
export async function loadEvents(
  reader: Reader,
  { log }: Queries,
  key: UserKey,
  options?: ReadLogOptions,
): Promise<LoggedEvents> {
  return toLoggedEvents(await reader.all(shortened(log.readEvents, ['data']), toLinesRead(key, options)))
}

/**
 * Leaves out the lines of a page that follow `CHUNK_BYTES` of text. Postgres knows the length of a text without reading
 * it, so lines that are left out cost little.
 */
function shortened<Row>(
  { text, toValues }: Statement<LinesRead, Row>,
  columns: readonly string[],
  direction: 'asc' | 'desc' = 'asc',
): Statement<LinesRead, Row> {
  const size = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  const before = `sum(${size}) over (order by at ${direction}, seq ${direction} rows between unbounded preceding and 1 preceding)`
  return {
    text: `select * from (select line.*, ${before} as size_before from (${text}) line) sized
      where coalesce(size_before, 0) < ${CHUNK_BYTES} order by at ${direction}, seq ${direction}`,
    toValues,
  }
}

export async function loadValues(
  reader: Reader,
  { log }: Queries,
  key: UserKey,
  metric: string,
  options?: ReadLogOptions,
): Promise<LoggedValues> {
  return toLoggedValues(await reader.all(log.readValues, { ...toLinesRead(key, options), metric }))
}
