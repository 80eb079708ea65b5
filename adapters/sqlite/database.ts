import { GamificationError } from '../../src/errors.ts'
import { type CallTracker, createCallTracker } from '../../src/sql/call-tracker.ts'
import { inOpenTransaction, type Open, openSession } from '../../src/sql/open-transaction.ts'
import type { MigrationReport } from '../../src/storage/storage.ts'
import { createTurns, type Turns } from '../../src/storage/turns.ts'
import type { Connection } from './connection.ts'
import type { SqliteDriver, SqliteOptions, SqliteSource } from './driver.ts'
import { IN_MEMORY } from './drivers/to-database.ts'
import { BUSY, isBusy, retryWhileBusy, toSqliteError } from './errors.ts'
import { type Connections, createConnections, toFile, watchOf } from './file-connections.ts'
import type { FileWatch } from './file-watch.ts'
import { migrateFile, requireCreated, requireMigrated } from './migrate.ts'

/** Runs `work`, whose transaction begins when `work` first calls `begin`. */
export type OpenTransaction = <T>(work: (begin: () => Promise<Connection>) => Promise<T>) => Promise<T>

/** The values that the calls of a database share. */
interface Context {
  readonly file: string
  readonly watch: FileWatch
  readonly connections: Connections
  readonly tracker: CallTracker
  /** Turns of writers. */
  readonly turns: Turns
  readonly deadlineMs: number
  isMigrated: boolean
  /** The number that `changes` answers, as of this `dataVersion`. */
  changes: number
  dataVersion: number | null
}

/** Waits for the writer's turn, and holds the database until the transaction ends; the event loop stays free. */
function takeTurn(context: Context, end: number): Promise<Open<Connection>> {
  const { connections, watch, turns } = context
  return openSession((use) => {
    const turn = turns.take(async () => {
      // Opened and checked first, so that a fault of the file is found on the connection that watches it.
      migrated(context, await connections.open(end))
      watch.check()
      const connection = await connections.openSecond(end)
      const lock = await retryWhileBusy(end, () => connection.lock(end))
      try {
        const how = await use(connection)
        if (how === 'commit') watch.check()
        await lock[how]()
      } finally {
        // Does nothing if the transaction has ended.
        await lock.rollback()
      }
    }, end)
    return turn.catch((error) => {
      throw toError(context, error)
    })
  })
}

/** Runs `work`, perhaps several times, on an open database that no other connection holds, until the deadline of the handle. */
export type Use = <T>(work: (connection: Connection) => T) => Promise<T>

/** `Use`; `committed` is called right after the commit. */
export type Write = <T>(work: (connection: Connection) => T, committed?: (result: T) => void) => Promise<T>

export interface DatabaseHandle {
  readonly file: string
  readonly deadlineMs: number
  /** The same database, for calls that must end by this deadline; without it each has `deadlineMs`. */
  until(deadline: number): DatabaseHandle
  readonly watch: FileWatch
  /** `work` sees one moment. */
  readonly read: Use
  /** As `read`, for `work` that is one statement. */
  readonly readOne: Use
  /** `work` is stored whole or not at all. */
  readonly write: Write
  /** See `Storage`. */
  changes(): number
  /** Call it after a write that `changes` counts. */
  noteChange(): void
  /** Rejects if no write can succeed. Writes nothing; a database that another connection writes is writable. */
  checkWritable(): Promise<void>
  /** Makes the tables that the database lacks. */
  migrate(): Promise<MigrationReport>
  readonly openTransaction: OpenTransaction
  /** Translates an error of the driver for the caller. */
  toError(error: unknown): unknown
  isOpen(): boolean
  /** See `Connections`. */
  admits(driver: SqliteDriver): boolean
  close(): Promise<void>
}

export function openDatabase(source: SqliteSource, options: SqliteOptions): DatabaseHandle {
  const file = toFile(source)
  const watch = watchOf(source, file)
  const connections = createConnections(source, file, watch, options)
  return databaseOn({ file, watch, connections, deadlineMs: options.busyDeadlineMs ?? 10_000 })
}

export function databaseOn(opened: Pick<Context, 'file' | 'watch' | 'connections' | 'deadlineMs'>): DatabaseHandle {
  const turns = createTurns(1, () => BUSY)
  // A database in memory gets its tables when it is opened.
  const isMigrated = opened.file === IN_MEMORY
  const unchanged = { changes: 0, dataVersion: null }
  return handleOn({ ...opened, tracker: createCallTracker(), turns, isMigrated, ...unchanged })
}

