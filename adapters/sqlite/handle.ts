import type { Connection } from './connection.ts'
import { toStorageError } from './errors.ts'
import { createGate } from './gate.ts'
import { requireMigrated } from './migrate.ts'
import { createOpener, type SqliteOptions, type SqliteSource, toFile } from './opener.ts'
import { createTurns, retryWhileHeld, type Turns } from './retry.ts'

/** Runs `work`, perhaps several times, on an open database that nobody else holds. */
export type Use = <T>(work: (connection: Connection) => T) => Promise<T>

/** `Use`, with what is to be done right after the commit. */
export type Write = <T>(work: (connection: Connection) => T, committed?: (result: T) => void) => Promise<T>

export interface Handle {
  /** `work` sees one moment. */
  readonly read: Use
  /** `work` is stored whole or not at all. */
  readonly write: Write
  /** `work` makes its own transactions, and may find no tables yet. */
  readonly prepare: Use
  close(): Promise<void>
}

export function createHandle(source: SqliteSource, options: SqliteOptions): Handle {
  const { busyDeadlineMs = 10_000 } = options
  const file = toFile(source)
  const gate = createGate()
  const opener = createOpener(source, file, options)
  let isMigrated = false

  const useWith =
    (run: Turns): Use =>
    (work) =>
      gate.enter(async () => {
        const end = performance.now() + busyDeadlineMs
        try {
          const connection = await opener.open(end)
          return await run(end, () => work(connection))
        } catch (error) {
          throw toStorageError(file, error)
        }
      })

  const migrated = (connection: Connection): Connection => {
    if (!isMigrated) requireMigrated(connection, file)
    isMigrated = true
    return connection
  }

  const reading = useWith(retryWhileHeld)
  const writing = useWith(createTurns())
  return {
    read: (work) => reading((connection) => migrated(connection).read(() => work(connection))),
    write: (work, committed) => writing((connection) => migrated(connection).write(() => work(connection), committed)),
    prepare: writing,
    close: () => gate.close(() => opener.close()),
  }
}
