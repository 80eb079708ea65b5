import { expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  userAttributes: ['country', 'plan'],
})

test('a message has one id, in whatever order the attributes of its user were set', async () => {
  let now = new Date('2025-02-01T12:00Z')
  const engine = createGamification({ game, storage: sqlite(':memory:'), clock: () => now })
  await engine.migrate()
  const live: string[] = []
  const later: string[] = []
  await engine.subscribe('live', { types: ['streak.lost'] }, (messages) => {
    live.push(...messages.map(({ id }) => id))
  })
  now = new Date('2025-03-01T12:00Z')
  const user = { id: 'ada', attributes: { plan: 'pro' } }
  await engine.metrics.event('words', { user, value: 1 })
  await engine.users.identify('ada', { attributes: { country: 'FR', plan: 'pro' } })
  // The late event has the whole log replayed.
  await engine.metrics.event('words', { user: { id: 'ada' }, value: 1, occurredAt: new Date('2025-02-26T12:00Z') })
  now = new Date('2025-03-05T12:00Z')
  await engine.workOnce()
  await engine.subscribe('later', { types: ['streak.lost'], from: 'start' }, (messages) => {
    later.push(...messages.map(({ id }) => id))
  })
  await engine.workOnce()
  expect(live).toHaveLength(2)
  expect(later).toEqual(live)
  await engine.close()
})
