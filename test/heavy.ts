// What `npm test` leaves out or does less of, so that it stays short; read by vitest.config.ts.

/** Long: `npm run test:heavy` runs these files, and `npm test` does not. */
export const HEAVY_ALONE: readonly string[] = [
  // Processes that are started and killed, dozens of times, or race; `crash/events-killed` stays.
  ...['dropped', 'import-killed', 'many-processes', 'migrate-killed', 'removed-killed', 'wal'].map(
    (name) => `crash/${name}`,
  ),
  ...[
    'adapters/cli-process',
    'adapters/removed-bytes',
    'adapters/sqlite-keys',
    'adapters/sqlite-sharing',
    'engine/limit-races',
    'engine/processes',
    'engine/merged-storm',
    'engine/removed-storm',
    'http/keys-races',
    'leaderboards/walking',
  ],
  // Compilers and tools of other libraries.
  ...['page', 'push-tools', 'within-databases'].map((name) => `transactions/${name}`),
  // Servers and processes that stand still for seconds, and come back.
  ...['chaos-host-pool', 'chaos-stopped', 'leaderboards-races', 'pgbouncer', 'races-plans'].map(
    (name) => `postgres/${name}`,
  ),
  // A whole Postgres in the process takes seconds to start.
  'postgres/pglite',
  // Megabytes of attributes, thousands of spellings, and each hour of ten days.
  ...['engine/long-lines', 'engine/zone-spellings', 'leaderboards/streak-hours'],
].map((name) => `test/${name}.test.ts`)

/** `npm test` takes a part of the rows, fewer random histories, or fewer drivers, of these, and `npm run test:heavy` as many as there are. */
export const FULLER_WHEN_HEAVY: readonly string[] = [
  ...['fuzz', 'fuzz-bindings', 'malformed', 'malformed-connections', 'malformed-order'].map((name) => `http/${name}`),
  ...['engine/dry-run', 'model/engine', 'model/walk/pure', 'postgres/differential', 'postgres/dry-run'],
  ...[
    'acceptance/http/requests',
    'adapters/storage',
    'contract/fields',
    'transactions/postgres-calls',
    'transactions/scripts',
    'views/histories',
  ],
].map((name) => `test/${name}.test.ts`)
