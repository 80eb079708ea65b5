import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/*
 * npm run test:node -- 22              all of `npm test` on the newest Node 22
 * npm run test:node -- 22.13 [...]     on that one, with what else vitest is told
 * npm run test:node -- 24 --node-sqlite    on node:sqlite, as on a Node on which better-sqlite3 does not run
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const NODE_API_OF_BETTER_SQLITE3 = 10

const [version = '', ...others] = process.argv.slice(2)
if (!/^\d+(?:\.\d+){0,2}$/.test(version)) throw new Error('Which Node? As in: npm run test:node -- 22.13')

/** The folder of the program, which npm's package `node` brings. */
function install(): string {
  const folder = join(root, 'node_modules/.cache/laurels-node', version)
  const bin = join(folder, 'node_modules/node/bin')
  if (existsSync(bin)) return bin
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder })
  return bin
}

function run(
  command: string,
  parameters: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): string {
  const shell = process.platform === 'win32'
  const { status, stdout } = spawnSync(command, parameters, { ...options, shell, stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`)
  return stdout.toString().trim()
}

const bin = install()
const node = join(bin, 'node')
const [found, napi] = run(node, ['-p', 'process.version + " " + process.versions.napi'], { cwd: root }).split(' ')
const isOnNodeSqlite = others.includes('--node-sqlite') || Number(napi) < NODE_API_OF_BETTER_SQLITE3
process.stdout.write(`Node ${found}${isOnNodeSqlite ? ', on node:sqlite' : ''}\n`)

const files = others.filter((each) => !each.startsWith('--'))
const withoutBetterSqlite3 = pathToFileURL(join(root, 'test/nodes/without-better-sqlite3.mjs')).href
const { status } = spawnSync(
  node,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...others.filter((each) => each !== '--node-sqlite')],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      npm_lifecycle_event: files.length === 0 ? 'test' : 'test:node',
      ...(isOnNodeSqlite && { LAURELS_TEST_SQLITE: 'node', NODE_OPTIONS: `--import=${withoutBetterSqlite3}` }),
    },
  },
)
process.exitCode = status ?? 1
