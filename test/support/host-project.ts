import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { type Finished, run } from './consumer.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A folder of a host, in which the packages of this project are installed. */
export interface HostProject {
  readonly directory: string
  write(name: string, content: string): string
  /** Runs the program of a package, by its path in `node_modules`. */
  program(path: string, ...args: readonly string[]): Promise<Finished>
}

/** Folders that go away after the tests of the file. */
export function useHostProjects(): () => HostProject {
  const directories: string[] = []
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })
  return () => {
    const directory = mkdtempSync(join(tmpdir(), 'laurels-host-'))
    directories.push(directory)
    symlinkSync(modules, join(directory, 'node_modules'), 'junction')
    const write = (name: string, content: string): string => {
      const file = join(directory, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    }
    write('package.json', '{ "private": true, "type": "module" }')
    return {
      directory,
      write,
      program: (path, ...args) => run(process.execPath, [join(modules, path), ...args], directory),
    }
  }
}
