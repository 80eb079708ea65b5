import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes the workers of this process when messages were written. */
export interface MessageSignal {
  notify(): void
  /** `wait` resolves when `notify` was called since the last wait, after `ms`, or when the signal aborts. */
  listen(signal: AbortSignal): { wait(ms: number): Promise<void> }
}

export function createMessageSignal(): MessageSignal {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    listen: (signal) => {
      let notified = new AbortController()
      const notify = (): void => notified.abort()
      if (!signal.aborted) listeners.add(notify)
      signal.addEventListener('abort', () => {
        listeners.delete(notify)
        notify()
      })
      return {
        wait: async (ms) => {
          await sleep(ms, undefined, { signal: notified.signal }).catch(() => undefined)
          if (!signal.aborted) notified = new AbortController()
        },
      }
    },
  }
}