function handleOn(context: Context, deadline?: number): DatabaseHandle {
  const { watch, connections, tracker, turns, deadlineMs } = context
  const endNow = (): number => deadline ?? performance.now() + deadlineMs
  const reading = <T>(work: (connection: Connection) => T): Promise<T> =>
    waiting(context, endNow(), (run) => run(), work)
  const reads =
    (how: 'read' | 'readOne'): Use =>
    (work) => {
      const attempt = (connection: Connection) => migrated(context, connection)[how](() => work(connection))
      return atOnce(context, deadline, attempt) ?? reading(attempt)
    }
  // The turn is taken at once, so that no later write blocks the process with an attempt of its own.
  const writing = <T>(work: (connection: Connection) => T): Promise<T> => {
    const end = endNow()
    return waiting(context, end, (run) => turns.take(run, end), work)
  }
  return {
    file: context.file,
    deadlineMs,
    until: (other) => handleOn(context, other),
    watch,
    read: reads('read'),
    readOne: reads('readOne'),
    write: (work, committed) => {
      const attempt = (connection: Connection) => migrated(context, connection).write(() => work(connection), committed)
      return (turns.isIdle() || isOver(deadline) ? atOnce(context, deadline, attempt) : null) ?? writing(attempt)
    },
    changes: () => countChanges(context),
    noteChange: () => {
      context.changes += 1
    },
    checkWritable: () =>
      reading((connection) => {
        requireCreated(migrated(context, connection), context.file)
        try {
          connection.write(() => connection.exec(WRITES_NOTHING))
        } catch (error) {
          if (!isBusy(error)) throw error
        }
      }),
    migrate: () =>
      writing((connection) => {
        if (context.isMigrated) return { applied: [] }
        const report = migrateFile(connection)
        context.isMigrated = true
        return report
      }),
    openTransaction: (work) => {
      const end = endNow()
      return tracker.enter(() => inOpenTransaction(() => takeTurn(context, end), work, end))
    },
    toError: (error) => toError(context, error),
    isOpen: tracker.isOpen,
    admits: connections.admits,
    close: () => tracker.close(connections.close),
  }
}

function toError({ watch, file }: Context, error: unknown): GamificationError {
  watch.note(error)
  return toSqliteError(file, error)
}

function migrated(context: Context, connection: Connection): Connection {
  if (!context.isMigrated) requireMigrated(connection, context.file)
  context.isMigrated = true
  return connection
}

function countChanges(context: Context): number {
  const { connections, dataVersion } = context
  try {
    context.dataVersion = connections.opened()?.dataVersion() ?? null
  } catch {
    // The next read gets the error.
    context.dataVersion = null
  }
  if (context.dataVersion === null || context.dataVersion !== dataVersion) context.changes += 1
  return context.changes
}

/** Runs `work` without a wait, which is the common case and the fast one, or `null` if a wait is needed. */
function atOnce<T>(
  context: Context,
  deadline: number | undefined,
  work: (connection: Connection) => T,
): Promise<T> | null {
  if (isOver(deadline)) return Promise.reject(overdue())
  const connection = context.connections.opened()
  if (connection === null || !context.isMigrated || !context.tracker.isOpen()) return null
  try {
    return Promise.resolve(work(connection))
  } catch (error) {
    return isBusy(error) ? null : Promise.reject(toError(context, error))
  }
}

function waiting<T>(
  context: Context,
  end: number,
  inTurn: (run: () => Promise<T>) => Promise<T>,
  work: (connection: Connection) => T,
): Promise<T> {
  return context.tracker.enter(async () => {
    try {
      return await inTurn(async () => {
        const connection = await context.connections.open(end)
        return retryWhileBusy(end, () => work(connection))
      })
    } catch (error) {
      throw toError(context, error)
    }
  })
}

/** A statement that needs the right to write and changes no row. A transaction alone begins on a read-only file too. */
const WRITES_NOTHING = 'delete from laurels_migrations where false'

function isOver(deadline: number | undefined): boolean {
  return deadline !== undefined && performance.now() >= deadline
}

function overdue(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The time of the call was over before its turn. Nothing was saved; try again.',
  )
}
