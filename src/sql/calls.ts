import { GamificationError } from '../errors.ts'

/** Makes a promise once, and again after it was rejected. `current` is null until the first call. */
export interface Memoized<Given extends unknown[], T> {
  get(...given: Given): Promise<T>
  current(): Promise<T> | null
}

export function memoize<Given extends unknown[], T>(make: (...given: Given) => Promise<T>): Memoized<Given, T> {
  let promise: Promise<T> | null = null
  return {
    get: (...given) => {
      promise ??= make(...given).catch((error) => {
        promise = null
        throw error
      })
      return promise
    },
    current: () => promise,
  }
}

/** Counts the calls under way, so that `close` can let them finish and refuse later ones. */
export interface CallTracker {
  enter<T>(call: () => Promise<T>): Promise<T>
  isOpen(): boolean
  close(release: () => Promise<void>): Promise<void>
}

export function createCallTracker(): CallTracker {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | null = null

  return {
    enter: async (call) => {
      if (closing !== null) throw closed()
      const running = call()
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    isOpen: () => closing === null,
    close: (release) => {
      closing ??= Promise.allSettled(underWay).then(release)
      return closing
    },
  }
}

/**
 * The value of a promise; rejects with the error of `overdue` if there is none by `end` (by `performance.now()`). A value
 * that comes later goes to `onOverdue`.
 */
export async function inTime<T>(
  end: number,
  promise: Promise<T>,
  overdue: () => Error,
  onOverdue: (value: T) => void = () => undefined,
): Promise<T> {
  if (end === Number.POSITIVE_INFINITY) return promise
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const over = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      isOver = true
      reject(overdue())
    }
    timer = setTimeout(giveUp, Math.max(0, end - performance.now()))
  })
  promise.then(
    (value) => isOver && onOverdue(value),
    () => undefined,
  )
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}

function tookTooLong(): GamificationError {
  return new GamificationError(
    'unavailable',
    'The transaction took longer than the time that it had, and was undone: do less in one, or give it more time.',
  )
}

/** The error of a transaction on a database in the process whose work answered with a promise. */
export function waited(): GamificationError {
  return new GamificationError(
    'internal',
    'The callback of the transaction returned a promise. It must be synchronous. Nothing was saved.',
  )
}

export function closed(): GamificationError {
  const message =
    'The engine is closed: gamification.close() was called before. Nothing was saved. Create a new engine.'
  return new GamificationError('closed', message)
}

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

export function transactionOver(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction is over: await every call before the handler ends.')
}
