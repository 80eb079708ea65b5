/** After every `every` lines of a log a snapshot is kept. Only tests change it: their logs are short. */
export const snapshotLines: { every: number } = { every: 1_000 }
