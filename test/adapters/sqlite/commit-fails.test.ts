// A transaction whose COMMIT fails, after all that was to be written has been.

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { crashGame } from '../../crash/crash-game.ts'
import { checkFold } from '../../support/check-fold.ts'
import { useEngines } from '../../support/places.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const start = useEngines('2026-06-01T12:00:00.000Z')

/** A driver whose next commits of writes fail, as when the disk becomes full by their frames. */
function createFailingDriver(): { readonly driver: () => Promise<typeof Database>; fail(times: number): void } {
  let failures = 0
  let isWriting = false
  class Failing extends Database {
    override prepare(source: string): never {
      const statement = super.prepare(source)
      if (!/^(?:BEGIN|COMMIT)/.test(source)) return statement as never
      const run = statement.run.bind(statement)
      statement.run = (...values: unknown[]) => {
        if (source !== 'COMMIT') isWriting = source === 'BEGIN IMMEDIATE'
        else if (isWriting && failures-- > 0) throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
        return run(...values)
      }
      return statement as never
    }
  }
  return {
    driver: async () => Failing as unknown as typeof Database,
    fail: (times) => {
      failures = times
    },
  }
}

test('is not remembered: the next event of a user goes on from what is stored', async () => {
  const { driver, fail } = createFailingDriver()
  const storage = sqlite(nextFile(), { driver })
  const engine = await start(crashGame, storage)
  const add = (user: string, value: number): Promise<unknown> =>
    engine.metrics.event('words', { user: { id: user }, value }).then(
      ({ total }) => total,
      ({ code }) => code,
    )
  expect(await Promise.all([add('ann', 3), add('bob', 30)])).toEqual([3, 30])
  fail(1)
  expect(await Promise.all([add('ann', 100), add('bob', 100), add('eve', 100)])).toEqual([
    'storage_full',
    'storage_full',
    'storage_full',
  ])
  expect(await Promise.all([add('ann', 1), add('bob', 1), add('eve', 1)])).toEqual([4, 31, 1])
  expect(await checkFold(storage)).toBe(3)
})
