import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Mutants in `src/record` need whole calls: MUTATION_TESTS=test/record,test/acceptance,test/api. They run on the memory storage. */
const FOLDERS = (process.env.MUTATION_TESTS ?? 'test/rules,test/game').split(',')

/** The tests that should catch a mutant. */
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
    include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
    // They need a Postgres or a server, start processes, which have no mutants, or take long.
    exclude: [
      'test/rules/leaderboard-deploys.test.ts',
      'test/acceptance/http/**',
      'test/api/leaderboards/**',
      'test/api/**/{days-of-logs,export-import,import-turns,merged-storm,verify-busy,verify-sample}.test.ts',
      'test/record/{deadlines,processes,read-turns,zones-periods}.test.ts',
    ],
    testNamePattern: /^(?!.*(, on sqlite|postgres|two processes))/i,
    testTimeout: 30_000,
    isolate: false,
  },
})
