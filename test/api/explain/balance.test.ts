// explain: why a balance has its amount.

import { expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { add, codeOf, onEachStorage } from '../../support/engine.ts'

const game: GameDefinition = {
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
}

onEachStorage('Explanations of balances', (open) => {
  test('say what was earned, spent and set aside, and what expires next', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    await engine.points.spend('coins', { user: 'ann', amount: 30 })
    const hold = { user: 'ann', amount: 20, expiresIn: { hours: 1 }, reference: 'order 7' }
    const { holdId } = await engine.points.hold('coins', hold)
    const { holds, reasons } = await engine.explain('ann', { balance: 'coins' })
    expect(holds).toBe(true)
    expect(reasons.map(({ sentence }) => sentence)).toEqual([
      'The balance of "coins" is 50: 100 earned, less 30 spent, 0 expired, 20 held and 0 pending.',
      `The hold ${holdId} for "order 7" has set 20 points aside. It releases itself at 2026-03-10T13:00:00.000Z.`,
      '50 points will be gone on 2026-05-01.',
      'At 2026-03-10T12:00:00.000Z: 20 points held. The balance was 50 afterwards.',
      'At 2026-03-10T12:00:00.000Z: 30 points spent. The balance was 70 afterwards.',
      'At 2026-03-10T12:00:00.000Z: 100 points earned. The balance was 100 afterwards.',
    ])
    expect(await codeOf(engine.explain('ann', { balance: 'xp' }))).toBe('not_spendable')
    expect(await codeOf(engine.explain('ann', { balance: 'gems' }))).toBe('unknown_points_system')
  })

  test('say why it is below 0', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'sales', 100)
    await engine.points.spend('coins', { user: 'ann', amount: 30 })
    await engine.events.void(eventId)
    const { holds, reasons } = await engine.explain('ann', { balance: 'coins' })
    expect(holds).toBe(false)
    expect(reasons.slice(0, 2).map(({ sentence }) => sentence)).toEqual([
      'The balance of "coins" is -30: 0 earned, less 30 spent, 0 expired, 0 held and 0 pending.',
      'The user spent 30 points that a later correction took back. New points pay them first.',
    ])
  })

  test('whatIf counts balances that another game would bring below 0', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    await engine.points.spend('coins', { user: 'ann', amount: 30 })
    const { points, ...rest } = game
    const stingy = { ...points?.coins, name: 'Coins', triggers: [] } as const
    const report = await engine.whatIf(defineGame({ ...rest, points: { ...points, coins: stingy } } as GameDefinition))
    expect(report.balances).toEqual([{ system: 'coins', negative: 1 }])
  })
})
