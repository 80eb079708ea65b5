import { execFile, execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cachedFolder, root } from './cached-folder.ts'

/** `texts.js` reads the files of SQL beside it. */
const FUNCTIONS = 'adapters/postgres/functions'

/**
 * The directory of the sources as JavaScript (`src/…`, `adapters/…`), for tests that start processes of their own: older
 * Nodes run no TypeScript.
 */
export function compiled(): string {
  return cachedFolder('laurels-test', ['src', 'adapters'], (draft) => {
    const options = ['--noCheck', '--declaration', 'false', '--isolatedDeclarations', 'false']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', 'build/tsconfig.json', ...options, '--outDir', draft], { cwd: root })
    cpSync(join(root, FUNCTIONS), join(draft, FUNCTIONS), { recursive: true })
    writeFileSync(join(draft, 'package.json'), '{ "type": "module" }')
  })
}

interface Finished {
  readonly stdout: string
  readonly stderr: string
}

/** Runs an ES module's text in a process of its own, in the directory of `compiled()`. Rejects when it fails. */
export function runCompiled(script: string, ...args: readonly string[]): Promise<Finished> {
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...args], { cwd: compiled() })
}
