// The catalogue of rewards in a game: prices, gifts, and the rights of clients.

import { describe, expect, test } from 'vitest'
import { defineGame, GamificationError } from '../../src/index.ts'

const REST = {
  metrics: { pages: { name: 'Pages' } },
  points: { coins: { name: 'Coins', spendable: true }, xp: { name: 'XP' } },
  achievements: {
    gift: { name: 'Gift', trigger: 'api' },
    reader: { name: 'Reader', trigger: 'metric', metric: 'pages', value: 1 },
  },
}

function mistakesIn(reward: object, rest: object = REST): readonly string[] {
  try {
    defineGame({ ...rest, rewards: { mug: { name: 'Mug', ...reward } } } as never)
  } catch (error) {
    if (error instanceof GamificationError) return error.issues.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

describe('A reward of the catalogue', () => {
  test.each([
    [{}, 'rewards.mug.cost: is missing; give an object'],
    [{ cost: {} }, 'rewards.mug.cost: names no points system; give one, as { coins: 50 }'],
    [{ cost: { coins: 1, xp: 1 } }, 'rewards.mug.cost: names 2 points systems; give one, as { coins: 50 }'],
    [{ cost: { coin: 5 } }, "rewards.mug.cost.coin: unknown points system 'coin'; did you mean 'coins'?"],
    [
      { cost: { xp: 5 } },
      "rewards.mug.cost.xp: 'xp' cannot be spent; add `spendable: true` to points.xp, or name another system",
    ],
    [{ cost: { coins: 0 } }, 'rewards.mug.cost.coins: must be a whole number from 1, not 0'],
    [{ cost: { coins: 2.5 } }, 'rewards.mug.cost.coins: must be a whole number from 1, not 2.5'],
    [{ cost: { coins: 5 }, stock: -1 }, 'rewards.mug.stock: must be a whole number from 0, not -1'],
    [{ cost: { coins: 5 }, perUser: 0 }, 'rewards.mug.perUser: must be a whole number from 1, not 0'],
    [
      { cost: { coins: 5 }, status: 'activ' },
      "rewards.mug.status: must be 'active' or 'inactive', not 'activ'; did you mean 'active'?",
    ],
    [
      { cost: { coins: 5 }, gives: { points: { xp: 5 } } },
      "rewards.mug.gives.points: unknown property 'points'; remove it, or use one of 'achievement', 'freezes', 'boost'",
    ],
    [
      { cost: { coins: 5 }, gives: { achievement: 'reader' } },
      "rewards.mug.gives.achievement: 'reader' is completed by the rules; name one with the trigger 'api'",
    ],
    [
      { cost: { coins: 5 }, gives: { freezes: 1 } },
      "rewards.mug.gives.freezes: needs the freezes of the game's `streak`, which it does not have; add `streak.freezes`",
    ],
  ])('%j has one mistake', (reward, mistake) => {
    expect(mistakesIn(reward)).toEqual([mistake])
  })

  test('has no mistake with a price, and clients may redeem it only if the game has it', () => {
    const mug = { cost: { coins: 500 }, stock: 0, perUser: 1, gives: { achievement: 'gift' } }
    expect(mistakesIn(mug, { ...REST, clients: { redeem: ['mug'] } })).toEqual([])
    expect(mistakesIn(mug, { ...REST, clients: { redeem: ['mgu'] } })).toEqual([
      "clients.redeem[0]: unknown reward 'mgu'; did you mean 'mug'?",
    ])
  })

  test('is one of at most 200', () => {
    const rewards = Object.fromEntries(
      Array.from({ length: 201 }, (_, n) => [`r${n}`, { name: 'R', cost: { coins: 1 } }]),
    )
    expect(() => defineGame({ ...REST, rewards } as never)).toThrow('rewards: has 201 rewards; keep at most 200')
  })
})
