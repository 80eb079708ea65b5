import { afterAll, beforeAll } from 'vitest'
import { snapshotLines } from '../../src/record/accept/derived-rows.ts'

/** In the tests of a file, or of a `describe`, snapshots are kept after so few lines that short logs have some. */
export function keepSnapshotsEvery(lines: number): void {
  const { every } = snapshotLines
  beforeAll(() => {
    snapshotLines.every = lines
  })
  afterAll(() => {
    snapshotLines.every = every
  })
}
