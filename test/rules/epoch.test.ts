// Which game decides what happened at an instant.

import { describe, expect, test } from 'vitest'
import { epochAt } from '../../src/rules/game.ts'
import { rules } from '../support/given.ts'

const game = rules({})
const GAMES = [
  { epoch: 1, from: 100, game },
  { epoch: 2, from: 200, game },
  { epoch: 3, from: 300, game },
]

describe('An instant is decided under', () => {
  test('the game that was in force then, from the millisecond on in which it came into force', () => {
    expect([100, 199, 200, 299, 300, 900].map((at) => epochAt(GAMES, at, 0, 3))).toEqual([1, 1, 2, 2, 3, 3])
  })

  test('the first game, if none was in force yet', () => {
    expect(epochAt(GAMES, 99, 0, 3)).toBe(1)
  })

  test('no earlier game than the entry before it, as in a log whose writers had different clocks', () => {
    expect(epochAt(GAMES, 150, 2, 3)).toBe(2)
  })

  test('no later game than the entry after it', () => {
    expect(epochAt(GAMES, 250, 1, 1)).toBe(1)
  })
})
