import { expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { claim, createScenario, event } from '../../src/testing/index.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: {
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1_000, repeat: true },
    writer: {
      name: 'Writer',
      trigger: 'metric',
      metric: 'words',
      tiers: { low: { value: 10 }, high: { value: 2_000 } },
    },
    tour: { name: 'Tour', trigger: 'api', repeat: { max: 2 } },
  },
})

test('a scenario tells tiers by their keys, and what repeats once for each completion', () => {
  createScenario(game, { now: '2026-03-01T09:00:00Z' })
    .when(event('words', 2_100))
    .thenExpect({
      achievements: ['thousand', 'thousand', 'writer.low', 'writer.high'],
      counts: { thousand: 2, 'writer.low': 1, tour: 0 },
    })
    .when(claim('tour', { idempotencyKey: 'a' }))
    .thenExpect({ achievements: ['tour'], counts: { tour: 1 } })
    .when(claim('tour', { idempotencyKey: 'a' }))
    .thenExpect({ achievements: [], counts: { tour: 1 } })
    .when(claim('tour', { idempotencyKey: 'b' }))
    .thenExpect({ achievements: ['tour'], counts: { tour: 2 } })
    .when(claim('tour', { idempotencyKey: 'c' }))
    .thenExpect({ achievements: [], counts: { tour: 2 } })
    .when(event('words', -2_000, { at: '2026-02-28T09:00:00Z' }))
    .thenExpect({ achievements: [], counts: { thousand: 1 } })
})

test('a step is told as it was written', () => {
  const wrong = () =>
    createScenario(game, { now: '2026-03-01T09:00:00Z' })
      .when(claim('tour', { idempotencyKey: 'a' }))
      .thenExpect({ counts: { tour: 2 } })
  expect(wrong).toThrow('claim("tour", {"idempotencyKey":"a"}) at 2026-03-01T09:00:00.000Z led to something else:')
  expect(wrong).toThrow('counts.tour: expected 2, got 1')
})
