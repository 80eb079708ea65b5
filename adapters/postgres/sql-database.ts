import { CHUNK_BYTES } from '../../src/storage/storage.ts'
import type { CallGate, LogTexts, SqlDatabase, SqlTransaction, Statement } from '../sql/database.ts'
import { toStorageError } from './errors.ts'
import { inOpenTransaction, toHandlerError } from './open-transaction.ts'
import { type Runner, toJsonText } from './runner.ts'
import type { Session, Sessions } from './session.ts'

export function toSqlDatabase(
  enter: CallGate['enter'],
  runner: Runner,
  sessions: Sessions,
  schema: string,
): SqlDatabase {
  return {
    all: (statement, params) => enter(() => runner.all(statement, params)),
    // Without statistics of a table Postgres may expect few rows, and sort all of them again for each page.
    page: (statement, params) =>
      enter(() =>
        runner.transaction(async (session) => {
          await session.query('set local enable_bitmapscan = off', [])
          return rowsOf(session, statement, params)
        }),
      ),
    chunk: (statement, params, texts, order) => enter(() => runner.all(shortened(statement, texts, order), params)),
    change: (statement, params) => enter(() => runner.change(statement, params)),
    once: (statement, params) => enter(() => runner.once(statement, params)),
    // The statement begins after the lock is free, so it sees what others have committed until then.
    locked: (name, statement, params) =>
      enter(() =>
        runner.transaction(async (session) => {
          const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text'
          await session.query(lock, [`laurels ${schema} ${name}`])
          return rowsOf(session, statement, params)
        }),
      ),
    transaction: (work) =>
      enter(() =>
        runner.transaction(async (session) => {
          await session.query(`set local lock_timeout = '5s'`, [])
          return work(toTransaction(async () => session))
        }),
      ),
    openTransaction: (work) =>
      enter(() =>
        inOpenTransaction(sessions, (begin) => work(toTransaction(begin, toStorageError)), runner.deadline()),
      ),
  }
}

/** `begin` begins the transaction where it has not begun. */
function toTransaction(
  begin: () => Promise<Session>,
  toError: (error: unknown) => unknown = (error) => error,
): SqlTransaction {
  return {
    all: async (statement, params) => {
      const session = await begin()
      try {
        return await rowsOf(session, statement, params)
      } catch (error) {
        throw toError(error)
      }
    },
    ask: async (text, values) => {
      const session = await begin()
      try {
        return await session.query(text, values)
      } catch (error) {
        throw toHandlerError(error)
      }
    },
  }
}

async function rowsOf<Params, Row>(
  session: Session,
  { text, toValues }: Statement<Params, Row>,
  params: Params,
): Promise<readonly Row[]> {
  const [row] = await session.query(toJsonText(text), toValues(params))
  return JSON.parse((row as { readonly json: string | null } | undefined)?.json ?? '[]')
}

/**
 * Leaves out the lines of a page that follow `CHUNK_BYTES` of text. Postgres knows the length of a text without reading
 * it, so lines that are left out cost little.
 */
export function shortened<Params, Row extends LogTexts>(
  { text, toValues }: Statement<Params, Row>,
  texts: readonly (keyof LogTexts)[],
  order: 'asc' | 'desc' = 'asc',
): Statement<Params, Row> {
  const size = texts.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  const before = `sum(${size}) over (order by at ${order}, seq ${order} rows between unbounded preceding and 1 preceding)`
  return {
    text: `select * from (select line.*, ${before} as size_before from (${text}) line) sized
      where coalesce(size_before, 0) < ${CHUNK_BYTES} order by at ${order}, seq ${order}`,
    toValues,
  }
}
