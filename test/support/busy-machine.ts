/** A time limit that a busy machine keeps, too: ten times the promised one. `QUIET=1` holds the promised limit. */
export const limit = (ms: number): number => (process.env.QUIET === undefined ? 10 * ms : ms)

/** The output of a process, without the warning of a first start that takes seconds because the disk is slow. */
export const withoutSlowness = (text: string): string =>
  text.replace(/^.*migrate\(\) is still waiting for the database.*\n/gm, '')
