import type { Decide, Storage } from '../storage/storage.ts'
import type { Around } from './wrap-storage.ts'

/** Tells those who wait for messages in the same process that some were written. */
export interface Wake {
  ring(): void
  listen(): Bell
}

/** One of those who wait. */
export interface Bell {
  /** Resolves when it was rung since it was last waited for, after so many milliseconds, or with the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  end(): void
}

export function createWake(): Wake {
  const bells = new Set<() => void>()
  return {
    ring: () => {
      for (const ring of bells) ring()
    },
    listen: () => {
      let isRung = false
      let heard: () => void = () => undefined
      const ring = (): void => {
        isRung = true
        heard()
      }
      bells.add(ring)
      return {
        wait: (ms, signal) =>
          new Promise((resolve) => {
            const end = (): void => {
              clearTimeout(timer)
              signal.removeEventListener('abort', end)
              heard = () => undefined
              isRung = false
              resolve()
            }
            const timer = setTimeout(end, ms)
            signal.addEventListener('abort', end)
            heard = end
            if (isRung || signal.aborted) end()
          }),
        end: () => bells.delete(ring),
      }
    },
  }
}

/** Rings after every commit that has written messages, of a batch or of work on a locked user. */
export function waking(wake: Wake): Around {
  const commit = async (given: readonly unknown[], call: (given: readonly unknown[]) => unknown): Promise<unknown> => {
    const [requests, decide] = given as Parameters<Storage['commit']>
    let hasMessages = false
    const noting: Decide = (users, epoch) => {
      const saves = decide(users, epoch)
      hasMessages ||= saves.some((save) => save?.messages !== undefined && save.messages.length > 0)
      return saves
    }
    const report = await call([requests, noting])
    if (hasMessages) wake.ring()
    return report
  }
  const hold = async (given: readonly unknown[], call: (given: readonly unknown[]) => unknown): Promise<unknown> => {
    const [work] = given as Parameters<Storage['hold']>
    let hasMessages = false
    const noting: typeof work = (held) => {
      hasMessages = false
      const save: typeof held.save = (key, view, saved) => {
        hasMessages ||= saved.messages !== undefined && saved.messages.length > 0
        return held.save(key, view, saved)
      }
      return work({ ...held, save })
    }
    const done = await call([noting])
    if (hasMessages) wake.ring()
    return done
  }
  return (operation, given, call) => {
    if (operation === 'commit') return commit(given, call)
    return operation === 'hold' ? hold(given, call) : call(given)
  }
}
