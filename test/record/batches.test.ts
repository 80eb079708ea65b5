import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { times, useEngines } from '../support/places.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const start = useEngines('2026-03-10T12:00:00.000Z')

test('Sixty-four calls at once are one save, though half of them are replays of the other half', async () => {
  const inner = memory()
  let commits = 0
  const storage: Storage = extendStorage(inner, (inner) => ({
    commit: (requests, decide) => {
      commits += 1
      return inner.commit(requests, decide)
    },
  }))
  const engine = await start(game, storage)
  const answers = await Promise.all(
    times(64, (index) =>
      engine.metrics.event('words', { user: { id: 'ann' }, value: 1, idempotencyKey: `key-${index % 32}` }),
    ),
  )
  expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed)).toHaveLength(32)
  expect((await engine.users.singleMetric('ann', 'words')).current).toBe(32)
  expect(commits).toBe(1)
})
