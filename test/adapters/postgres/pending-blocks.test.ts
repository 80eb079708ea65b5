import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'

const schema = useSchemas()()
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2020-01-01', maxParticipants: null } },
})

test('a block whose only entry is still a pending change is right, and is gone with the entry', async () => {
  const clock = () => new Date('2025-03-05T12:00Z')
  const engine = createGamification({ game, storage: postgres(databaseUrl(), { schema }), clock })
  await engine.migrate()
  const event = (value: number, occurredAt?: Date) =>
    engine.metrics.event('words', { user: { id: 'ada' }, value, ...(occurredAt && { occurredAt }) })

  await engine.users.identify('ada', { name: 'Ada' })
  // A late event leaves its change of the leaderboard to a later save, which makes the first block.
  await event(1, new Date('2025-02-01T12:00Z'))
  await event(-2)
  expect((await engine.verify()).drift).toEqual([])

  await event(5)
  await engine.users.delete('ada')
  expect((await engine.verify()).drift).toEqual([])
  await engine.close()
})
