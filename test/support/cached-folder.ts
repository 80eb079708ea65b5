import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))
const HOUR = 3_600_000

/**
 * A folder below `node_modules/.cache` that is made once for each state of the files below `sources`, by the first test
 * file that needs it.
 */
export function cachedFolder(name: string, sources: readonly string[], make: (draft: string) => void): string {
  const cache = join(root, 'node_modules/.cache', name)
  const target = join(cache, hashOf(sources))
  if (existsSync(target)) return target

  const draft = `${target}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  make(draft)
  try {
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Another test file has put it there meanwhile.
    if (!existsSync(target)) throw error
  }
  removeOldOnes(cache)
  return target
}

function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of sources) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.sort()) {
      const file = join(root, folder, name)
      if (statSync(file).isFile()) hash.update(`${folder}/${name}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function removeOldOnes(cache: string): void {
  for (const name of readdirSync(cache)) {
    const directory = join(cache, name)
    const written = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - written > HOUR) rmSync(directory, { recursive: true, force: true })
  }
}
