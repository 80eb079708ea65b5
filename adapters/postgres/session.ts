import { randomUUID } from 'node:crypto'
import { GamificationError } from '../../src/errors.ts'
import { inTime } from '../../src/sql/in-time.ts'
import { memoize } from '../../src/sql/memoize.ts'
import { type Open, openSession } from '../../src/sql/open-transaction.ts'
import type {
  CompiledText,
  PGliteTransaction,
  PostgresClient,
  PostgresKysely,
  PostgresPGlite,
  PostgresPool,
} from './driver.ts'
import { isAnswer, isLost, isOfFailedTransaction, LostConnection, NoConnection, provesUndone } from './errors.ts'

/** One connection, for a short while. */
export interface Session {
  /**
   * Rejects with an error of Postgres only if it proves that the statement was undone. Otherwise it rejects with
   * `LostConnection`, and the whole statement may have been executed.
   */
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** The source of connections. */
export interface Sessions {
  /** Resolves when the host's database is ready; it may still be starting. */
  ready?(): Promise<void>
  /** Runs `work` on a connection of its own; rejects with `LostConnection` once `end` has passed. */
  use<T>(end: number, work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const noAnswer = (): LostConnection => new LostConnection('it did not answer in time')

export type PendingRows = Promise<{ readonly rows: readonly unknown[] }>

export async function rowsInTime(
  end: number,
  answer: PendingRows,
  ask: (text: string) => PendingRows,
): Promise<readonly unknown[]> {
  try {
    return (await inTime(end, answer, noAnswer)).rows
  } catch (error) {
    if (error instanceof LostConnection || (provesUndone(error) ?? (await goesOn(end, ask)))) throw error
    throw new LostConnection('The connection to Postgres broke off.', { cause: error })
  }
}

/** After FATAL and PANIC, in whatever language, Postgres closes the connection; after ERROR it answers again. */
async function goesOn(end: number, ask: (text: string) => PendingRows): Promise<boolean> {
  try {
    await inTime(end, ask('select 1'), noAnswer)
    return true
  } catch (error) {
    return isOfFailedTransaction(error)
  }
}

const ignore = (): void => undefined
/**
 * How long after `end` a connection is given up. If there is a connection, its statements reject at `end` themselves.
 */
const GRACE_MS = 50

/** How many storages use a pool: it gets one listener for all of them. */
const users = new WeakMap<PostgresPool, number>()

function listen(pool: PostgresPool, by: 1 | -1): void {
  const count = (users.get(pool) ?? 0) + by
  users.set(pool, count)
  // A connection that breaks is no reason for the process to end, be it idle, just made or in use.
  if (by === 1 && count === 1) pool.on('error', ignore).on('connect', listenToClient)
  if (by === -1 && count === 0) pool.off('error', ignore).off('connect', listenToClient)
}

function listenToClient(client: PostgresClient): void {
  client.on('error', ignore)
}

/** `isOwn`: whether `close` ends the pool; `address` is for messages. */
export function poolSessions(open: () => Promise<PostgresPool>, isOwn: boolean, address: string | null): Sessions {
  const pool = memoize(async () => {
    const opened = await open()
    listen(opened, 1)
    return opened
  })
  return {
    use: async (end, work) => {
      const client = await connect(await pool.get(), end, address)
      return useClient(client, end, work)
    },
    close: async () => {
      const opened = await pool.current()?.catch(() => null)
      if (!opened) return
      // The listener stays: connections may break while they are closed.
      if (isOwn) await opened.end()
      else listen(opened, -1)
    },
  }
}

async function connect(pool: PostgresPool, end: number, address: string | null): Promise<PostgresClient> {
  try {
    return await inTime(end, pool.connect(), noAnswer, (late) => late.release())
  } catch (error) {
    if (!isLost(error)) throw error
    throw new NoConnection(address, busyPool(pool) ?? error)
  }
}

/** Returns `null` if the pool could open another connection, or does not say. */
function busyPool({ options, totalCount = 0 }: PostgresPool): LostConnection | null {
  const max = options?.max ?? Number.POSITIVE_INFINITY
  if (totalCount < max) return null
  return new LostConnection(`no connection of the pool became free (max: ${max}). Read before BEGIN, or raise max`)
}

async function useClient<T>(client: PostgresClient, end: number, work: (session: Session) => Promise<T>): Promise<T> {
  // The pool listens only while a connection is idle.
  client.on('error', ignore)
  let failure: Error | boolean = false
  try {
    const session: Session = {
      query: async (text, values) => rowsInTime(end, client.query(text, [...values]), (again) => client.query(again)),
    }
    return await work(session)
  } catch (error) {
    // Only an answer of Postgres proves that the connection is as it should be.
    failure = !isAnswer(error)
    throw error
  } finally {
    client.release(failure)
    // A connection that is closed may break again, so it keeps the listener.
    if (!failure) client.off('error', ignore)
  }
}

/** kysely takes a connection back as soon as `execute` ends, so `execute` waits for every statement asked on it. */
export function kyselySessions(kysely: PostgresKysely): Sessions {
  return {
    use: (end, work) => {
      let isConnected = false
      const working = kysely.connection().execute(async (connection) => {
        if (performance.now() >= end) throw new NoConnection(null, new LostConnection('the connection came too late'))
        isConnected = true
        const asked: Promise<unknown>[] = []
        const ask = (text: string, values: readonly unknown[] = []): PendingRows => {
          const answer = connection.withoutPlugins().executeQuery(toCompiled(text, values))
          asked.push(answer)
          return answer
        }
        const query: Session['query'] = async (text, values) => rowsInTime(end, ask(text, values), ask)
        const outcome = work({ query })
        // The caller gets the outcome before the connection is free again.
        answer(outcome)
        await Promise.allSettled([outcome, ...asked])
        return outcome
      })
      let answer: (outcome: ReturnType<typeof work>) => void = ignore
      const answered = new Promise<Awaited<ReturnType<typeof work>>>((resolve, reject) => {
        answer = (outcome) => void outcome.then(resolve as never, reject)
        working.catch(reject)
      })
      return inTime(end + GRACE_MS, answered, noAnswer).catch((error) => {
        throw isConnected || !isLost(error) ? error : new NoConnection(null, error)
      })
    },
    close: async () => undefined,
  }
}

/** The compiled form that kysely gives a query. */
export function toCompiled(sql: string, parameters: readonly unknown[]): CompiledText {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] } as const
  return { sql, parameters, query, queryId: { queryId: randomUUID() } }
}

/**
 * Sessions with the settings that our statements rely on. If a host's connections have others, each statement gets a
 * transaction of its own with these settings. They are looked at once, because all connections of a host have the same.
 */
export function withSettings(sessions: Sessions): Sessions {
  let isAsItIs: boolean | null = null

  return {
    ...(sessions.ready && { ready: sessions.ready }),
    use: (end, work) =>
      sessions.use(end, async (session) => {
        isAsItIs ??= await hasSettings(session)
        return work(isAsItIs ? session : withTransactions(session))
      }),
    close: () => sessions.close(),
  }
}

/** Returns whether each statement sees the commits before it, and numbers arrive with all digits. */
async function hasSettings(session: Session): Promise<boolean> {
  const text = `select current_setting('transaction_isolation') = 'read committed'
    and current_setting('extra_float_digits')::int > 0 as value`
  const [row] = await session.query(text, [])
  return (row as { readonly value: boolean } | undefined)?.value === true
}

function withTransactions(session: Session): Session {
  let isOpen = false
  return {
    query: async (text, values) => {
      // A transaction of ours is under the right isolation already.
      if (isOpen || text.startsWith('begin')) {
        isOpen = !/^(?:commit|rollback)$/.test(text)
        const rows = await session.query(text, values)
        if (text.startsWith('begin')) await session.query('set local extra_float_digits = 1', [])
        return rows
      }
      await session.query('begin isolation level read committed', [])
      try {
        await session.query('set local extra_float_digits = 1', [])
        const rows = await session.query(text, values)
        await session.query('commit', [])
        return rows
      } catch (error) {
        await session.query('rollback', []).catch(() => undefined)
        throw error
      }
    },
  }
}

/**
 * PGlite has one connection, which the host uses too. Statements between `begin` and `commit` run in a transaction of
 * PGlite's own, so that no statement of the host comes between.
 */
export function pgliteSessions(pglite: PostgresPGlite): Sessions {
  return {
    ready: async () => {
      if (pglite.closed) throw closedByHost()
      await pglite.waitReady
    },
    use: async (end, work) => {
      if (pglite.closed) throw closedByHost()
      let open: Open<PGliteTransaction> | null = null

      const ask = async (text: string, values: readonly unknown[] = []): PendingRows => {
        if (text.startsWith('begin')) {
          open = await begin(pglite)
          return open.session.query('set transaction isolation level read committed')
        }
        if (open === null) return pglite.query(text, [...values])
        if (text !== 'commit' && text !== 'rollback') return open.session.query(text, [...values])
        const ended = open.end(text)
        open = null
        await ended
        return { rows: [] }
      }
      const session: Session = { query: async (text, values) => rowsInTime(end, ask(text, values), ask) }
      try {
        return await work(session)
      } finally {
        // A transaction is still open if its answers came too late.
        await (open as Open<PGliteTransaction> | null)?.end('rollback').catch(() => undefined)
      }
    },
    close: async () => undefined,
  }
}

function begin(pglite: PostgresPGlite): Promise<Open<PGliteTransaction>> {
  return openSession((use) =>
    pglite.transaction(async (transaction) => {
      if ((await use(transaction)) === 'rollback') await transaction.rollback()
    }),
  )
}

function closedByHost(): GamificationError {
  return new GamificationError('storage_unusable', 'The host has closed the PGlite.')
}
