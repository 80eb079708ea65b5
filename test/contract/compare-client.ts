// `npm run contract`: compares the newest official client on npm with what laurels implements, and prints what is new.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingIn, readClient } from './official-client.ts'

const NAME = '@trophyso/node'
const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const folder = mkdtempSync(join(tmpdir(), 'laurels-contract-'))
try {
  const version = run('npm', 'view', NAME, 'version').trim()
  run(
    'npm',
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${NAME}@${version}`,
  )
  const client = readClient(join(folder, 'node_modules', NAME))
  const { routes, fields, values } = client
  console.log(`${NAME} ${version}: ${routes.length} routes, ${fields.length} fields, ${values.length} values of enums`)
  const missing = Object.entries(missingIn(client)).flatMap(([what, names]: [string, readonly string[]]) =>
    names.map((name) => `new ${what.slice(0, -1)}: ${name}`),
  )
  console.log(missing.length === 0 ? 'laurels has all of them.' : missing.join('\n'))
  if (missing.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
