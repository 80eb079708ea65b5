import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { GamificationError } from '../../src/errors.ts'
import { type CachedUsers, createCachedUsers, MOST_CACHED_BYTES } from '../../src/sql/users.ts'
import { CHUNK_BYTES, type LogTexts, type Parts, type RowsOf, type Statement } from '../../src/storage/statements.ts'
import type { Eventually } from '../../src/storage/steps.ts'
import type { Database, PreparedStatement, SqliteDriver } from './driver.ts'
import { closedByHost, IN_MEMORY, openDatabaseFile } from './drivers/to-database.ts'
import { BUSY } from './errors.ts'
import { FILE_CHECKS, type FileChecks } from './file-checks.ts'
import { type FileWatch, NO_WATCH, type Probe } from './file-watch.ts'
import { ASKED_BEFORE, type BlockConnection, createBlockCache } from './leaderboard-blocks.ts'
import { COUNTED_BEFORE, createTopCache, type TopCache } from './leaderboard-tops.ts'
import { compile } from './traits.ts'

/**
 * How many pages of the WAL SQLite collects before it writes them back. With the default of 1,000 every hundredth save
 * takes 5 ms.
 */
const CHECKPOINT_PAGES = 4_000

export interface Connection extends BlockConnection {
  readonly checks: FileChecks
  /** The rows up to the one for which `isLast` answers true; those behind it are not read. */
  until<Params, Row>(statement: Statement<Params, Row>, params: Params, isLast: (row: Row) => boolean): readonly Row[]
  exec(text: string): void
  /** Forgets `users`, `blocks`, `tops` and `epoch`, because a statement writes their rows. */
  forget(): void
  /** A number that changes when another connection has written, or `null` if nothing tells that. */
  dataVersion(): number | null
  /** Runs a statement of the host, and returns its rows. */
  ask(text: string, values: readonly unknown[]): readonly unknown[]
  /** The users written last, for as long as no other connection writes. */
  readonly users: CachedUsers
  /** The best entries of leaderboards, for as long as no other connection writes. */
  readonly tops: TopCache
  /** The number of the newest game, for as long as no other connection writes. */
  readonly epoch: EpochCache
  /**
   * Everything in `body` is stored when it returns, nothing when it throws. No other connection writes during it.
   * `committed` is called with the result of `body` before anything else can happen on the connection.
   */
  write<T>(body: () => T, committed?: (result: T) => void): T
  /** Everything in `body` sees the same moment. */
  read<T>(body: () => T): T
  /** As `read`, for one statement, which sees one moment without a transaction. */
  readOne<T>(body: () => T): T
  /**
   * Begins a transaction that stays open, until `end` (by `performance.now()`) at the latest. No other connection writes
   * until it ends.
   */
  lock(end: number): Eventually<DatabaseLock>
  close(): void
}

export interface EpochCache {
  /** Calls `read` if the number is not known. */
  of(read: () => number): number
  clear(): void
}

export interface DatabaseLock {
  /** Throws if the transaction is no longer open; nothing of it is stored then. */
  commit(): Eventually<void>
  /** Does nothing if SQLite has rolled the transaction back already. */
  rollback(): Eventually<void>
}

/** Databases on which a transaction of ours stays open. */
const locked = new WeakSet<Database>()

export function isLocked(database: Database): boolean {
  return locked.has(database)
}

export interface OpenOptions {
  readonly file: string
  readonly watch?: FileWatch
  readonly synchronous: 'NORMAL' | 'FULL'
}

export function openConnection(Driver: SqliteDriver, { file, watch = NO_WATCH, synchronous }: OpenOptions): Connection {
  const database = openFile(Driver, file, synchronous)
  const connection = toConnection(database)
  watch.begin(probeOf(database, connection))
  const caches = createCaches(database)
  return {
    ...connection,
    get users() {
      return caches.get().users
    },
    get blocks() {
      return caches.get().blocks
    },
    get tops() {
      return caches.get().tops
    },
    get epoch() {
      return caches.get().epoch
    },
    read: (body) => {
      caches.begin()
      return connection.read(body)
    },
    write: (body, committed) => {
      watch.check()
      caches.begin()
      try {
        return connection.write(body, committed)
      } catch (error) {
        caches.undo()
        throw error
      }
    },
    forget: caches.forget,
    dataVersion: caches.dataVersion,
    lock: (end) => {
      watch.check()
      caches.forget()
      return connection.lock(end)
    },
    close: () => {
      watch.end()
      database.close()
    },
  }
}

