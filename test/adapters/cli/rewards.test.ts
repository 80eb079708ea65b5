// Rewards and redemptions, on the command line.

import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = defineGame({
  metrics: { orders: { name: 'Orders' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      triggers: [{ type: 'metric', metric: 'orders', threshold: 1, points: 100 }],
    },
  },
  rewards: {
    mug: { name: 'A mug', cost: { coins: 200 }, stock: 3 },
    poster: { name: 'A poster', cost: { coins: 50 }, status: 'inactive' },
  },
})
const db = file('rewards/app.db')
const rewards = (...args: readonly string[]) =>
  laurels(['rewards', ...args, '--db', db], { now: '2026-03-10T13:00:00.000Z' })
const ids: string[] = []

beforeAll(async () => {
  let now = '2026-03-10T12:00:00.000Z'
  const gamification = createGamification({ game, storage: sqlite(db), clock: () => new Date(now) })
  await gamification.migrate()
  for (const user of ['ann', 'bob']) {
    await gamification.metrics.event('orders', { user: { id: user }, value: 3 })
    ids.push((await gamification.rewards.redeem('mug', { user })).id)
    now = '2026-03-10T12:01:00.000Z'
  }
  await gamification.close()
})

describe('laurels rewards', () => {
  test('list prints what users can buy, and what is left', async () => {
    expect((await rewards('list')).out).toBe(`reward  price         left
mug       200  coins     1  active
poster     50  coins        inactive
`)
  })

  test('redemptions are printed page by page, fulfilled and cancelled', async () => {
    const [ann = '', bob = ''] = ids
    expect((await rewards('redemptions', '--limit', '1')).out).toBe(`at                        user  reward  status  id
2026-03-10T12:01:00.000Z  bob   mug     open    ${bob}
more: --after "${bob}"
`)
    expect((await rewards('fulfil', ann)).out).toBe(`fulfilled ${ann}\n`)
    expect((await rewards('cancel', bob)).out).toBe(`cancelled ${bob}\n`)
    expect((await rewards('redemptions', '--status', 'open')).out).toBe('no redemptions here\n')
    expect((await rewards('redemptions', '--user', 'ann')).out).toContain('fulfilled')
    expect(await rewards('cancel', ann)).toMatchObject({ code: 2, out: '' })
  })
})
