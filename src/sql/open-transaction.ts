import { GamificationError } from '../errors.ts'
import { inTime } from './in-time.ts'

export type End = 'commit' | 'rollback'

export interface Open<Session> {
  readonly session: Session
  end(how: End): Promise<void>
}

/**
 * Opens a session until `end` is called: `work` gives a session to its argument, which resolves with how to end.
 * `end` settles as `work` does.
 */
export function openSession<Session>(
  work: (use: (session: Session) => Promise<End>) => Promise<void>,
): Promise<Open<Session>> {
  return new Promise((resolve, reject) => {
    const ending = Promise.withResolvers<End>()
    const running = work((session) => {
      const end = (how: End): Promise<void> => {
        ending.resolve(how)
        return running
      }
      resolve({ session, end })
      return ending.promise
    })
    running.catch(reject)
  })
}

/**
 * Runs `work` in a transaction, which begins when `work` first calls `begin`. It commits when `work` resolves, and rolls
 * back when `work` rejects or takes longer than until `end`.
 */
export async function inOpenTransaction<Session, T>(
  open: () => Promise<Open<Session>>,
  work: (begin: () => Promise<Session>) => Promise<T>,
  end: number,
): Promise<T> {
  let opening: Promise<Open<Session>> | null = null
  let isOver = false

  const begin = async (): Promise<Session> => {
    if (isOver) throw transactionOver()
    opening ??= open()
    const { session } = await opening
    // The transaction may have ended while this call waited.
    if (isOver) throw transactionOver()
    return session
  }
  const finish = async (how: End): Promise<void> => {
    isOver = true
    await (await (opening as Promise<Open<Session>> | null))?.end(how)
  }

  let result: T
  try {
    if (performance.now() >= end) throw tookTooLong()
    result = await inTime(end, work(begin), tookTooLong)
  } catch (error) {
    await finish('rollback').catch(() => undefined)
    throw error
  }
  await finish('commit')
  return result
}

function tookTooLong(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The transaction took longer than the time that it had, and was undone: do less in one, or give it more time.',
  )
}

function transactionOver(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction is over: await every call before the handler ends.')
}