/** The values that a connection caches between transactions, as long as no other connection writes. */
export function newCaches(mostBytesOfUsers: number = MOST_CACHED_BYTES): {
  readonly caches: Pick<Connection, 'users' | 'blocks' | 'tops' | 'epoch'>
  readonly forget: () => void
} {
  const caches = {
    users: createCachedUsers(mostBytesOfUsers),
    blocks: createBlockCache(ASKED_BEFORE),
    tops: createTopCache(COUNTED_BEFORE),
    epoch: createEpochCache(),
  }
  const forget = (): void => {
    for (const cache of Object.values(caches)) cache.clear()
  }
  return { caches, forget }
}

function createEpochCache(): EpochCache {
  let epoch: number | null = null
  return {
    of: (read) => {
      epoch ??= read()
      return epoch
    },
    clear: () => {
      epoch = null
    },
  }
}

/** Forgets the values when another connection has written. */
function createCaches(database: Database) {
  const { caches, forget } = newCaches()
  const pragma = database.prepare('pragma data_version')
  const dataVersion = (): number => (pragma.get([]) as { readonly data_version: number }).data_version
  let known = 0
  let isChecked = false
  return {
    begin: (): void => {
      isChecked = false
    },
    dataVersion,
    /** For writes of this connection, because `data_version` does not change for them. */
    forget,
    /** The number is asked for once in each transaction that uses a cache, because that takes as long as a read. */
    get: () => {
      if (isChecked) return caches
      isChecked = true
      const version = dataVersion()
      if (version !== known) forget()
      known = version
      return caches
    },
    undo: (): void => {
      caches.blocks.clear()
      caches.tops.clear()
      caches.epoch.clear()
    },
  }
}

