import type { Entry } from '../../src/rules/entry.ts'
import { CHUNK_BYTES, type LoggedValues, type ReadLogOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toEntry } from '../sql/entry-rows.ts'
import { type LogQueries, toLinesRead, toLoggedValues } from '../sql/log.ts'
import type { Queries } from '../sql/queries.ts'
import type { Reader } from './runner.ts'

/** A chunk of a log, which ends where the lines are long. */
export async function loadLog(
  reader: Reader,
  { log }: Queries,
  key: UserKey,
  options?: ReadLogOptions,
): Promise<readonly Entry[]> {
  return (await reader.all(shortened(log.read), toLinesRead(key, options))).map(toEntry)
}

/** The length of a text is known without reading it, so the lines that are left out cost little. */
function shortened({ text, toValues }: LogQueries['read']): LogQueries['read'] {
  const size = `coalesce(octet_length(profile), 0) + coalesce(octet_length(data), 0)`
  const before = `sum(${size}) over (order by at, seq rows between unbounded preceding and 1 preceding)`
  return {
    text: `select * from (select line.*, ${before} as size_before from (${text}) line) sized
      where coalesce(size_before, 0) < ${CHUNK_BYTES} order by at, seq`,
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
  return toLoggedValues(await reader.all(log.readValues, toLinesRead(key, options)), metric)
}
