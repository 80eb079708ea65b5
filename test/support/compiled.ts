import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/laurels-test')
const FOLDERS = ['src', 'adapters']
const HOUR = 3_600_000

/**
 * The directory of the sources as JavaScript (`src/…`, `adapters/…`), for tests that start processes of their own: older
 * Nodes run no TypeScript. Compiled once for each state of the sources, by whichever test file comes first.
 */
export function compiled(): string {
  const target = join(cache, hashOfSources())
  if (existsSync(target)) return target

  const draft = `${target}-${process.pid}`
  const options = ['--noCheck', '--declaration', 'false', '--isolatedDeclarations', 'false']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options, '--outDir', draft], { cwd: root })
  execFileSync(process.execPath, ['test/support/embed-sql.mjs', draft], { cwd: root })
  writeFileSync(join(draft, 'package.json'), '{ "type": "module" }')
  try {
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Another test file has put it there meanwhile.
    if (!existsSync(target)) throw error
  }
  removeOldOnes()
  return target
}

interface Finished {
  readonly stdout: string
  readonly stderr: string
}

/** Runs an ES module's text in a process of its own, in the directory of `compiled()`. Rejects when it fails. */
export function runCompiled(script: string, ...args: readonly string[]): Promise<Finished> {
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...args], { cwd: compiled() })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const folder of FOLDERS) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((each) => /\.(?:ts|sql|mjs)$/.test(each)).sort()) {
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(root, folder, name)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function removeOldOnes(): void {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const directory = join(cache, name)
    const written = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - written > HOUR) rmSync(directory, { recursive: true, force: true })
  }
}
