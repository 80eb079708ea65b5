import { GamificationError } from '../../src/errors.ts'
import { createCallGate } from '../sql/call-gate.ts'
import type { Connection } from './connection.ts'
import type { SqliteDriver } from './driver.ts'
import { isBusy, toStorageError } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { requireMigrated } from './migrate.ts'
import { createOpener, toFile, watchOf } from './opener.ts'
import type { SqliteOptions, SqliteSource } from './source.ts'
import { inTransaction, type Transact } from './transactions.ts'
import { createWriterTurns, retryWhileHeld, type WriterTurns } from './writer-turns.ts'

/** Runs `work`, perhaps several times, on an open database that nobody else holds, until the deadline of the handle. */
export type Use = <T>(work: (connection: Connection) => T) => Promise<T>

/** `Use`; `committed` is called right after the commit. */
export type Write = <T>(work: (connection: Connection) => T, committed?: (result: T) => void) => Promise<T>

export type { Transact } from './transactions.ts'

export interface DatabaseHandle {
  readonly deadlineMs: number
  /** The same database, for calls that must end by this deadline; without it each has `deadlineMs`. */
  until(deadline: number): DatabaseHandle
  readonly watch: FileWatch
  /** `work` sees one moment. */
  readonly read: Use
  /** As `read`, for `work` of one statement. */
  readonly readOne: Use
  /** `work` is stored whole or not at all. */
  readonly write: Write
  /** Rejects where no write can succeed. Writes nothing; a database that somebody else writes is writable. */
  checkWritable(): Promise<void>
  /** `work` makes its own transactions, and may find no tables yet. */
  readonly prepare: Use
  readonly transact: Transact
  isOpen(): boolean
  /** See `Opener`. */
  admits(driver: SqliteDriver): boolean
  close(): Promise<void>
}

export function openDatabase(source: SqliteSource, options: SqliteOptions): DatabaseHandle {
  const deadlineMs = options.busyDeadlineMs ?? 10_000
  const file = toFile(source)
  const gate = createCallGate()
  const watch = watchOf(source, file)
  const opener = createOpener(source, file, watch, options)
  let isMigrated = false

  const told = (error: unknown): GamificationError => {
    watch.note(error)
    return toStorageError(file, error)
  }

  const useWith =
    (run: WriterTurns['run']) =>
    <T>(work: (connection: Connection) => T, deadline?: number): Promise<T> =>
      gate.enter(async () => {
        const end = deadline ?? performance.now() + deadlineMs
        try {
          const connection = await opener.open(end)
          return await run(end, () => work(connection))
        } catch (error) {
          throw told(error)
        }
      })

  const migrated = (connection: Connection): Connection => {
    if (!isMigrated) requireMigrated(connection, file)
    isMigrated = true
    return connection
  }

  /** Runs `work` without a wait, which is the common case and the fast one; `otherwise` where a wait is needed. */
  const atOnce = <T>(work: (connection: Connection) => T, otherwise: () => Promise<T>): Promise<T> => {
    const connection = opener.opened()
    if (connection === null || !isMigrated || !gate.isOpen()) return otherwise()
    try {
      return Promise.resolve(work(connection))
    } catch (error) {
      return isBusy(error) ? otherwise() : Promise.reject(told(error))
    }
  }

  const turns = createWriterTurns()
  const reading = useWith(retryWhileHeld)
  const writing = useWith(turns.run)

  const transactUntil = <T>(work: Parameters<typeof inTransaction<T>>[1], end: number): Promise<T> =>
    gate.enter(() => {
      const connect = async (): Promise<Connection> => {
        // Opened and checked first, so that a fault of the file is found on the connection that watches it.
        migrated(await opener.open(end))
        watch.check()
        return opener.beside(end)
      }
      return inTransaction({ turns, connect, toError: told, check: watch.check }, work, end)
    })

  const until = (deadline?: number): DatabaseHandle => {
    const readWith =
      (how: 'read' | 'readOne'): Use =>
      (work) => {
        if (isOver(deadline)) return Promise.reject(cameTooLate())
        const attempt = (connection: Connection) => migrated(connection)[how](() => work(connection))
        return atOnce(attempt, () => reading(attempt, deadline))
      }
    return {
      deadlineMs,
      until,
      watch,
      read: readWith('read'),
      readOne: readWith('readOne'),
      write: (work, committed) => {
        if (isOver(deadline)) return Promise.reject(cameTooLate())
        const attempt = (connection: Connection) => migrated(connection).write(() => work(connection), committed)
        const otherwise = () => writing(attempt, deadline)
        return turns.isIdle() ? atOnce(attempt, otherwise) : otherwise()
      },
      checkWritable: async () => {
        await reading((connection) => {
          try {
            migrated(connection).write(() => connection.exec(WRITES_NOTHING))
          } catch (error) {
            if (!isBusy(error)) throw error
          }
        }, deadline)
      },
      prepare: (work) => writing(work, deadline),
      transact: (work) => transactUntil(work, deadline ?? performance.now() + deadlineMs),
      isOpen: () => gate.isOpen(),
      admits: opener.admits,
      close: () => gate.close(() => opener.close()),
    }
  }
  return until()
}

/** A statement that needs the right to write and changes no row. A transaction alone begins on a read-only file too. */
const WRITES_NOTHING = 'delete from laurels_migrations where false'

function isOver(deadline: number | undefined): boolean {
  return deadline !== undefined && performance.now() >= deadline
}

function cameTooLate(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The time of the call was over before its turn. Nothing was stored; try again.',
  )
}
