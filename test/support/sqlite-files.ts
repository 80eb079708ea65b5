import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Paths of database files that do not exist yet, in a directory that goes away after the tests of the file. */
export function useDatabaseFiles(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-sqlite-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  let files = 0
  return () => {
    files += 1
    return join(directory, `${files}.db`)
  }
}
