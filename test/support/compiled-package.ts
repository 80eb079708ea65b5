import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { cachedFolder, root } from './cached-folder.ts'

/**
 * The package as `npm run build` leaves it: there `laurels` and `laurels/sqlite` resolve through `exports`, as they do
 * for a host. Below `node_modules`, so that the dependencies are found. Tests share the folder, and leave it unchanged.
 */
export function useCompiledPackage(): () => string {
  let directory = ''

  beforeAll(() => {
    directory = cachedFolder('laurels-package', ['src', 'adapters', 'build', 'examples'], build)
  })

  return () => directory
}

function build(draft: string): void {
  const run = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): void => {
    execFileSync(process.execPath, args, { cwd: root, env: { ...process.env, ...variables } })
  }
  run(['build/main.ts', join(draft, 'dist')])
  const pages = ['build', '--config', 'adapters/console/vite.config.ts', '--logLevel', 'warn']
  run(['node_modules/vite/bin/vite.js', ...pages], { LAURELS_CONSOLE_OUT: join(draft, 'dist/console') })
  const examples = ['-p', 'examples/tsconfig.json', '--noCheck', '--outDir', join(draft, 'dist')]
  run(['node_modules/typescript/bin/tsc', ...examples])
  copyFileSync(join(root, 'package.json'), join(draft, 'package.json'))
  cpSync(join(root, 'examples'), join(draft, 'examples'), { recursive: true })
}
