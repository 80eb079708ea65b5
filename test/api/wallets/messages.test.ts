// Messages about points that are spent and expire, and calls within transactions of the host.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type GameDefinition } from '../../../src/index.ts'
import { add, onEachStorage } from '../../support/engine.ts'

const game: GameDefinition = {
  metrics: { sales: { name: 'Sales' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 1 }, warn: { days: 7 } },
      triggers: [{ type: 'metric', metric: 'sales', threshold: 1, points: 1 }],
    },
  },
}

const TYPES = ['points.spent', 'points.refunded', 'points.expiring', 'points.expired'] as const

onEachStorage('Messages about points that are spent', (open) => {
  test('tell of spends, captures, refunds, and of what expires', async () => {
    const engine = await open(game)
    const told: { readonly type: string; readonly data: Record<string, unknown> }[] = []
    await engine.subscribe('coins', { types: TYPES }, (messages) => void told.push(...(messages as never[])))
    const tell = async (): Promise<readonly unknown[]> => {
      await engine.workOnce()
      return told.splice(0).map(({ type, data }) => {
        const { movement, amount, date, balance } = data as {
          readonly movement?: { readonly points: number; readonly entryId: string | null }
          readonly amount?: number
          readonly date?: string
          readonly balance: { readonly balance: number }
        }
        return [type, movement?.points ?? amount, ...(date === undefined ? [] : [date]), balance.balance]
      })
    }
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 30 })
    await engine.points.refund(spendId, { amount: 10 })
    const { holdId } = await engine.points.hold('coins', { user: 'ann', amount: 20, expiresIn: { days: 1 } })
    await engine.points.capture(holdId, { amount: 5 })
    expect(await tell()).toEqual([
      ['points.spent', 30, 70],
      ['points.refunded', 10, 80],
      ['points.spent', 5, 75],
    ])
    engine.at('2026-04-23T23:59:00.000Z')
    expect(await tell()).toEqual([])
    engine.at('2026-04-24T00:00:00.000Z')
    expect(await tell()).toEqual([['points.expiring', 75, '2026-05-01', 75]])
    engine.at('2026-05-01T00:00:00.000Z')
    expect(await tell()).toEqual([['points.expired', 75, 0]])
    engine.at('2026-05-02T00:00:00.000Z')
    expect(await tell()).toEqual([])
  })
})

test('calls within a transaction of the host are rolled back with it, and see its own spends', async () => {
  const database = new Database(':memory:')
  const engine = createGamification<DefinedGame>({ game: defineGame(game), storage: sqlite(database) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  await engine.metrics.event('sales', { user: { id: 'ann' }, value: 100 })
  const balance = async () => (await engine.points.balance('ann', 'coins')).balance
  expect(() =>
    engine.within(database, ({ points }) => {
      points.spend('coins', { user: 'ann', amount: 30 })
      throw new Error('The order failed')
    }),
  ).toThrow('The order failed')
  expect(await balance()).toBe(100)

  engine.within(database, ({ points }) => {
    const { spendId } = points.spend('coins', { user: 'ann', amount: 30 })
    expect(() => points.spend('coins', { user: 'ann', amount: 71 })).toThrow('The balance of "coins" is 70')
    expect(points.refund(spendId, { amount: 10 })).toMatchObject({ refunded: 10, balance: 80 })
    const { holdId } = points.hold('coins', { user: 'ann', amount: 20, expiresIn: { hours: 1 } })
    expect(points.capture(holdId, { amount: 5 })).toMatchObject({ amount: 5, balance: 75 })
    const other = points.hold('coins', { user: 'ann', amount: 20, expiresIn: { hours: 1 } })
    expect(points.release(other.holdId)).toMatchObject({ released: 20, balance: 75 })
  })
  expect(await balance()).toBe(75)
  expect((await engine.verify()).drift).toEqual([])
})
