import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type HostTransaction } from '../../src/index.ts'
import { useFiles } from '../support/cli.ts'
import { untyped } from '../support/engine.ts'

const file = useFiles()

test('On SQLite the option tx is refused by a message that names within', async () => {
  const db = new Database(file('app.db'))
  const gamification = createGamification({
    game: defineGame({ metrics: { words: { name: 'Words' } } }),
    storage: sqlite(db),
  })
  onTestFinished(async () => {
    await gamification.close()
    db.close()
  })
  await gamification.migrate()
  const tx: HostTransaction = untyped(db)
  await expect(gamification.metrics.event('words', { user: { id: 'ann' }, value: 1 }, { tx })).rejects.toMatchObject({
    code: 'storage_unusable',
    message:
      'The option tx is for Postgres. On SQLite call gamification.within(db, (g) => …): its methods join the transaction of db.',
  })
})
