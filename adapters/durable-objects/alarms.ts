import type { DefinedGame, Gamification } from '../../src/index.ts'
import type { ObjectStorage } from './platform.ts'

/** Work that is still due after a round cannot be done yet: it failed, or another holds it. */
const RETRY_MS = 10_000

export interface Alarms {
  /** Reads the alarm that is set, and sets one for the next work. */
  start(): Promise<void>
  /** Call it after each commit: the write may bring work that is due sooner. */
  written(): void
  /** The object's `alarm`: does everything that is due, and sets the next alarm. Never rejects for work that failed. */
  ring(): Promise<void>
}

/** Keeps the object's alarm at the instant of the next work. `now` is the clock of `gamification`. */
export function createAlarms(
  storage: ObjectStorage,
  gamification: Gamification<DefinedGame>,
  now: () => number,
): Alarms {
  let setTo: number | null = null
  let isWorking = false

  // An alarm that comes too early finds nothing to do, and sets the next one. So it is never moved to a later instant.
  const set = async (pauseMs: number): Promise<void> => {
    const next = await gamification.nextWorkAt()
    if (next === null) return
    const inMs = next.getTime() - now()
    const at = Date.now() + (inMs > 0 ? inMs : pauseMs)
    if (setTo !== null && setTo <= at) return
    setTo = at
    await storage.setAlarm(at)
  }

  return {
    start: async () => {
      const alarm = await storage.getAlarm()
      // An overdue alarm may be lost with the process that it was for. If it comes too, it finds nothing to do.
      setTo = alarm !== null && alarm > Date.now() ? alarm : null
      await set(0)
    },
    written: () => {
      if (isWorking) return
      set(0).catch((err) => gamification.logger.error({ err }, 'The alarm of the Durable Object could not be set.'))
    },
    ring: async () => {
      setTo = null
      isWorking = true
      try {
        // The engine has logged the error. An alarm that rejects would be retried six times, and then no more.
        await gamification.workOnce().catch(() => undefined)
      } finally {
        isWorking = false
      }
      await set(RETRY_MS)
    },
  }
}
