import { GamificationError } from '../../src/errors.ts'
import { withinTime } from '../sql/database.ts'
import { isAnswer, isLost, toStorageError } from './errors.ts'
import type { Session, Sessions } from './session.ts'

/** Runs `work`, whose transaction begins, on a connection of its own, when `work` first calls `begin`. */
export async function inOpenTransaction<T>(
  sessions: Sessions,
  work: (begin: () => Promise<Session>) => Promise<T>,
  end: number,
): Promise<T> {
  let transaction: Transaction | null = null
  let isOver = false

  const begin = async (): Promise<Session> => {
    if (isOver) throw over()
    transaction ??= open(sessions, end, () => isOver)
    return transaction.session
  }
  const finish = async (how: End): Promise<void> => {
    isOver = true
    await (transaction as Transaction | null)?.end(how)
  }

  let result: T
  try {
    result = await withinTime(() => work(begin), end)
  } catch (error) {
    await finish('rollback').catch(() => undefined)
    throw error
  }
  await finish('commit')
  return result
}

type End = 'commit' | 'rollback'

interface Transaction {
  readonly session: Promise<Session>
  /** Resolves when it has ended. */
  end(how: End): Promise<void>
}

function open(sessions: Sessions, end: number, isOver: () => boolean): Transaction {
  const begun = Promise.withResolvers<Session>()
  const ending = Promise.withResolvers<End>()
  const running = sessions.use(end, async (own) => {
    let isAnyFailed = false
    await own.query('begin isolation level read committed', [])
    await own.query(`set local lock_timeout = '5s'`, [])
    begun.resolve({
      query: async (text, values) => {
        if (isOver()) throw over()
        try {
          return await own.query(text, values)
        } catch (error) {
          isAnyFailed = true
          throw error
        }
      },
    })
    if ((await ending.promise) === 'rollback') return undoing(own)
    try {
      // Postgres answers COMMIT without an error where a statement failed, and undoes everything.
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
  })
  running.catch((error: unknown) => begun.reject(toStorageError(error)))
  begun.promise.catch(() => undefined)
  return {
    session: begun.promise,
    end: async (how) => {
      ending.resolve(how)
      try {
        await running
      } catch (error) {
        throw toStorageError(error)
      }
    },
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

function over(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction is over: await every call before the handler ends.')
}
