/** A time limit that a busy machine keeps, too: ten times the promised one. `QUIET=1` holds the promised limit. */
export const limit = (ms: number): number => (process.env.QUIET === undefined ? 10 * ms : ms)
