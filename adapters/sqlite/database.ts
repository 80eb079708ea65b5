import { GamificationError } from '../../src/errors.ts'
import { createCallGate, createTurns, type End, inOpenTransaction, type Open, type Turns } from '../sql/calls.ts'
import type { Connection } from './connection.ts'
import type { SqliteDriver, SqliteOptions, SqliteSource } from './driver.ts'
import { BUSY, isBusy, retryWhileHeld, toSqliteError } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { requireMigrated } from './migrate.ts'
import { createOpener, toFile, watchOf } from './opener.ts'

/** Runs `work`, whose transaction begins when `work` first calls `begin`. */
export type OpenTransaction = <T>(work: (begin: () => Promise<Connection>) => Promise<T>) => Promise<T>

interface TurnOptions {
  readonly turns: Turns
  readonly end: number
  connect(): Promise<Connection>
  /** What the caller gets for an error of the driver. */
  toError(error: unknown): unknown
  /** Throws if nothing more may be written. */
  check(): void
}

/** Takes a writer's turn, and holds the database until the transaction ends; the event loop is free meanwhile. */
function takeTurn({ turns, end, connect, toError, check }: TurnOptions): Promise<Open<Connection>> {
  return new Promise((resolve, reject) => {
    const hold = async (): Promise<void> => {
      const connection = await connect()
      const held = await retryWhileHeld(end, () => connection.hold())
      await new Promise<void>((leave) => {
        const finish = async (how: End): Promise<void> => {
          try {
            if (how === 'commit') check()
            held[how]()
          } catch (error) {
            throw toError(error)
          } finally {
            // Does nothing if the transaction has ended.
            held.rollback()
            leave()
          }
        }
        resolve({ session: connection, end: finish })
      })
    }
    turns.take(end, hold).catch((error) => reject(toError(error)))
  })
}

/** Runs `work`, perhaps several times, on an open database that no other connection holds, until the deadline of the handle. */
export type Use = <T>(work: (connection: Connection) => T) => Promise<T>

/** `Use`; `committed` is called right after the commit. */
export type Write = <T>(work: (connection: Connection) => T, committed?: (result: T) => void) => Promise<T>

export interface DatabaseHandle {
  readonly deadlineMs: number
  /** The same database, for calls that must end by this deadline; without it each has `deadlineMs`. */
  until(deadline: number): DatabaseHandle
  readonly watch: FileWatch
  /** `work` sees one moment. */
  readonly read: Use
  /** `work` is stored whole or not at all. */
  readonly write: Write
  /** Rejects where no write can succeed. Writes nothing; a database that another connection writes is writable. */
  checkWritable(): Promise<void>
  /** `work` makes its own transactions, and may find no tables yet. */
  readonly prepare: Use
  readonly openTransaction: OpenTransaction
  /** What the caller gets for an error of the driver. */
  toError(error: unknown): unknown
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

  const toError = (error: unknown): GamificationError => {
    watch.note(error)
    return toSqliteError(file, error)
  }

  const useWith =
    (run: typeof retryWhileHeld) =>
    <T>(work: (connection: Connection) => T, deadline?: number): Promise<T> =>
      gate.enter(async () => {
        const end = deadline ?? performance.now() + deadlineMs
        try {
          const connection = await opener.open(end)
          return await run(end, () => work(connection))
        } catch (error) {
          throw toError(error)
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
      return isBusy(error) ? otherwise() : Promise.reject(toError(error))
    }
  }

  const turns = createTurns(() => BUSY)
  const reading = useWith(retryWhileHeld)
  const writing = useWith((end, attempt) => turns.take(end, () => retryWhileHeld(end, attempt)))

  const openUntil = <T>(work: (begin: () => Promise<Connection>) => Promise<T>, end: number): Promise<T> =>
    gate.enter(() => {
      const connect = async (): Promise<Connection> => {
        // Opened and checked first, so that a fault of the file is found on the connection that watches it.
        migrated(await opener.open(end))
        watch.check()
        return opener.beside(end)
      }
      return inOpenTransaction(() => takeTurn({ turns, end, connect, toError, check: () => watch.check() }), work, end)
    })

  const until = (deadline?: number): DatabaseHandle => {
    return {
      deadlineMs,
      until,
      watch,
      read: (work) => {
        if (isOver(deadline)) return Promise.reject(cameTooLate())
        const attempt = (connection: Connection) => migrated(connection).read(() => work(connection))
        return atOnce(attempt, () => reading(attempt, deadline))
      },
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
      openTransaction: (work) => openUntil(work, deadline ?? performance.now() + deadlineMs),
      toError,
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
