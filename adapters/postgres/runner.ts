import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import { type Open, openSession } from '../../src/sql/open-transaction.ts'
import { growingPauses } from '../../src/storage/growing-pauses.ts'
import {
  isLost,
  isPassing,
  LostConnection,
  mostUsefulError,
  NoConnection,
  passingReasonOf,
  toStorageError,
} from './errors.ts'
import type { Session, Sessions } from './session.ts'

export interface Reader {
  /** The rows of a statement that may run twice: it reads, or it does the same again. */
  rows<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
  /** As `rows`, for a text that answers one value; until `end`, or else for as long as the runner has. */
  value<Value>(text: string, values: readonly unknown[], end?: number): Promise<Value>
}

/** Runs statements until a deadline, and retries them if that is safe. Rejects with a `GamificationError`. */
export interface Runner extends Reader {
  /** A deadline for a call that starts now, by `performance.now()`. */
  deadline(): number
  /** This runner, for statements that have to be answered by `deadline`, which is asked when one begins. */
  until(deadline: () => number): Runner
  /**
   * Like `rows`, for a statement that writes: rejects with `outcome_unknown` if an answer got lost and no later try
   * succeeded.
   */
  change<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
  /**
   * Runs a statement once. Rejects with `LostConnection` if the statement may have been executed; any other error
   * proves that it was not.
   */
  attempt<Value>(text: string, values: readonly unknown[], end: number): Promise<Value>
  /**
   * One transaction, run again as a whole if it failed for a passing reason before its commit. `longestMs`: how long
   * its statements may take, if not until the deadline, after which it is not run again in any case.
   */
  transaction<T>(work: (session: Session) => Promise<T>, options?: { readonly longestMs?: number }): Promise<T>
  /** Begins a transaction on a connection of its own, which stays open. Its statements must be answered by `end`. */
  open(end: number): Promise<Open<Session>>
}

export function createRunner(sessions: Sessions, deadlineMs: number): Runner {
  return runnerUntil(sessions, () => performance.now() + deadlineMs)
}

function runnerUntil(sessions: Sessions, deadline: () => number): Runner {
  const rowsUntil = <Row>(end: number, text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    sessions.use(end, (session) => rowsOf<Row>(session, text, values))
  return {
    deadline,
    until: (end) => runnerUntil(sessions, end),
    attempt: (text, values, end) => valueFrom(sessions, end, text, values),
    rows: (text, values) => persist(deadline(), (end) => rowsUntil(end, text, values)),
    value: (text, values, end = deadline()) => persist(end, () => valueFrom(sessions, end, text, values)),
    change: (text, values) => persist(deadline(), (end) => rowsUntil(end, text, values), true),
    transaction: (work, { longestMs } = {}) =>
      persist(deadline(), (end) => {
        const until = longestMs === undefined ? end : performance.now() + longestMs
        return sessions.use(until, (session) => inTransaction(session, work))
      }),
    open: (end) =>
      openSession(async (use) => {
        const work = async (session: Session): Promise<void> => {
          if ((await use(session)) === 'rollback') throw ROLLED_BACK
          // Postgres answers COMMIT without an error if a statement failed, and rolls everything back.
          await session.query('select 1', [])
        }
        try {
          await sessions.use(end, (session) => inTransaction(session, work))
        } catch (error) {
          if (error !== ROLLED_BACK) throw toStorageError(error)
        }
      }),
  }
}

const ROLLED_BACK: unique symbol = Symbol('rolled back')

/**
 * Tries again after errors that pass, until `end`. The outcome of a write is unknown if an answer got lost and no later
 * try succeeded.
 */
async function persist<T>(end: number, attempt: (end: number) => Promise<T>, isWrite = false): Promise<T> {
  const nextPause = growingPauses()
  let reason: unknown = null
  let isAnyLost = false
  for (;;) {
    try {
      // A call that has waited too long elsewhere is not sent.
      if (performance.now() >= end)
        throw new NoConnection(null, new LostConnection('the time of the call was over before'))
      return await attempt(end)
    } catch (thrown) {
      const error = passingReasonOf(thrown)
      reason = mostUsefulError(reason, error)
      isAnyLost ||= isLost(error) && !(error instanceof NoConnection)
      const wait = nextPause()
      if (!(isLost(error) || isPassing(error)) || performance.now() + wait >= end) {
        throw isWrite && isAnyLost ? unknown(reason) : toStorageError(reason)
      }
      await sleep(wait)
    }
  }
}

async function valueFrom<Value>(
  sessions: Sessions,
  end: number,
  text: string,
  values: readonly unknown[],
): Promise<Value> {
  const [row] = await sessions.use(end, (session) => session.query(text, values))
  // The statement may have taken effect.
  if (row === undefined) throw new LostConnection('Postgres answered no row.')
  return (row as { readonly value: Value }).value
}

function unknown(cause: unknown): GamificationError {
  const message = 'The connection to Postgres was lost: it is not known whether anything was stored.'
  return new GamificationError('outcome_unknown', message, { cause })
}

/**
 * The rows of a statement as JSON, so that no type parser of the host reads them, and numbers of 64 bits are numbers.
 */
export async function rowsOf<Row>(session: Session, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  // A statement that writes can be read from only in a common table expression.
  const asJson = `with answer as (${text}) select json_agg(answer)::text as json from answer`
  const [row] = await session.query(asJson, values)
  return JSON.parse((row as { readonly json: string | null } | undefined)?.json ?? '[]')
}

async function inTransaction<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  await session.query('begin isolation level read committed', [])
  await session.query(`set local lock_timeout = '5s'`, [])
  let result: T
  try {
    result = await work(session)
  } catch (error) {
    await session.query('rollback', []).catch(() => undefined)
    throw error
  }
  try {
    await session.query('commit', [])
    return result
  } catch (error) {
    throw isLost(error) ? unknown(error) : error
  }
}
