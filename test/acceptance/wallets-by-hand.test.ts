// One wallet by hand: four lots, two earnings that arrive late, and three refunds.

import { expect, test } from 'vitest'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

const game = {
  metrics: { euros: { name: 'Euros' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 2 }, roundTo: 'month' },
      refundGrace: { days: 10 },
      triggers: [{ type: 'metric', metric: 'euros', threshold: 1, points: 1 }],
    },
  },
} as const

/** The figures, and the lots as their amounts by expiry date. */
async function walletOf(engine: Engine): Promise<unknown> {
  const { total, balance, spent, expired, lots } = await engine.points.balance('ann', 'coins')
  return [{ total, balance, spent, expired }, Object.fromEntries(lots.map(({ expires, amount }) => [expires, amount]))]
}

onEachStorage('One wallet', (open) => {
  test('has each lot that one writes down, through two late earnings and three refunds', async () => {
    const engine = await open(game)
    const wallet = () => walletOf(engine)
    engine.at('2026-01-10T12:00:00Z')
    await engine.users.create({ id: 'ann', tz: 'Europe/Berlin' })
    await add(engine, 'euros', 100)
    expect(await wallet()).toEqual([{ total: 100, balance: 100, spent: 0, expired: 0 }, { '2026-04-01': 100 }])

    engine.at('2026-02-10T12:00:00Z')
    await add(engine, 'euros', 80)
    engine.at('2026-03-10T12:00:00Z')
    await add(engine, 'euros', 60)
    expect(await wallet()).toEqual([
      { total: 240, balance: 240, spent: 0, expired: 0 },
      { '2026-04-01': 100, '2026-05-01': 80, '2026-06-01': 60 },
    ])

    // It takes 100 of April and 50 of May.
    engine.at('2026-03-15T12:00:00Z')
    const first = await engine.points.spend('coins', { user: 'ann', amount: 150 })
    expect(await wallet()).toEqual([
      { total: 240, balance: 90, spent: 150, expired: 0 },
      { '2026-05-01': 30, '2026-06-01': 60 },
    ])

    // The first refund: what expires last comes back first.
    engine.at('2026-03-20T12:00:00Z')
    await engine.points.refund(first.spendId, { amount: 20 })
    expect(await wallet()).toEqual([
      { total: 240, balance: 110, spent: 130, expired: 0 },
      { '2026-05-01': 50, '2026-06-01': 60 },
    ])

    // The first late earning: the spend took 140 of April and 10 of May, and the refund gave 10 of each back.
    engine.at('2026-03-25T12:00:00Z')
    await add(engine, 'euros', 40, { occurredAt: new Date('2026-01-20T12:00:00Z') })
    expect(await wallet()).toEqual([
      { total: 280, balance: 150, spent: 130, expired: 0 },
      { '2026-04-01': 10, '2026-05-01': 80, '2026-06-01': 60 },
    ])

    // Midnight in Berlin.
    engine.at('2026-03-31T21:59:59.999Z')
    expect(await wallet()).toEqual([
      { total: 280, balance: 150, spent: 130, expired: 0 },
      { '2026-04-01': 10, '2026-05-01': 80, '2026-06-01': 60 },
    ])
    engine.at('2026-03-31T22:00:00Z')
    expect(await wallet()).toEqual([
      { total: 280, balance: 140, spent: 130, expired: 10 },
      { '2026-05-01': 80, '2026-06-01': 60 },
    ])

    engine.at('2026-04-05T12:00:00Z')
    await add(engine, 'euros', 30)
    // It takes 80 of May and 20 of June.
    engine.at('2026-04-06T12:00:00Z')
    const second = await engine.points.spend('coins', { user: 'ann', amount: 100 })
    expect(await wallet()).toEqual([
      { total: 310, balance: 70, spent: 230, expired: 10 },
      { '2026-06-01': 40, '2026-07-01': 30 },
    ])

    // The second refund: the first spend has nothing of May left, and April is over.
    engine.at('2026-04-10T12:00:00Z')
    await engine.points.refund(first.spendId, { amount: 30 })
    expect(await wallet()).toEqual([
      { total: 310, balance: 100, spent: 200, expired: 10 },
      { '2026-04-20': 30, '2026-06-01': 40, '2026-07-01': 30 },
    ])

    // The second late earning: the second spend took 100 of May alone.
    engine.at('2026-04-12T12:00:00Z')
    await add(engine, 'euros', 25, { occurredAt: new Date('2026-02-15T12:00:00Z') })
    expect(await wallet()).toEqual([
      { total: 335, balance: 125, spent: 200, expired: 10 },
      { '2026-04-20': 30, '2026-05-01': 5, '2026-06-01': 60, '2026-07-01': 30 },
    ])

    // The third refund, of all that is left of the second spend, after May began.
    engine.at('2026-05-02T12:00:00Z')
    expect(await wallet()).toEqual([
      { total: 335, balance: 90, spent: 200, expired: 45 },
      { '2026-06-01': 60, '2026-07-01': 30 },
    ])
    await engine.points.refund(second.spendId)
    expect(await wallet()).toEqual([
      { total: 335, balance: 190, spent: 100, expired: 45 },
      { '2026-05-12': 100, '2026-06-01': 60, '2026-07-01': 30 },
    ])

    engine.at('2026-05-11T22:00:00Z')
    expect(await wallet()).toEqual([
      { total: 335, balance: 90, spent: 100, expired: 145 },
      { '2026-06-01': 60, '2026-07-01': 30 },
    ])
    expect((await engine.verify()).drift).toEqual([])
  })
})
