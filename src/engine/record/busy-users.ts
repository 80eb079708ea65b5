import type { UserKey } from '../../storage-rows.ts'
import { userKeyText } from '../user-key.ts'

/** Users to whom others wrote so often lately that a fold of their log came too late, again and again. */
export interface BusyUsers {
  add(key: UserKey): void
  has(key: UserKey): boolean
}

/** For how long a user is taken for busy. Most are written to by one process alone a moment later. */
const BUSY_MS = 1_000

export function createBusyUsers(): BusyUsers {
  const until = new Map<string, number>()

  return {
    add: (key) => {
      const now = performance.now()
      for (const [text, end] of until) if (end <= now) until.delete(text)
      until.set(userKeyText(key), now + BUSY_MS)
    },
    has: (key) => {
      if (until.size === 0) return false
      return (until.get(userKeyText(key)) ?? 0) > performance.now()
    },
  }
}
