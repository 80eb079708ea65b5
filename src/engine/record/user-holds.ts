import type { UserKey } from '../../storage-rows.ts'
import { userKeyText } from '../user-key.ts'

/** Users of whom one thing is done at a time, while their other calls wait. */
export interface UserHolds {
  /** Runs the works on one user one after the other. */
  alone<T>(key: UserKey, work: () => Promise<T>): Promise<T>
  isHeld(key: UserKey): boolean
  /** Resolves when no work on the user is under way. */
  released(key: UserKey): Promise<void>
  drained(): Promise<void>
  isIdle(): boolean
}

export function createUserHolds(): UserHolds {
  const lasts = new Map<string, Promise<void>>()

  const released: UserHolds['released'] = async (key) => {
    for (let last = lasts.get(userKeyText(key)); last !== undefined; last = lasts.get(userKeyText(key))) await last
  }

  return {
    released,
    isHeld: (key) => lasts.has(userKeyText(key)),
    alone: (key, work) => {
      const text = userKeyText(key)
      const turn = (lasts.get(text) ?? Promise.resolve()).then(work)
      const last: Promise<void> = turn.then(forget, forget)
      function forget(): void {
        if (lasts.get(text) === last) lasts.delete(text)
      }
      lasts.set(text, last)
      return turn
    },
    isIdle: () => lasts.size === 0,
    drained: async () => {
      while (lasts.size > 0) await Promise.all(lasts.values())
    },
  }
}
