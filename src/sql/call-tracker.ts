import { GamificationError } from '../errors.ts'

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

export function closed(): GamificationError {
  const message =
    'The engine is closed: gamification.close() was called before. Nothing was saved. Create a new engine.'
  return new GamificationError('closed', message)
}
