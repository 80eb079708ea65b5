import { GamificationError } from '../../src/errors.ts'
import { createCallGate, withinTime } from '../sql/database.ts'
import type { Connection, Held } from './connection.ts'
import type { SqliteDriver, SqliteOptions, SqliteSource } from './driver.ts'
import { isBusy, toStorageError } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { requireMigrated } from './migrate.ts'
import { createOpener, toFile, watchOf } from './opener.ts'
import { createWriterTurns, retryWhileHeld, type WriterTurns } from './writer-turns.ts'

/** Runs `work`, whose transaction begins when `work` first calls `begin`. */
export type OpenTransaction = <T>(work: (begin: () => Promise<Connection>) => Promise<T>) => Promise<T>

export interface TransactionsOptions {
  readonly turns: WriterTurns
  /** The connection that transactions are on. */
  connect(end: number): Promise<Connection>
  /** What the caller gets for an error of the driver. */
  toError(error: unknown): unknown
  /** Throws where nothing more is to be written. */
  check(): void
}

interface Begun extends Held {
  readonly connection: Connection
  /** Lets the next writer have its turn. */
  leave(): void
}

/**
 * The transaction has a writer's turn from its first statement to its end; the event loop is free meanwhile. `end`:
 * until when (by `performance.now()`) the work has to be done.
 */
export async function inTransaction<T>(
  { turns, connect, toError, check }: TransactionsOptions,
  work: (begin: () => Promise<Connection>) => Promise<T>,
  end: number,
): Promise<T> {
  let beginning: Promise<Begun> | null = null
  let isOver = false

  const take = async (): Promise<Begun> => {
    try {
      return await takeTurn(turns, await connect(end), end)
    } catch (error) {
      throw toError(error)
    }
  }
  const begin = async (): Promise<Connection> => {
    if (isOver) throw over()
    beginning ??= take()
    const { connection } = await beginning
    // The transaction may have ended while this call waited.
    if (isOver) throw over()
    return connection
  }
  const finish = async (how: 'commit' | 'rollback'): Promise<void> => {
    isOver = true
    const begun = await (beginning as Promise<Begun> | null)
    if (begun === null) return
    try {
      if (how === 'commit') check()
      begun[how]()
    } finally {
      // Does nothing where the transaction has ended.
      begun.rollback()
      begun.leave()
    }
  }

  let result: T
  try {
    result = await withinTime(() => work(begin), end)
  } catch (error) {
    await finish('rollback').catch(() => undefined)
    throw error
  }
  try {
    await finish('commit')
  } catch (error) {
    throw toError(error)
  }
  return result
}

function takeTurn(turns: WriterTurns, connection: Connection, end: number): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const attempt = (): Promise<void> => {
      const held = connection.hold()
      return new Promise((leave) => resolve({ ...held, connection, leave }))
    }
    turns.run(end, attempt).catch(reject)
  })
}

function over(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction is over: await every call before the handler ends.')
}

/** Runs `work`, perhaps several times, on an open database that nobody else holds, until the deadline of the handle. */
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
  /** As `read`, for `work` of one statement. */
  readonly readOne: Use
  /** `work` is stored whole or not at all. */
  readonly write: Write
  /** Rejects where no write can succeed. Writes nothing; a database that somebody else writes is writable. */
  checkWritable(): Promise<void>
  /** `work` makes its own transactions, and may find no tables yet. */
  readonly prepare: Use
  readonly openTransaction: OpenTransaction
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

  const openUntil = <T>(work: Parameters<typeof inTransaction<T>>[1], end: number): Promise<T> =>
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
      openTransaction: (work) => openUntil(work, deadline ?? performance.now() + deadlineMs),
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
