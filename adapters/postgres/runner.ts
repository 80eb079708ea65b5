import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type { Statement } from '../sql/statement.ts'
import { isLost, isPassing, toStorageError } from './errors.ts'
import type { Session, Sessions } from './session.ts'

export interface Reader {
  /** A statement that may run twice: it reads, or it does the same once more. */
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** The same for a text that answers one value. */
  value<Value>(text: string, values: readonly unknown[], end?: number): Promise<Value>
}

/** Runs statements, again where that is safe, until a deadline. Rejects with a `GamificationError`. */
export interface Runner extends Reader {
  /** A deadline for a call that starts now, by `performance.now()`. */
  deadline(): number
  /** Once; a connection that is lost rejects with `outcome_unknown`. */
  once<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** Once, and what is thrown is that of the driver. */
  attempt<Value>(text: string, values: readonly unknown[], end: number): Promise<Value>
  /** One transaction, run again as a whole where it failed for a passing reason. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>
}

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 200

export function createRunner(sessions: Sessions, deadlineMs: number): Runner {
  const deadline = (): number => performance.now() + deadlineMs

  /** Tries again while the reason passes; pauses are random, so that processes do not meet again. */
  async function persist<T>(end: number, attempt: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt()
      } catch (error) {
        const wait = pause * (0.5 + Math.random())
        if (!(isLost(error) || isPassing(error)) || performance.now() + wait >= end) throw toStorageError(error)
        await sleep(wait)
      }
    }
  }

  const rowsOf = async <Row>(end: number, text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const rows = await sessions.use(end, (session) => session.query(text, values))
    return rows as readonly Row[]
  }

  /** As JSON, so that no type parser of the host's stands between, and 64-bit numbers come as numbers. */
  const asJson = async <Row>(end: number, text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const [row] = await rowsOf<{ readonly json: string | null }>(end, toJsonText(text), values)
    return JSON.parse(row?.json ?? '[]')
  }

  const attempt = async <Value>(text: string, values: readonly unknown[], end: number): Promise<Value> => {
    const [row] = await rowsOf<{ readonly value: Value }>(end, text, values)
    if (row === undefined) throw new GamificationError('internal', 'Postgres answered no row.')
    return row.value
  }

  return {
    deadline,
    attempt,
    all: (statement, params) => {
      const end = deadline()
      return persist(end, () => asJson(end, statement.text, statement.toValues(params)))
    },
    value: (text, values, end = deadline()) => persist(end, () => attempt(text, values, end)),
    once: async (statement, params) => {
      const end = deadline()
      try {
        return await asJson(end, statement.text, statement.toValues(params))
      } catch (error) {
        if (!isLost(error)) throw toStorageError(error)
        const message = 'The connection to Postgres was lost: it is not known whether anything was stored.'
        throw new GamificationError('outcome_unknown', message, { cause: error })
      }
    },
    transaction: (work) => {
      const end = deadline()
      return persist(end, () => sessions.use(end, (session) => inTransaction(session, work)))
    },
  }
}

/** A statement that writes has to stand in a common table expression to be read from. */
export function toJsonText(text: string): string {
  return `with answer as (${text}) select json_agg(answer)::text as json from answer`
}

async function inTransaction<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  await session.query('begin', [])
  try {
    const result = await work(session)
    await session.query('commit', [])
    return result
  } catch (error) {
    await session.query('rollback', []).catch(() => undefined)
    throw error
  }
}
