import { GamificationError } from '../../src/errors.ts'

/** Counts the calls under way, so that `close` can let them finish and refuse later ones. */
export interface CallGate {
  enter<T>(call: () => Promise<T>): Promise<T>
  isOpen(): boolean
  /** Runs `release` once, after the last call. */
  close(release: () => Promise<void>): Promise<void>
}

export function createCallGate(): CallGate {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | null = null

  return {
    enter: async (call) => {
      if (closing !== null) throw new GamificationError('closed', 'The storage was closed.')
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
