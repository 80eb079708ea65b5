// What `npm test` leaves out or does less of, so that it stays short; read by vitest.config.ts.

/** Long: `npm run test:heavy` runs these files, and `npm test` does not. */
export const HEAVY_ALONE: readonly string[] = [
  // Processes that are started and killed, dozens of times; `crash/events-killed` stays.
  ...['dropped', 'import-killed', 'many-processes', 'migrate-killed', 'wal'].map((name) => `crash/${name}`),
  ...['adapters/cli-process', 'adapters/sqlite-sharing', 'engine/processes', 'http/keys-races', 'leaderboards/walking'],
  'transactions/within-databases',
  // Servers and processes that stand still for seconds, and come back.
  ...['chaos-host-pool', 'chaos-stopped', 'leaderboards-races'].map((name) => `postgres/${name}`),
  // Megabytes of attributes, and each hour of ten days.
  ...['engine/long-lines', 'leaderboards/streak-hours'],
].map((name) => `test/${name}.test.ts`)

/** `npm test` takes a part of the rows, fewer random histories, or fewer drivers, of these, and `npm run test:heavy` as many as there are. */
export const FULLER_WHEN_HEAVY: readonly string[] = [
  ...['fuzz', 'fuzz-bindings', 'malformed', 'malformed-connections', 'malformed-order'].map((name) => `http/${name}`),
  ...['engine/dry-run', 'model/engine', 'model/walk/pure', 'postgres/differential', 'postgres/dry-run'],
  ...['adapters/storage', 'contract/fields', 'transactions/scripts'],
].map((name) => `test/${name}.test.ts`)
