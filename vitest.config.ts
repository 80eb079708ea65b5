import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { HEAVY_ALONE, TEST_FILES, toHints } from './test/heavy.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** `npm run check`, which goes before, runs these: prose, imports, the package, and the documentation as users have it. */
const CHECK_ALONE = TEST_FILES.map(({ path }) => path).filter((path) =>
  /^test\/(?:(?:package|examples)\/[^/]+|docs|prose|boundaries)\.test\.ts$/.test(path),
)

type Plugin = NonNullable<ViteUserConfig['plugins']>[number]

/** better-sqlite3 is missing for the sources, and for the tests it is a stand-in over node:sqlite. */
const NODE_SQLITE: Plugin = {
  name: 'node-sqlite',
  enforce: 'pre',
  resolveId: (source, importer) => {
    if (!/^better-sqlite3(?:$|\/)/.test(source)) return null
    const isOfSources = [here('./src/'), here('./adapters/')].some((folder) => importer?.startsWith(folder))
    return isOfSources ? { id: 'better-sqlite3-is-missing', external: true } : here('./test/nodes/better-sqlite3.ts')
  },
}

const EARLY = new Set(TEST_FILES.filter(({ isEarly }) => isEarly).map(({ path }) => path))

/** Vitest begins with the largest files. The size of a file says little about its time. */
class EarlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isEarly = ({ moduleId }: TestSpecification): boolean => EARLY.has(relative(here('.'), moduleId))
    return [...sorted.filter(isEarly), ...sorted.filter((file) => !isEarly(file))]
  }
}

const script = process.env.npm_lifecycle_event
/** The paths after `npm test --`. */
const filters = process.argv.slice(2).filter((each) => /^[^-].*[/.]/.test(each))
for (const hint of script === 'test' ? toHints(filters, CHECK_ALONE) : []) process.stderr.write(`${hint}\n`)
const HEAVY_FILES = TEST_FILES.filter(({ isHeavy, isShared }) => isHeavy || isShared).map(({ path }) => path)
// Compilers, bundlers and npm may take any time on a machine that does everything for the first time. Other tests have ten times
// what the longest of them takes on a quiet machine.
const TIMEOUT_MS = ['check:tests', 'package', 'test:node'].includes(script ?? '') ? 0 : 120_000
const isOnNodeSqlite = process.env.LAURELS_TEST_SQLITE === 'node'

export default defineConfig({
  plugins: isOnNodeSqlite ? [NODE_SQLITE] : [],
  resolve: {
    // The package's own name leads to its sources, as `paths` in tsconfig.json does for the compiler.
    alias: [
      { find: /^laurels$/, replacement: here('./src/index.ts') },
      { find: /^laurels\/testing\/storage$/, replacement: here('./src/testing/storage-suite.ts') },
      { find: /^laurels\/testing$/, replacement: here('./src/testing/index.ts') },
      { find: /^laurels\/([a-z-]+)$/, replacement: here('./adapters/$1/index.ts') },
    ],
  },
  test: {
    include: script === 'test:heavy' ? HEAVY_FILES : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(script === 'test' ? [...CHECK_ALONE, ...HEAVY_ALONE] : [])],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // As long as a page in a browser waits: what takes milliseconds takes a second on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    sequence: { sequencer: EarlyFirst },
    // Each process loads the sources once, not once for each file.
    isolate: false,
    maxWorkers: 2,
    typecheck: { enabled: false },
  },
})
