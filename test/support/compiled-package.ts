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
 * dependencies are found. `withPages`: with the pages of the console, too.
 */
export function useCompiledPackage({ withPages = false }: { readonly withPages?: boolean } = {}): () => string {
  let directory = ''

  beforeAll(() => {
    mkdirSync(cache, { recursive: true })
    directory = mkdtempSync(join(cache, 'laurels-package-'))
    execFileSync(process.execPath, ['build/main.ts', join(directory, 'dist')], { cwd: root })
    if (withPages) buildPages(join(directory, 'dist/console'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noCheck', '--outDir', join(directory, 'dist')]
    execFileSync(process.execPath, [tsc, '-p', 'examples/tsconfig.json', ...options], { cwd: root })
    copyFileSync(join(root, 'package.json'), join(directory, 'package.json'))
    cpSync(join(root, 'examples'), join(directory, 'examples'), { recursive: true })
    // Compiling takes seconds, and more where others work too.
  }, 120_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  return () => directory
}

/** Has Vite build the console's pages, as `npm run build` does. */
function buildPages(directory: string): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const options = ['build', '--config', 'adapters/console/vite.config.ts', '--logLevel', 'warn']
  const env = { ...process.env, LAURELS_CONSOLE_OUT: directory }
  execFileSync(process.execPath, [vite, ...options], { cwd: root, env })
}
