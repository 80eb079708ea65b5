/** Measures how long nothing else could run in this process. */
interface Stalls {
  /** The longest time in milliseconds, beyond the 5 between two looks. */
  stop(): number
}

const INTERVAL_MS = 5

export function watchStalls(): Stalls {
  let longest = 0
  let last = performance.now()
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - INTERVAL_MS)
    last = now
  }
  const timer = setInterval(look, INTERVAL_MS)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return longest
    },
  }
}