function openFile(Driver: SqliteDriver, file: string, synchronous: OpenOptions['synchronous']): Database {
  if (file === IN_MEMORY) return openDatabaseFile(Driver, file, { isThere: false })
  // The driver reports a missing directory by a message alone.
  if (!existsSync(dirname(file))) {
    throw new GamificationError(
      'storage_unusable',
      `${file}: its directory does not exist. Make it, or give another path.`,
    )
  }
  const database = openDatabaseFile(Driver, file, { isThere: false })
  try {
    // The mode is asked for first, because setting it takes a lock even if it is set already. A prepared statement sets it:
    // on Deno an error of `exec` does not say that the file is locked.
    if (answerOf(database, 'journal_mode') !== 'wal') answerOf(database, 'journal_mode = WAL')
    database.exec(`pragma synchronous = ${synchronous}`)
    database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Reads the schema and both ends of each of our tables from the file, not from the page cache. Throws if they cannot be
 * read, or if there are fewer tables than before.
 */
function probeOf(database: Database, { read }: Connection): Probe {
  let before = 0
  return (isShorter) =>
    read(() => {
      database.exec('pragma shrink_memory')
      if (isShorter && answerOf(database, 'quick_check(1)') !== 'ok') {
        throw corrupt('The file lacks pages of the database.')
      }
      const tables = database.prepare(FIND_TABLES).all([]) as { readonly name: string; readonly last: string | null }[]
      if (tables.length < before) throw corrupt('The file lacks tables that it had.')
      for (const { name, last } of tables) {
        database.prepare(`select 1 from ${name} limit 1`).get([])
        database.prepare(`select 1 from ${name} order by ${last ?? 'rowid desc'} limit 1`).get([])
      }
      before = tables.length
    })
}

function answerOf(database: Database, pragma: string): unknown {
  return Object.values(database.prepare(`pragma ${pragma}`).get([]) as object)[0]
}

/** Our tables, each with the order that begins at its end. */
const FIND_TABLES = `
  select name, (
    select group_concat('"' || key.name || '" desc') from (select * from pragma_table_info(s.name) where pk > 0 order by pk) key
  ) as last
  from sqlite_schema s where type = 'table' and name like 'laurels!_%' escape '!'`

function corrupt(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_CORRUPT' })
}

/**
 * Uses the host's connection as a guest: between its transactions, without settings of ours, never closing it. Nothing is
 * remembered between transactions, because the host's own writes leave no trace that could be asked for.
 */
export function toConnection(database: Database): Connection {
  const prepared = new Map<string, PreparedStatement>()
  const prepare = (text: string): PreparedStatement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = database.prepare(text)
    prepared.set(text, made)
    return made
  }
  const runText = (text: string): void => void prepare(text).run([])
  return {
    ...statementsOn(prepare),
    checks: FILE_CHECKS,
    users: createCachedUsers(0),
    blocks: createBlockCache(Number.POSITIVE_INFINITY),
    tops: createTopCache(Number.POSITIVE_INFINITY),
    epoch: { of: (read) => read(), clear: () => undefined },
    exec: (text) => database.exec(text),
    write: (body, committed) => {
      const result = transact(database, runText, 'BEGIN IMMEDIATE', body)
      committed?.(result)
      return result
    },
    read: (body) => transact(database, runText, 'BEGIN', body),
    readOne: (body) => {
      requireFree(database)
      return body()
    },
    forget: () => undefined,
    dataVersion: () => null,
    ask: (text, values) => database.ask(text, values),
    lock: () => lock(database, runText),
    close: () => undefined,
  }
}

/** Rows have the type that the statement names. */
export function statementsOn(
  prepare: (text: string) => PreparedStatement,
): Pick<Connection, 'run' | 'get' | 'all' | 'until'> {
  return {
    run: (statement, params) => {
      const { text, toValues } = compile(statement)
      return prepare(text).run(toValues(params))
    },
    get: <Params, Row>(statement: Statement<Params, Row>, params: Params) => {
      const { text, toValues } = compile(statement)
      return prepare(text).get(toValues(params)) as Row | undefined
    },
    all: <Params, Row>(statement: Statement<Params, Row>, params: Params) => {
      const { text, toValues } = compile(statement)
      return prepare(text).all(toValues(params)) as Row[]
    },
    until: <Params, Row>(statement: Statement<Params, Row>, params: Params, isLast: (row: Row) => boolean) => {
      const { text, toValues } = compile(statement)
      const rows: Row[] = []
      for (const row of prepare(text).iterate(toValues(params)) as Iterable<Row>) {
        rows.push(row)
        if (isLast(row)) break
      }
      return rows
    },
  }
}

function transact<T>(database: Database, run: (text: string) => void, begin: string, body: () => T): T {
  beginOn(database, run, begin)
  try {
    const result = body()
    run('COMMIT')
    return result
  } finally {
    // The body or the COMMIT failed, and SQLite has not rolled back by itself.
    if (database.isInTransaction()) run('ROLLBACK')
  }
}

function lock(database: Database, run: (text: string) => void): DatabaseLock {
  beginOn(database, run, 'BEGIN IMMEDIATE')
  locked.add(database)
  const rollback = (): void => {
    locked.delete(database)
    if (database.isOpen() && database.isInTransaction()) run('ROLLBACK')
  }
  return {
    rollback,
    commit: () => {
      try {
        if (!database.isInTransaction()) throw new GamificationError('storage_unusable', UNDONE)
        run('COMMIT')
      } finally {
        rollback()
      }
    },
  }
}

const UNDONE = 'The transaction was undone by SQLite, or ended by a statement of the handler: nothing of it is stored.'

function beginOn(database: Database, run: (text: string) => void, begin: string): void {
  requireFree(database)
  run(begin)
}

function requireFree(database: Database): void {
  if (!database.isOpen()) throw closedByHost()
  // A transaction is open, of the host or of ours: it is neither joined nor disturbed.
  if (database.isInTransaction()) throw BUSY
}

/** Within a transaction, so that all parts are as of one moment. */
export function readParts<Some extends Parts>(connection: Connection, parts: Some): RowsOf<Some> {
  const rows = Object.entries(parts).map(([name, part]) => {
    return [name, part === null ? [] : connection.all(part.statement, part.params)]
  })
  // `fromEntries` cannot say that each part has its own rows.
  return Object.fromEntries(rows) as RowsOf<Some>
}

/** The lines until these texts of theirs reach `CHUNK_BYTES`. */
export function chunk<Params, Row extends object>(
  connection: Connection,
  statement: Statement<Params, Row>,
  params: Params,
  texts: readonly (keyof LogTexts & keyof Row)[],
): readonly Row[] {
  if (texts.length === 0) return connection.all(statement, params)
  let size = 0
  return connection.until(statement, params, (row) => {
    for (const name of texts) size += String(row[name] ?? '').length
    return size >= CHUNK_BYTES
  })
}
