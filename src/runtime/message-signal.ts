import { setTimeout as sleep } from 'node:timers/promises'
import type { Decide, Storage } from '../storage/storage.ts'
import type { Around } from './wrap-storage.ts'

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

/** Notifies after every commit that has written messages, of a batch or of work on a locked user. */
export function signalling(messageSignal: MessageSignal): Around {
  const commit = async (given: readonly unknown[], call: (given: readonly unknown[]) => unknown): Promise<unknown> => {
    const [requests, decide] = given as Parameters<Storage['commit']>
    let hasMessages = false
    const noting: Decide = (users, epoch) => {
      const saves = decide(users, epoch)
      hasMessages ||= saves.some((save) => save?.messages !== undefined && save.messages.length > 0)
      return saves
    }
    const report = await call([requests, noting])
    if (hasMessages) messageSignal.notify()
    return report
  }
  const transaction = async (
    given: readonly unknown[],
    call: (given: readonly unknown[]) => unknown,
  ): Promise<unknown> => {
    const [work] = given as Parameters<Storage['transaction']>
    let hasMessages = false
    const noting: typeof work = (tx) => {
      hasMessages = false
      const save: typeof tx.save = (key, view, saved) => {
        hasMessages ||= saved.messages !== undefined && saved.messages.length > 0
        return tx.save(key, view, saved)
      }
      return work({ ...tx, save })
    }
    const done = await call([noting])
    if (hasMessages) messageSignal.notify()
    return done
  }
  return (operation, given, call) => {
    if (operation === 'commit') return commit(given, call)
    return operation === 'transaction' ? transaction(given, call) : call(given)
  }
}
