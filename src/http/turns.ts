/** Lets only so many requests of one key be handled at once; the others of that key wait, in the order of their arrival. */
export interface KeyTurns {
  run<T>(key: string, handle: () => Promise<T>): Promise<T>
}

export function createKeyTurns(most: number): KeyTurns {
  /** Only of keys that have requests under way. */
  const keys = new Map<string, { running: number; readonly waiting: (() => void)[] }>()

  return {
    run: async (key, handle) => {
      const own = keys.get(key) ?? { running: 0, waiting: [] }
      keys.set(key, own)
      // Whoever ends hands its place on, so that nobody comes between.
      if (own.running >= most) await new Promise<void>((resolve) => own.waiting.push(resolve))
      else own.running += 1
      try {
        return await handle()
      } finally {
        const next = own.waiting.shift()
        if (next !== undefined) next()
        else own.running -= 1
        if (own.running === 0) keys.delete(key)
      }
    },
  }
}
