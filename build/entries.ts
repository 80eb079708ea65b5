/** The entries of the package and its command: the file in `dist`, without its extension, and its source. */
export const SERVER: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  'better-auth': 'adapters/better-auth/index.ts',
  cli: 'adapters/cli/main.ts',
  console: 'adapters/console/index.ts',
  'durable-objects': 'adapters/durable-objects/index.ts',
  express: 'adapters/express/index.ts',
  fastify: 'adapters/fastify/index.ts',
  fetch: 'adapters/fetch/index.ts',
  memory: 'adapters/memory/index.ts',
  opentelemetry: 'adapters/opentelemetry/index.ts',
  postgres: 'adapters/postgres/index.ts',
  sqlite: 'adapters/sqlite/index.ts',
  testing: 'src/testing/index.ts',
  'testing/storage': 'src/testing/storage-suite.ts',
}

/** Two folders that a server can hand to browsers as they are: `examples/express-sqlite` does. */
export const BROWSER: Readonly<Record<string, string>> = {
  browser: 'src/browser.ts',
  'client/index': 'adapters/client/index.ts',
  'elements/index': 'adapters/elements/index.ts',
  'elements/badges': 'adapters/elements/badges.ts',
  'elements/challenges': 'adapters/elements/challenges.ts',
  'elements/choices': 'adapters/elements/choices.ts',
  'elements/leaderboard': 'adapters/elements/leaderboard.ts',
  'elements/level': 'adapters/elements/level.ts',
  'elements/react': 'adapters/elements/react.ts',
  'elements/rewards': 'adapters/elements/rewards.ts',
  'elements/streak': 'adapters/elements/streak.ts',
  'elements/wallet': 'adapters/elements/wallet.ts',
  'react/index': 'adapters/react/index.ts',
}
