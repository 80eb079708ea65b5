import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache')

/**
 * The package as `npm run build` leaves it, in a directory of its own that goes away after the tests of the file: there
 * `laurels` and `laurels/sqlite` resolve through `exports`, as they do for a host. Below `node_modules`, so that the
 * dependencies are found.
 */
export function useCompiledPackage(): () => string {
  let directory = ''

  beforeAll(() => {
    mkdirSync(cache, { recursive: true })
    directory = mkdtempSync(join(cache, 'laurels-package-'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = [
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--isolatedDeclarations',
      'false',
      '--outDir',
      join(directory, 'dist'),
    ]
    execFileSync(process.execPath, [tsc, ...options], { cwd: root })
    copyFileSync(join(root, 'package.json'), join(directory, 'package.json'))
    cpSync(join(root, 'examples'), join(directory, 'examples'), { recursive: true })
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  return () => directory
}
