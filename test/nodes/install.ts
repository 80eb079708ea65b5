import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

const PROGRAMS = { node: 'bin/node', bun: 'bin/bun.exe', deno: 'deno' }

/** The folder of the programs in an npm package. */
export function install(name: keyof typeof PROGRAMS, version: string): string {
  const folder = join(root, 'node_modules/.cache/laurels-runtimes', `${name}-${version}`)
  const command = join(folder, 'node_modules', name, PROGRAMS[name])
  if (existsSync(command)) return join(folder, 'node_modules/.bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { [name]: true } }))
  read('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], folder)
  return join(folder, 'node_modules/.bin')
}

/** The output of a command. */
export function read(command: string, parameters: readonly string[], cwd: string = root): string {
  const { status, stdout } = spawnSync(command, parameters, {
    cwd,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`)
  return stdout.toString().trim()
}
