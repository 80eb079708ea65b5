import { type ErrorCode, isGamificationError } from '../../../errors.ts'
import type { StoredGame } from '../../../storage.ts'
import type { Health } from '../../answers/wire/status.ts'
import { startCall } from '../../deadline.ts'
import type { Context } from '../../types.ts'

const MOST_MS = 2_000

/**
 * Asks the storage once for the games and whether it takes writes, and never rejects. Callers that come meanwhile share
 * the answer.
 */
export function createHealth(context: Context): () => Promise<Health> {
  let asked: Promise<Health> | null = null
  return () => {
    asked ??= askHealth(context)
      .then(({ health }) => health)
      .finally(() => {
        asked = null
      })
    return asked
  }
}

/** With the games that the storage answered; none where it did not. */
export async function askHealth(
  context: Context,
): Promise<{ readonly health: Health; readonly stored: readonly StoredGame[] }> {
  const start = performance.now()
  const took = (): number => Math.round(performance.now() - start)
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), MOST_MS)
    })
    const { storage, databaseClock, deadline } = startCall(context)
    const hasty = storage.until(Math.min(deadline, start + MOST_MS))
    const answers = await Promise.race([Promise.all([hasty.games(), databaseClock.compare(hasty)]), late])
    if (answers === null) {
      const message = `The storage did not answer within ${MOST_MS} ms.`
      return failing(took(), 'unavailable', message)
    }
    const [games, wrongClock] = answers
    if (wrongClock !== null) return failing(took(), 'unavailable', wrongClock)
    const isNewestGame = games.at(-1)?.fingerprint === context.games.fingerprint
    return { health: { status: 'ok', storageMs: took(), isNewestGame, code: null, message: null }, stored: games }
  } catch (error) {
    const code = isGamificationError(error) ? error.code : 'internal'
    const message = error instanceof Error ? error.message : String(error)
    return failing(took(), code, message)
  } finally {
    clearTimeout(timer)
  }
}

function failing(
  storageMs: number,
  code: ErrorCode,
  message: string,
): { readonly health: Health; readonly stored: readonly StoredGame[] } {
  return { health: { status: 'failing', storageMs, isNewestGame: false, code, message }, stored: [] }
}
