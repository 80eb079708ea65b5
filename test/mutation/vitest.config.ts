import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The tests that should catch a mutant: those of rules and games. Mutants in `src/record` need more of them. */
export default defineConfig({
  root: here('../..'),
  resolve: {
    alias: [
      { find: /^laurels$/, replacement: here('../../src/index.ts') },
      { find: /^laurels\/testing$/, replacement: here('../../src/testing/index.ts') },
      { find: /^laurels\/([a-z]+)$/, replacement: here('../../adapters/$1/index.ts') },
    ],
  },
  test: {
    include: ['test/rules/**/*.test.ts', 'test/game/**/*.test.ts'],
    // Needs a Postgres.
    exclude: ['test/rules/leaderboard-deploys.test.ts'],
    testTimeout: 30_000,
    isolate: false,
  },
})
