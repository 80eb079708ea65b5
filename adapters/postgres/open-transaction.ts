import { GamificationError } from '../../src/errors.ts'
import { type End, holdOpen, type Open } from '../sql/calls.ts'
import { isAnswer, isLost, toStorageError } from './errors.ts'
import type { Session, Sessions } from './session.ts'

/** Begins a transaction on a connection of its own. Its statements must be answered by `deadline`. */
export function openTransaction(sessions: Sessions, deadline: number): Promise<Open<Session>> {
  return holdOpen(async (hold) => {
    try {
      await sessions.use(deadline, (own) => runUntilEnd(own, hold))
    } catch (error) {
      throw toStorageError(error)
    }
  })
}

async function runUntilEnd(own: Session, hold: (session: Session) => Promise<End>): Promise<void> {
  let isAnyFailed = false
  const query: Session['query'] = async (text, values) => {
    try {
      return await own.query(text, values)
    } catch (error) {
      isAnyFailed = true
      throw error
    }
  }
  await own.query('begin isolation level read committed', [])
  await own.query(`set local lock_timeout = '5s'`, [])
  if ((await hold({ query })) === 'rollback') return undoing(own)
  try {
    // Postgres answers COMMIT without an error if a statement failed, and rolls everything back.
    if (isAnyFailed) await own.query('select 1', [])
  } catch (error) {
    await undoing(own)
    throw error
  }
  try {
    await own.query('commit', [])
  } catch (error) {
    throw isLost(error) ? unknown(error) : error
  }
}

async function undoing(session: Session): Promise<void> {
  await session.query('rollback', [])
}

/** A statement of the host's rejects with the driver's error, unless the connection failed. */
export function toHandlerError(error: unknown): unknown {
  return isAnswer(error) && !isLost(error) ? error : toStorageError(error)
}

function unknown(cause: unknown): GamificationError {
  const message = 'The connection to Postgres was lost: it is not known whether the transaction was stored.'
  return new GamificationError('outcome_unknown', message, { cause })
}
