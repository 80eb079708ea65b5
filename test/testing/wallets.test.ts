import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { at, capture, createScenario, event, hold, refund, release, spend, wait } from '../../src/testing/index.ts'

const game = defineGame({
  metrics: { sales: { name: 'Sales' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 1 } },
      triggers: [{ type: 'metric', metric: 'sales', threshold: 1, points: 1 }],
    },
    xp: { name: 'XP' },
  },
})

const rich = () => createScenario(game, { now: '2026-03-10T12:00:00Z' }).given(event('sales', 100))

describe('A scenario with points that are spent', () => {
  test('spends and refunds them by name, and the total stays', () => {
    rich()
      .given(spend('coins', 30, { as: 'order' }))
      .when(refund('order', 10))
      .thenExpect({ balance: { coins: 80 }, points: { coins: 100 } })
      .when(refund('order'))
      .thenExpect({ balance: { coins: 100 } })
      .when(refund('order'))
      .thenExpect({ refused: 'refund_too_large' })
  })

  test('is refused what the balance does not cover, and what cannot be spent', () => {
    rich()
      .when(spend('coins', 101))
      .thenExpect({ refused: 'insufficient_points', balance: { coins: 100 } })
    rich().when(spend('xp', 1)).thenExpect({ refused: 'not_spendable' })
    expect(() => rich().when(spend('coins', 0.5))).not.toThrow()
    rich().when(spend('coins', 0.5)).thenExpect({ refused: 'invalid_request' })
  })

  test('holds points, captures a part, releases them, and lets them release themselves', () => {
    const held = rich().given(hold('coins', 40, { as: 'cart', expiresIn: { hours: 1 } }))
    held.when(capture('cart', { amount: 25 })).thenExpect({ balance: { coins: 75 }, heldPoints: { coins: 0 } })
    held.when(release('cart')).thenExpect({ balance: { coins: 100 } })
    held.when(wait({ minutes: 59 })).thenExpect({ balance: { coins: 60 }, heldPoints: { coins: 40 } })
    held.when(wait({ hours: 1 })).thenExpect({ balance: { coins: 100 }, heldPoints: { coins: 0 } })
  })

  test('expires them at the midnight of their date', () => {
    rich()
      .when(at('2026-04-30T23:59:59Z'))
      .thenExpect({ balance: { coins: 100 } })
      .when(at('2026-05-01T00:00:00Z'))
      .thenExpect({ balance: { coins: 0 }, points: { coins: 100 } })
  })
})
