import type { Storage } from '../storage/storage.ts'
import type { DatabaseClock } from './context.ts'
import { deadlineFrom, NEVER } from './deadline.ts'
import { storageChannel, trace } from './tracing.ts'

/**
 * The storage of an engine: each call is traced, a write begins only while the clock of the process is right, and all
 * calls end by the deadline. Reads of any length (`page`, `chunk`) get a new deadline for each part, and so do the calls
 * after them.
 */
export function guardStorage(
  storage: Storage,
  clock: Pick<DatabaseClock, 'mayWrite' | 'guardJoined'>,
  deadline: number = NEVER,
): Storage {
  let end = deadline
  let bound: Storage | null = null
  const now = (): Storage => {
    if (end === NEVER) return storage
    bound ??= storage.until(end)
    return bound
  }
  const traced = <T>(operation: keyof Storage, run: () => Promise<T>): Promise<T> =>
    trace(storageChannel, () => ({ operation }), run)
  const part = async <T>(operation: keyof Storage, read: () => Promise<T>): Promise<T> => {
    const rows = await traced(operation, read)
    if (end === NEVER) return rows
    end = Math.max(end, deadlineFrom(storage, performance.now()))
    bound = null
    return rows
  }
  const write = <T>(operation: keyof Storage, run: () => Promise<T>): Promise<T> => {
    const allowed = clock.mayWrite(guarded)
    return allowed === true ? traced(operation, run) : allowed.then(() => traced(operation, run))
  }

  const { name, deadlineMs, auditsAtOnce, toBoolean } = storage
  const guarded: Storage = {
    ...{ name, deadlineMs, auditsAtOnce, toBoolean },
    until: (later) => guardStorage(storage, clock, later),
    changes: () => storage.changes(),
    all: (statement, params) => traced('all', () => now().all(statement, params)),
    read: (parts) => traced('read', () => now().read(parts)),
    page: (statement, params) => part('page', () => storage.page(statement, params)),
    chunk: (...given) => part('chunk', () => storage.chunk(...given)),
    change: (statement, params) => write('change', () => now().change(statement, params)),
    transaction: (work) => write('transaction', () => now().transaction(work)),
    openTransaction: (work) => write('openTransaction', () => now().openTransaction(work)),
    joinTransaction: (host) => clock.guardJoined(now().joinTransaction(host)),
    commit: (requests, decide) => write('commit', () => now().commit(requests, decide)),
    ranks: (user, requests) => traced('ranks', () => now().ranks(user, requests)),
    leaderboardPage: (...given) => traced('leaderboardPage', () => now().leaderboardPage(...given)),
    auditBlocks: (...given) => traced('auditBlocks', () => now().auditBlocks(...given)),
    migrate: () => traced('migrate', () => now().migrate()),
    checkTables: () => traced('checkTables', () => now().checkTables()),
    checkWritable: () => traced('checkWritable', () => now().checkWritable()),
    close: () => storage.close(),
  }
  return guarded
}
