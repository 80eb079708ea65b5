import type { Entry } from '../../src/rules/entry.ts'
import { CHUNK_BYTES, type LoggedEvents, type LoggedValues, type ReadLogOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toEntry } from '../sql/entry-rows.ts'
import { toLinesRead, toLoggedEvents, toLoggedValues } from '../sql/log.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'

/** A chunk of a log, which ends where the lines are long. */
export function loadLog(connection: Connection, key: UserKey, options?: ReadLogOptions): readonly Entry[] {
  let size = 0
  const isLast = ({ profile, data }: { readonly profile: string | null; readonly data: string | null }): boolean => {
    size += (profile?.length ?? 0) + (data?.length ?? 0)
    return size >= CHUNK_BYTES
  }
  return connection.until(queries.log.read, toLinesRead(key, options), isLast).map(toEntry)
}

/** The same of its events alone. */
export function loadEvents(connection: Connection, key: UserKey, options?: ReadLogOptions): LoggedEvents {
  let size = 0
  const isLast = ({ data }: { readonly data: string | null }): boolean => {
    size += data?.length ?? 0
    return size >= CHUNK_BYTES
  }
  return toLoggedEvents(connection.until(queries.log.readEvents, toLinesRead(key, options), isLast))
}

export function loadValues(
  connection: Connection,
  key: UserKey,
  metric: string,
  options?: ReadLogOptions,
): LoggedValues {
  return toLoggedValues(connection.all(queries.log.readValues, toLinesRead(key, options)), metric)
}
