const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 100

/**
 * How many milliseconds to wait before each next try for something that others hold. Pauses grow, and are random, so that
 * processes do not meet again.
 */
export function growingPauses(): () => number {
  let pause = FIRST_PAUSE_MS / 2
  return () => {
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    return pause * (0.5 + Math.random())
  }
}
