import { defineGame } from 'laurels'
import { at, createScenario, event, wait } from 'laurels/testing'
import { describe, expect, test } from 'vitest'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1, cap: { points: 10, per: 'day' } }],
    },
    energy: {
      name: 'Energy',
      maxPoints: 5,
      levels: { full: { name: 'Full', points: 5 } },
      triggers: [
        { type: 'user_creation', points: 5 },
        { type: 'metric', metric: 'words', threshold: 1, points: -1 },
        { type: 'time', every: { hours: 1 }, points: 1 },
      ],
    },
  },
})

const start = createScenario(game, { now: '2026-03-01T09:00:00Z' })

describe('a scenario with caps and time', () => {
  test('tells what caps took of a step', () => {
    start
      .when(event('words', 8))
      .thenExpect({ added: { xp: 8 }, capped: { xp: 0, energy: 0 } })
      .when(event('words', 8))
      .thenExpect({ added: { xp: 2 }, capped: { xp: 6 } })
      .when(event('words', 8, { at: '2026-03-01T08:00:00Z' }))
      // The late event comes first in its day, and is paid; those after it are clipped.
      .thenExpect({ added: { xp: 0 }, points: { xp: 10 }, capped: { xp: 0 } })
  })

  test('says so where a cap took less than was expected', () => {
    const outcome = start.when(event('words', 12))
    expect(() => outcome.thenExpect({ capped: { xp: 3 } })).toThrow('capped.xp: expected 3, got 2')
  })

  test('lets time bring points, without an event', () => {
    start
      .given(event('words', 4))
      .when(wait({ hours: 2 }))
      .thenExpect({ added: { energy: 2 }, points: { energy: 3 }, levels: { energy: null } })
      .when(at('2026-03-02T09:00:00Z'))
      .thenExpect({ added: { energy: 2 }, points: { energy: 5 }, levels: { energy: 'full' } })
      .when(event('words', 1))
      .thenExpect({ added: { energy: -1 }, points: { energy: 4 } })
  })
})
