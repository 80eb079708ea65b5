// Challenges in scenarios.

import { expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { challenge, createScenario, event, wait } from '../../src/testing/index.ts'
import { PAGES_AND_XP, SPRINT } from '../support/challenge-game.ts'

const game = defineGame({
  ...PAGES_AND_XP,
  challenges: {
    daily: {
      name: 'Daily',
      every: 'day',
      pick: 2,
      rerolls: 1,
      pool: {
        p20: { name: '20 pages', of: [{ metric: 'pages', value: 20 }], reward: { points: { xp: 10 } } },
        p40: { name: '40 pages', of: [{ metric: 'pages', value: 40 }], reward: { points: { xp: 20 } } },
      },
    },
    sprint: SPRINT,
  },
})

const begin = createScenario(game, { now: '2026-03-10T12:00:00Z', user: {} })

test('A scenario names the quests that a step completes', () => {
  begin
    .when(event('pages', 20))
    .thenExpect({ challenges: ['daily.p20'], added: { xp: 10 } })
    .when(event('pages', 20))
    .thenExpect({ challenges: ['daily.p40'], points: { xp: 30 } })
    .when(wait({ days: 1 }))
    .thenExpect({ challenges: [] })
    .when(event('pages', 40))
    .thenExpect({ challenges: ['daily.p40', 'daily.p20'], points: { xp: 60 } })
})

test('A scenario plays what a user decides about a challenge', () => {
  begin
    .given(event('pages', 500), challenge('sprint', 'enrol'), wait({ days: 1 }))
    .when(event('pages', 100))
    .thenExpect({ challenges: ['sprint', 'daily.p20', 'daily.p40'], added: { xp: 30 } })
    .when(challenge('sprint', 'claim'))
    .thenExpect({ challenges: [], added: { xp: 50 } })
    .when(challenge('sprint', 'claim'))
    .thenExpect({ refused: null, added: { xp: 0 } })
    .when(challenge('daily', 'reroll', 'p20'))
    .thenExpect({ refused: 'quest_not_replaceable' })
})

test('A scenario says which quests were completed in place of the expected ones', () => {
  expect(() => begin.when(event('pages', 20)).thenExpect({ challenges: ['sprint'] })).toThrow(
    'challenges: expected sprint, got daily.p20',
  )
})
