import { GamificationError } from '../../src/errors.ts'
import { withinTime } from '../sql/within-time.ts'
import type { Connection, Held } from './connection.ts'
import type { WriterTurns } from './writer-turns.ts'

/** Runs `work`, whose transaction begins when `work` first calls `begin`. */
export type Transact = <T>(work: (begin: () => Promise<Connection>) => Promise<T>) => Promise<T>

export interface TransactionsOptions {
  readonly turns: WriterTurns
  /** The connection that transactions are on. */
  connect(end: number): Promise<Connection>
  /** What the caller gets for an error of the driver. */
  toError(error: unknown): unknown
  /** Throws where nothing more is to be written. */
  check(): void
}

interface Begun extends Held {
  readonly connection: Connection
  /** Lets the next writer have its turn. */
  leave(): void
}

/**
 * The transaction has a writer's turn from its first statement to its end; the event loop is free meanwhile. `end`:
 * until when (by `performance.now()`) the work has to be done.
 */
export async function inTransaction<T>(
  { turns, connect, toError, check }: TransactionsOptions,
  work: (begin: () => Promise<Connection>) => Promise<T>,
  end: number,
): Promise<T> {
  let beginning: Promise<Begun> | null = null
  let isOver = false

  const take = async (): Promise<Begun> => {
    try {
      return await takeTurn(turns, await connect(end), end)
    } catch (error) {
      throw toError(error)
    }
  }
  const begin = async (): Promise<Connection> => {
    if (isOver) throw over()
    beginning ??= take()
    const { connection } = await beginning
    // The transaction may have ended while this call waited.
    if (isOver) throw over()
    return connection
  }
  const finish = async (how: 'commit' | 'rollback'): Promise<void> => {
    isOver = true
    const begun = await (beginning as Promise<Begun> | null)
    if (begun === null) return
    try {
      if (how === 'commit') check()
      begun[how]()
    } finally {
      // Does nothing where the transaction has ended.
      begun.rollback()
      begun.leave()
    }
  }

  let result: T
  try {
    result = await withinTime(() => work(begin), end)
  } catch (error) {
    await finish('rollback').catch(() => undefined)
    throw error
  }
  try {
    await finish('commit')
  } catch (error) {
    throw toError(error)
  }
  return result
}

function takeTurn(turns: WriterTurns, connection: Connection, end: number): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const attempt = (): Promise<void> => {
      const held = connection.hold()
      return new Promise((leave) => resolve({ ...held, connection, leave }))
    }
    turns.run(end, attempt).catch(reject)
  })
}

function over(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction is over: await every call before the handler ends.')
}
