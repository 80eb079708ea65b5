import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/laurels-packed')
const HOUR = 3_600_000

// Files that a fresh checkout does not have.
const ABSENT = /^(?:node_modules|dist|coverage|\.git)$|\.(?:tgz|tsbuildinfo|db(?:-wal|-shm)?)$/

/**
 * The file that `npm pack` makes of the working tree, scripts included: from a copy, so that `dist` is left alone.
 * Packed once for each state of the files, by the first test file that needs it.
 */
export function packed(): string {
  const copy = mkdtempSync(join(tmpdir(), 'laurels-pack-'))
  try {
    for (const name of readdirSync(root).filter((each) => !ABSENT.test(each))) {
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !ABSENT.test(basename(path)) })
    }
    const target = join(cache, `${hashOf(copy)}.tgz`)
    if (existsSync(target)) return target

    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    npm(copy, 'pack')
    const [tarball = ''] = readdirSync(copy).filter((name) => name.endsWith('.tgz'))
    mkdirSync(cache, { recursive: true })
    const draft = `${target}-${process.pid}`
    cpSync(join(copy, tarball), draft)
    renameSync(draft, target)
    removeOldOnesBut(target)
    return target
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Runs npm, and answers what it warned of. */
export function npm(directory: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('npm', [...args, '--loglevel=warn'], {
    cwd: directory,
    env: environment(directory),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr}${stdout}`, { cause: error })
  return stderr
}

/** The environment of somebody who has configured nothing for npm, and has neither network nor cache. */
export function environment(directory: string): NodeJS.ProcessEnv {
  // An npm that runs the tests leaves its own settings there.
  const others = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  return {
    ...Object.fromEntries(others),
    npm_config_userconfig: join(directory, '.npm/npmrc'),
    npm_config_cache: join(directory, '.npm/cache'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}

function hashOf(directory: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(directory, name)
    if (statSync(file).isFile()) hash.update(`${name}\n`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function removeOldOnesBut(target: string): void {
  for (const file of readdirSync(cache).map((name) => join(cache, name))) {
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (file !== target && Date.now() - written > HOUR) rmSync(file, { force: true })
  }
}
