// When a SQLite storage says that rows may be others (`Storage.changes`).

import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  type Storage,
} from '../../../src/index.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const game = defineGame({ metrics: { words: { name: 'Words' } } })

async function start(storage: Storage): Promise<Gamification<DefinedGame>> {
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  await engine.migrate()
  return engine
}

test('The number stays the same during events of this process, and changes with an event of another', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  const [engine, other] = [await start(storage), await start(sqlite(file))]
  const event = (each: Gamification<DefinedGame>) => each.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  await event(engine)
  const before = storage.changes()
  for (let index = 0; index < 5; index += 1) await event(engine)
  expect(storage.changes()).toBe(before)
  await event(other)
  expect(storage.changes()).not.toBe(before)
})
