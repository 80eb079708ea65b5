/** A time limit that a busy machine keeps, too: ten times the promised one. `QUIET=1` holds the promised limit. */
export const limit = (ms: number): number => (process.env.QUIET === undefined ? 10 * ms : ms)

/** What a process wrote, without what it only writes if the machine is slow: a first start that waits, and progress. */
export const withoutSlowness = (text: string): string =>
  text.replace(/^.*(?:migrate\(\) is still waiting for the database.*|\d+ refused, \d+\/s)\n/gm, '')
