// What `npm test` leaves out or does less of, so that it stays short; read by vitest.config.ts.

type Names = Readonly<Record<string, readonly string[]>>

const toPaths = (folders: Names): readonly string[] =>
  Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `test/${folder}/${name}.test.ts`))

/** `npm run test:heavy` runs these files and `npm test` does not: each takes more than three seconds. */
export const HEAVY_ALONE: readonly string[] = toPaths({
  acceptance: ['event-summary', 'leaderboard-pages', 'leaderboards', 'limits', 'metric-event', 'points', 'streak-fields', 'streak-management', 'user-leaderboard', 'users'],
  'acceptance/http': ['metric-event'],
  'adapters/cli': ['audit', 'console-process', 'demo', 'keys', 'postgres-doctor', 'process'],
  'adapters/client': ['errors', 'events', 'http', 'reads'],
  'adapters/console': ['mounts'],
  'adapters/postgres': ['audit', 'chaos-batch', 'chaos-cuts', 'chaos-host-pool', 'chaos-host-suite', 'chaos-restarts', 'chaos-settling', 'chaos-severities', 'chaos-stopped', 'chaos-timelines', 'chaos-unusable', 'connection-reasons', 'deadlines', 'leaderboards-blocks', 'leaderboards-cuts', 'messages-commits', 'pgbouncer', 'pglite', 'races-commits', 'races-plans', 'races'],
  'adapters/sql': ['audit-sqlite', 'removed-bytes', 'views-plans'],
  'adapters/sqlite': ['block-sizes', 'drivers', 'keys', 'sharing', 'tops'],
  'api/achievements': ['repeats'],
  'api/boosts': ['boosts'],
  'api/events': ['held-events', 'odd-strings', 'voids-of-keys'],
  'api/explain': ['truth'],
  'api/leaderboards': ['histories', 'walking'],
  'api/operate': ['apply-histories', 'verify-busy'],
  'api/users': ['merge', 'merged-storm'],
  browser: ['console-keyboard', 'console-leaderboards', 'console-more', 'console-operate', 'console-read-access', 'console-sizes', 'console-tenants', 'console-texts', 'console-today', 'console-user', 'console-users', 'console-what-if', 'docs-elements', 'elements-client', 'elements', 'example-page', 'streak-element'],
  contract: ['batch', 'differences', 'window', 'wrapped'],
  crash: ['dropped', 'events-killed', 'file-gone', 'full-disk', 'import-killed', 'migrate-killed', 'removed-killed', 'subscriptions-killed', 'wal'],
  host: ['health'],
  http: ['authorization-clients', 'authorization-names', 'authorization', 'cors', 'idempotency', 'keys', 'rate-limit', 'refusals', 'streams', 'tenants', 'user-api'],
  messages: ['storm'],
  'messages/webhooks': ['many'],
  'model/walk': ['engine'],
  record: ['deadlines', 'processes', 'races', 'zones'],
  rules: ['calendar'],
  storage: ['open-transactions'],
  transactions: ['leaderboards-pending', 'libraries', 'page', 'postgres-refusals', 'postgres-waiting', 'push-tools', 'within-databases', 'within'],
})

/** `npm test` runs a share of the rows, random histories or drivers of these files, and `npm run test:heavy` runs all of them. */
export const FULLER_WHEN_HEAVY: readonly string[] = toPaths({
  'acceptance/http': ['requests'],
  'adapters/sql': ['views-histories'],
  contract: ['fields'],
  http: ['fuzz', 'malformed-connections', 'malformed'],
  model: ['engine', 'plays'],
  'model/walk': ['pure'],
  record: ['dry-run'],
  storage: ['storage'],
  transactions: ['postgres-calls'],
})
