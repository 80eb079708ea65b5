import { type ErrorCode, isGamificationError } from '../../../errors.ts'
import { startCall, toArgument } from '../../deadline.ts'
import type { Context } from '../../types.ts'

/** Whether the engine can do its work now. */
export interface Health {
  /** `failing`: the storage did not answer in time, or cannot be used as it is. */
  readonly status: 'ok' | 'failing'
  /** How many milliseconds the storage took to answer. */
  readonly storageMs: number
  /** Whether the game of this process is the newest stored one. While a deploy goes on, old processes are behind. */
  readonly isNewestGame: boolean
  /** What failed; null: nothing did. */
  readonly code: ErrorCode | null
  /** What failed, and how to mend it, for whoever runs the server. */
  readonly message: string | null
}

const MOST_MS = 2_000

/** Asks the storage for the games once, and never rejects. Whoever asks while it is being asked gets the same answer. */
export function createHealth(context: Context, fingerprint: string): () => Promise<Health> {
  let asked: Promise<Health> | null = null
  return () => {
    asked ??= ask(context, fingerprint).finally(() => {
      asked = null
    })
    return asked
  }
}

async function ask(context: Context, fingerprint: string): Promise<Health> {
  const start = performance.now()
  const took = (): number => Math.round(performance.now() - start)
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), MOST_MS)
    })
    const { storage, deadline } = startCall(context)
    const games = await Promise.race([storage.games(toArgument(Math.min(deadline, start + MOST_MS))), late])
    if (games === null) {
      const message = `The storage did not answer within ${MOST_MS} ms.`
      return { status: 'failing', storageMs: took(), isNewestGame: false, code: 'unavailable', message }
    }
    const isNewestGame = games.at(-1)?.fingerprint === fingerprint
    return { status: 'ok', storageMs: took(), isNewestGame, code: null, message: null }
  } catch (error) {
    const code = isGamificationError(error) ? error.code : 'internal'
    const message = error instanceof Error ? error.message : String(error)
    return { status: 'failing', storageMs: took(), isNewestGame: false, code, message }
  } finally {
    clearTimeout(timer)
  }
}
