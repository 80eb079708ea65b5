import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { add, NOON, openOn } from '../support/engine.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

test('verify takes a row without a kept period, as builds before freezes wrote it, for one whose last period is kept', async () => {
  const file = nextFile()
  const streak = { frequency: 'daily', metrics: { words: {} } } as const
  const engine = await openOn(sqlite(file), { now: NOON }, { metrics: { words: { name: 'Words' } }, streak })
  await add(engine, 'words', 1)
  const database = new Database(file)
  database.exec('update laurels_users set streak_kept_period = null')
  database.close()
  expect(await engine.verify()).toMatchObject({ users: 1, drift: [] })
  await engine.close()
})
