// The wallet of a user, on the command line.

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
      expires: { after: { months: 12 } },
      triggers: [{ type: 'metric', metric: 'orders', threshold: 1, points: 100 }],
    },
  },
})
const db = file('points/app.db')
const now = '2026-03-10T12:00:00.000Z'
const points = (...args: readonly string[]) => laurels(['points', ...args, '--db', db], { now })
let spendId = ''

beforeAll(async () => {
  const gamification = createGamification({ game, storage: sqlite(db), clock: () => new Date(now) })
  await gamification.migrate()
  await gamification.metrics.event('orders', { user: { id: 'ann' }, value: 3 })
  spendId = (await gamification.points.spend('coins', { user: 'ann', amount: 120, reference: 'order 7' })).spendId
  await gamification.close()
})

describe('laurels points', () => {
  test('balance prints what a user can spend', async () => {
    expect(await points('balance', 'ann')).toMatchObject({
      code: 0,
      out: `points  balance  pending  held  expires next
coins       180        0     0  180 on 2027-04-01
`,
    })
  })

  test('statement prints what came and went, page by page', async () => {
    const statement = (...args: readonly string[]) => points('statement', 'ann', '--system', 'coins', ...args)
    expect(
      (await statement()).out.replace(spendId, '<id>'),
    ).toBe(`at                        kind    points  balance  reference  id
2026-03-10T12:00:00.000Z  spent      120      180  order 7    <id>
2026-03-10T12:00:00.000Z  earned     300      300
`)
    const [, cursor = ''] = /more: --before "?([^"\n]+)"?\n$/.exec((await statement('--limit', '1')).out) ?? []
    expect(
      (await statement('--before', cursor)).out,
    ).toBe(`at                        kind    points  balance  reference  id
2026-03-10T12:00:00.000Z  earned     300      300
`)
  })

  test('refund gives a part back, and then no more than is left', async () => {
    expect((await points('refund', spendId, '--amount', '50', '--key', 'r1')).out).toBe(
      'gave ann back 50 of coins, and the balance is 230\n',
    )
    expect((await points('refund', spendId)).out).toBe('gave ann back 70 of coins, and the balance is 300\n')
    expect(await points('refund', spendId)).toMatchObject({ code: 2, out: '' })
  })

  test('statement needs a points system', async () => {
    expect(await points('statement', 'ann')).toMatchObject({ code: 2, out: '' })
  })
})
