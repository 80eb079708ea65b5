import { existsSync, readFileSync } from 'node:fs'
import { GamificationError } from '../src/errors.ts'

/** The version in this package's manifest. The sources and the built files are at different depths below it. */
export function readVersion(): string {
  for (let directory = new URL('.', import.meta.url); ; directory = new URL('..', directory)) {
    const file = new URL('package.json', directory)
    const manifest: { name?: string; version?: string } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    if (manifest.name === 'laurels' && manifest.version !== undefined) return manifest.version
    if (directory.pathname === new URL('..', directory).pathname) {
      throw new GamificationError('internal', 'The package.json of laurels is missing.')
    }
  }
}
