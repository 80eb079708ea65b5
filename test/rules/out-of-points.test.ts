// `blockIfOutOfPoints` and the first event of a user nobody knew.

import { describe, expect, test } from 'vitest'
import { dateEntry } from '../../src/rules/fold.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { emptyState } from '../../src/rules/state.ts'
import { rules, toEntry } from '../support/given.ts'

const at = '2026-03-10T12:00:00Z'
const game = rules({
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 10 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -5, blockIfOutOfPoints: true },
      ],
    },
  },
})

describe('The event that creates a user', () => {
  const nobody = emptyState(Date.parse(at), 1)

  test.each([
    [1, null],
    [2, null],
    [3, 'out_of_points'],
  ])('may spend what creation pays: 10 of %i times 5 is %s', (value, code) => {
    const entry = dateEntry(nobody, toEntry({ at, metric: 'laps', value }, 0))
    expect(refuse(game, nobody, entry)?.code ?? null).toBe(code)
  })
})
