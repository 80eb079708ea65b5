import type { End } from '../../src/sql/open-transaction.ts'
import { type Connection, type DatabaseLock, newCaches, statementsOn } from '../sqlite/connection.ts'
import type { PreparedStatement } from '../sqlite/driver.ts'
import { BUSY } from '../sqlite/errors.ts'
import type { FileChecks } from '../sqlite/file-checks.ts'
import type { ObjectStorage, SqlStorage } from './platform.ts'

/** The platform resets an object whose transaction stays open for 30 seconds. */
const LONGEST_LOCK_MS = 25_000

/** The timer of the caller waits for the end of the transaction. A timer of the same instant would wait behind it. */
const BEFORE_DEADLINE_MS = 10

/** The platform chooses the version of SQLite and the encoding, and keeps foreign keys to itself. */
const NO_CHECKS: FileChecks = { sqlite: () => undefined, references: () => undefined }

/** All objects of a class in one process share 128 MB. */
const MOST_CACHED_BYTES = 8 * 2 ** 20

const connections = new WeakMap<ObjectStorage, Connection>()

/** One connection for each object, because what it caches is true only if it makes all writes. */
export function connectionTo(storage: ObjectStorage): Connection {
  const connection = connections.get(storage) ?? connect(storage)
  connections.set(storage, connection)
  return connection
}

function connect(storage: ObjectStorage): Connection {
  const { sql } = storage
  const { caches, forget } = newCaches(MOST_CACHED_BYTES)
  let isLocked = false
  // Between the turns of an open transaction, other calls could read or write in it.
  const requireUnlocked = (): void => {
    if (isLocked) throw BUSY
  }
  // Nothing else happens in the object while a synchronous body runs.
  const read = <T>(body: () => T): T => {
    requireUnlocked()
    return body()
  }
  return {
    ...statementsOn((text) => toPrepared(sql, text)),
    ...caches,
    checks: NO_CHECKS,
    forget,
    dataVersion: () => null,
    exec: (text) => void rowsOf(sql, text, []),
    ask: (text, values) => rowsOf(sql, text, values),
    read,
    readOne: read,
    write: (body, committed) => {
      requireUnlocked()
      try {
        const result = storage.transactionSync(body)
        committed?.(result)
        return result
      } catch (error) {
        forget()
        throw error
      }
    },
    lock: (end) => {
      requireUnlocked()
      isLocked = true
      return openTransaction(storage, end, () => {
        isLocked = false
        forget()
      })
    },
    close: () => undefined,
  }
}

/**
 * Opens a transaction, which keeps every other event of the object waiting: requests, alarms, and timers that were started
 * before. So a deadline from outside never comes, and the transaction has a timer of its own.
 */
async function openTransaction(storage: ObjectStorage, end: number, ended: () => void): Promise<DatabaseLock> {
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<End>()
  const running = storage
    .transaction(async (transaction) => {
      const left = Math.max(0, end - performance.now() - BEFORE_DEADLINE_MS)
      const timer = setTimeout(ending.resolve, Math.min(left, LONGEST_LOCK_MS), 'rollback')
      begun.resolve()
      const how = await ending.promise
      clearTimeout(timer)
      if (how === 'rollback') transaction.rollback()
      return how
    })
    .finally(ended)
  await Promise.race([begun.promise, running])
  return {
    commit: async () => {
      ending.resolve('commit')
      if ((await running) !== 'commit') throw BUSY
    },
    rollback: async () => {
      ending.resolve('rollback')
      await running
    },
  }
}

function toPrepared(sql: SqlStorage, text: string): PreparedStatement {
  return {
    run: (values) => {
      rowsOf(sql, text, values)
      const [changed] = rowsOf(sql, 'select changes() as count', []) as readonly { readonly count: number }[]
      return changed?.count ?? 0
    },
    get: (values) => rowsOf(sql, text, values)[0],
    all: (values) => rowsOf(sql, text, values),
    iterate: (values) => sql.exec(text, ...values),
  }
}

function rowsOf(sql: SqlStorage, text: string, values: readonly unknown[]): object[] {
  try {
    return sql.exec(text, ...values).toArray()
  } catch (error) {
    throw withCode(error)
  }
}

/** Errors have SQLite's code at the end of their message, and nowhere else. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const [code] = error.message.match(/SQLITE_\w+(?=\)?$)/) ?? []
  return code === undefined ? error : Object.assign(error, { code })
}
