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
import { toLinesRead, toLoggedEvents, toLoggedValues, toNewestRead } from '../sql/log.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'

/** A chunk of a log, which ends sooner where its lines are long. */
export function loadLog(connection: Connection, key: UserKey, options?: ReadLogOptions): readonly Entry[] {
  return connection.until(queries.log.read, toLinesRead(key, options), endsChunk()).map(fromEntryRow)
}

export function loadNewest(connection: Connection, key: UserKey, options?: ReadNewestOptions): readonly Entry[] {
  return connection.until(queries.log.readNewest, toNewestRead(key, options), endsChunk()).map(fromEntryRow)
}

/** The newest snapshot whose last line is at an instant or before it. */
export function loadSnapshot(connection: Connection, key: UserKey, until: Instant): Snapshot | null {
  const row = connection.get(queries.snapshots.newest, { ...toUserColumns(key), until })
  return row ?? null
}

/** The events of a chunk of a log, which ends sooner where their attributes are long. */
export function loadEvents(connection: Connection, key: UserKey, options?: ReadLogOptions): LoggedEvents {
  return toLoggedEvents(connection.until(queries.log.readEvents, toLinesRead(key, options), endsChunk()))
}

function endsChunk(): (line: { readonly profile?: string | null; readonly data: string | null }) => boolean {
  let size = 0
  return ({ profile, data }) => {
    size += (profile?.length ?? 0) + (data?.length ?? 0)
    return size >= CHUNK_BYTES
  }
}

export function loadValues(
  connection: Connection,
  key: UserKey,
  metric: string,
  options?: ReadLogOptions,
): LoggedValues {
  return toLoggedValues(connection.all(queries.log.readValues, { ...toLinesRead(key, options), metric }))
}
