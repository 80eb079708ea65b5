import { expect, test } from 'vitest'
import { createTurns } from '../../../adapters/sql/calls.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

test('whoever was told that the time for its turn is over has no turn', async () => {
  let told = 0
  for (let round = 0; round < 60; round += 1) {
    const turns = createTurns(() => new Error('The turn came too late'))
    // Timers are of whole milliseconds: they may come a little before the end.
    const end = performance.now() + 5 + Math.random()
    const first = Promise.withResolvers<void>()
    const before = turns.take(end + 1_000, () => first.promise)
    let isRun = false
    const attempt = async (): Promise<void> => {
      isRun = true
    }
    const waiting = turns.take(end, attempt).then(
      () => 'done',
      () => 'over',
    )
    if ((await waiting) === 'over') {
      told += 1
      first.resolve()
      await before
      await new Promise((resolve) => setTimeout(resolve, 3))
      expect(isRun).toBe(false)
    }
  }
  expect(told).toBe(60)
})

test('a storage at which a transaction waited in vain goes on writing', async () => {
  const storage = sqlite(nextFile(), { busyDeadlineMs: 1_000 })
  await storage.migrate()
  for (let round = 0; round < 40; round += 1) {
    const held = Promise.withResolvers<void>()
    const handler = storage.openTransaction(async ({ host }) => {
      await host.query('select 1')
      await held.promise
    })
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = storage
      .until(performance.now() + 20 + Math.random())
      .openTransaction(({ host }) => host.query('select 1'))
    // The handler happens to end as soon as the other was told.
    await waiting.catch(() => held.resolve())
    held.resolve()
    await handler
    expect(await storage.transaction((tx) => tx.removeUser({ tenant: '', user: 'nobody' }))).toBe('unknown')
  }
  await storage.close()
}, 30_000)
