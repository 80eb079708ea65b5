/** After every so many lines of a log a snapshot is kept. */
export const SNAPSHOT_LINES = 1_000
