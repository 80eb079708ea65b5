import { GamificationError } from '../../src/errors.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { Connection } from '../sqlite/connection.ts'
import { databaseOn } from '../sqlite/database.ts'
import { NO_WATCH } from '../sqlite/file-watch.ts'
import { storageOn } from '../sqlite/storage.ts'
import { connectionTo } from './connection.ts'
import type { ObjectContext } from './platform.ts'

const DEADLINE_MS = 10_000

/**
 * Keeps everything in the SQLite of a Durable Object: given `ctx`, the first argument of its constructor. The class must be
 * in `new_sqlite_classes` of the Worker's configuration.
 *
 * Throws `storage_unusable` if the object has no SQLite. A write that finds no room in the object's 10 GB fails with
 * `storage_full`.
 */
export function durableObject(ctx: Pick<ObjectContext, 'storage'>): Storage {
  return storageOf(ctx, () => undefined)
}

/** `written` is called right after each commit. */
export function storageOf(ctx: Pick<ObjectContext, 'storage'>, written: () => void): Storage {
  const connection = withSignal(connectionTo(checkStorage(ctx)), written)
  const database = databaseOn({
    file: 'Durable Object storage',
    watch: NO_WATCH,
    connections: {
      open: async () => connection,
      openSecond: async () => connection,
      opened: () => connection,
      admits: () => false,
      close: async () => undefined,
    },
    deadlineMs: DEADLINE_MS,
  })
  return storageOn(database, () => {
    throw new GamificationError(
      'storage_unusable',
      'durableObject() has no transactions that within() could join. Nothing was saved.',
    )
  })
}

function withSignal(connection: Connection, written: () => void): Connection {
  return {
    ...connection,
    write: (body, committed) => {
      const result = connection.write(body, committed)
      written()
      return result
    },
    lock: async (end) => {
      const lock = await connection.lock(end)
      return { ...lock, commit: () => Promise.resolve(lock.commit()).then(written) }
    },
  }
}

function checkStorage(ctx: unknown): ObjectContext['storage'] {
  const { storage } = (ctx ?? {}) as Partial<ObjectContext>
  if (storage !== undefined && isSqlite(storage)) return storage
  const message =
    'durableObject() needs the ctx of a Durable Object with SQLite: name its class in new_sqlite_classes of a migration.'
  throw new GamificationError('storage_unusable', message)
}

/** An object without SQLite has the property `sql` too, which throws. */
function isSqlite(storage: ObjectContext['storage']): boolean {
  try {
    return typeof storage.sql.exec === 'function'
  } catch {
    return false
  }
}
