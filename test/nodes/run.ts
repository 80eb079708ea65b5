import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { install, read, root } from './install.ts'

/*
 * npm run test:node -- 22              all of `npm test` on the newest Node 22
 * npm run test:node -- 22.13 [...]     on that one, with what else vitest is told
 * npm run test:node -- 24 --node-sqlite    on node:sqlite, as on a Node on which better-sqlite3 does not run
 * npm run test:node -- bun             the storage suite and a host's transactions, on bun:sqlite
 * npm run test:node -- deno            the same on Deno's node:sqlite
 */
const NODE_API_OF_BETTER_SQLITE3 = 10

const [version = '', ...others] = process.argv.slice(2)

function runVitest(): number | null {
  const bin = install('node', version)
  const node = join(bin, 'node')
  const [found, napi] = read(node, ['-p', 'process.version + " " + process.versions.napi']).split(' ')
  const isOnNodeSqlite = others.includes('--node-sqlite') || Number(napi) < NODE_API_OF_BETTER_SQLITE3
  process.stdout.write(`Node ${found}${isOnNodeSqlite ? ', on node:sqlite' : ''}\n`)

  const options = others.filter((each) => each !== '--node-sqlite')
  const areFiles = options.some((each) => !each.startsWith('--'))
  const withoutBetterSqlite3 = pathToFileURL(join(root, 'test/nodes/without-better-sqlite3.mjs')).href
  const { status } = spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      // As vitest.config.ts tells all of `npm test` from chosen files.
      npm_lifecycle_event: areFiles ? 'test:node' : 'test',
      ...(isOnNodeSqlite && {
        LAURELS_TEST_SQLITE: 'node',
        NODE_OPTIONS: `--import=${withoutBetterSqlite3} --disable-warning=ExperimentalWarning`,
      }),
    },
  })
  return status
}

function runSuite(runtime: 'bun' | 'deno'): number | null {
  const command = join(install(runtime, 'latest'), runtime)
  const options = runtime === 'deno' ? ['run', '--allow-all'] : []
  const suite = join(root, 'test/nodes/runtime-suite.ts')
  return spawnSync(command, [...options, suite], { cwd: root, stdio: 'inherit' }).status
}

const isSuite = version === 'bun' || version === 'deno'
if (!isSuite && !/^\d+(?:\.\d+){0,2}$/.test(version)) {
  throw new Error('Which Node? As in: npm run test:node -- 22.13')
}
process.exitCode = (isSuite ? runSuite(version) : runVitest()) ?? 1
