import { type ExecFileException, execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { withoutSlowness } from './busy-machine.ts'
import { environment, npm, packed } from './packed-package.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Finished {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

export interface Consumer {
  readonly directory: string
  /** The warnings of npm when it installed the package. */
  readonly warnings: string
  write(name: string, content: string): string
  node(...args: readonly string[]): Promise<Finished>
  /** The installed command `laurels`. */
  laurels(...args: readonly string[]): Promise<Finished>
}

/**
 * A project that has installed the packed package with npm, and the packages given; it goes away after the tests of the
 * file.
 *
 * The packages that it needs are copied from this project before: npm finds there what it would have fetched, and does
 * without the network and without its cache, which may lack them. All else is npm's own work: what it unpacks, the link
 * in `.bin`, whether the versions fit. They are copies, not links, because npm would also put in order what links lead to.
 */
export function useConsumer(packages: readonly string[]): () => Consumer {
  let directory = ''
  let warnings = ''

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'laurels-consumer-'))
    copyPackages(directory, packages)
    const manifest = { private: true, dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) }
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
    warnings = npm(directory, 'install', packed())
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  return () => ({
    directory,
    warnings,
    write(name, content) {
      const file = join(directory, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    node: (...args) => run(process.execPath, args, directory),
    laurels: (...args) => run(join(directory, 'node_modules/.bin/laurels'), args, directory),
  })
}

/**
 * Copies from here what laurels depends on, the packages given, and what all of them depend on, if it is not there yet.
 */
export function copyPackages(directory: string, packages: readonly string[]): void {
  for (const { name, bin = {} } of closureOf(packages)) {
    const target = join(directory, 'node_modules', name)
    if (existsSync(target)) continue
    cpSync(join(modules, name), target, { recursive: true, filter: isNeeded })
    const commands = typeof bin === 'string' ? { [name.replace(/^@.*\//, '')]: bin } : bin
    for (const [command, file] of Object.entries(commands)) {
      mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true })
      symlinkSync(join('..', name, file), join(directory, 'node_modules/.bin', command))
    }
  }
}

export function run(
  command: string,
  args: readonly string[],
  directory: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const options = {
    cwd: directory,
    env: { ...environment(directory), ...variables },
    shell: process.platform === 'win32' && !command.endsWith('.exe'),
  }
  return new Promise((resolve) => {
    execFile(command, [...args], options, (error: ExecFileException | null, out, err) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, out, err: withoutSlowness(err) }),
    )
  })
}

// The sources that the driver is compiled from take most of its space.
const isNeeded = (file: string): boolean => !/better-sqlite3[\\/](?:deps|src)$/.test(file)

/** The packages given, those that laurels depends on, and what all of them depend on. */
function closureOf(packages: readonly string[]): Iterable<Manifest> {
  const found = new Map<string, Manifest>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    const manifest = readManifest(join(modules, name))
    found.set(name, manifest)
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      if (!existsSync(join(modules, name, 'node_modules', dependency))) visit(dependency)
    }
    // Only this platform's package is installed.
    for (const optional of Object.keys(manifest.optionalDependencies ?? {})) {
      if (existsSync(join(modules, optional))) visit(optional)
    }
  }

  for (const name of [...Object.keys(readManifest(dirname(modules)).dependencies ?? {}), ...packages]) visit(name)
  return found.values()
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
