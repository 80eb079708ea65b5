// The model itself: its books balance after every step, and small histories have the wallets that one writes down.

import { describe, expect, test } from 'vitest'
import { howMany } from '../../support/share.ts'
import { seedOfRun } from '../../support/zones.ts'
import { historyOf, USERS } from './histories.ts'
import { createModel, type Model } from './model.ts'
import type { Act, Game, System } from './types.ts'

const RUNS = howMany(5, 100, 2_000)
const SEED = seedOfRun()

test(`The books balance after every step of ${RUNS} histories (seed ${SEED})`, { timeout: 600_000 }, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const { first, calls } = historyOf(SEED + run, 60)
    const model = createModel(first)
    for (const call of calls) {
      model.call(call)
      expect(model.faults(call.at), JSON.stringify({ seed: SEED + run, call })).toEqual([])
    }
  }
})

test('Histories have every kind of movement', () => {
  const kinds = new Set<string>()
  for (let seed = 1; seed <= 12; seed += 1) {
    const { first, calls } = historyOf(seed, 60)
    const model = createModel(first)
    for (const call of calls) model.call(call)
    const last = calls.at(-1)?.at ?? 0
    for (const user of USERS) for (const { kind } of model.statement(user, 'coins', last)) kinds.add(kind)
  }
  expect([...kinds].sort()).toEqual([
    'adjusted',
    'available',
    'captured',
    'earned',
    'expired',
    'held',
    'refunded',
    'released',
    'spent',
  ])
})

const at = (text: string): number => Date.parse(text)

function play(coins: System, acts: readonly (readonly [instant: string, act: Act])[]): Model {
  const game: Game = { systems: { coins } }
  const model = createModel(game)
  for (const [instant, act] of acts) expect(model.call({ at: at(instant), user: 'ann', act }).code).toBe('done')
  return model
}

const event = (key: string, value: number, occurredAt?: string): Act => ({
  type: 'event',
  key,
  value,
  ...(occurredAt === undefined ? {} : { occurredAt: at(occurredAt) }),
})
const spend = (name: string, amount: number): Act => ({ type: 'spend', system: 'coins', amount, name })
const TEN_DAYS: System = { spendable: true, each: 1, expires: { after: { days: 10 }, roundTo: 'day' } }

describe('The model', () => {
  test('takes what expires first, and a late earning changes which lots a spend took', () => {
    const acts = [
      ['2026-03-01T12:00:00Z', event('a', 10)],
      ['2026-03-03T12:00:00Z', event('b', 10)],
      ['2026-03-04T12:00:00Z', spend('s', 12)],
    ] as const
    const before = play(TEN_DAYS, acts)
    expect(before.look('ann', 'coins', at('2026-03-05T12:00:00Z'))).toEqual({
      total: 20,
      balance: 8,
      pending: 0,
      held: 0,
      spent: 12,
      expired: 0,
      lots: [{ amount: 8, expires: '2026-03-13' }],
      pendingLots: [],
      holds: [],
      nextExpiry: { date: '2026-03-13', amount: 8 },
    })
    const after = play(TEN_DAYS, [...acts, ['2026-03-05T12:00:00Z', event('c', 5, '2026-02-28T12:00:00Z')]])
    expect(after.look('ann', 'coins', at('2026-03-05T12:00:00Z'))).toMatchObject({
      balance: 13,
      lots: [
        { amount: 3, expires: '2026-03-11' },
        { amount: 10, expires: '2026-03-13' },
      ],
    })
  })

  test('gives a refund its old lots, the latest first, and 30 days to what has expired', () => {
    const model = play(TEN_DAYS, [
      ['2026-03-01T12:00:00Z', event('a', 10)],
      ['2026-03-05T12:00:00Z', event('b', 10)],
      ['2026-03-06T12:00:00Z', spend('s', 15)],
      ['2026-03-12T12:00:00Z', { type: 'refund', spend: 's', amount: 7, name: 'r' }],
    ])
    expect(model.look('ann', 'coins', at('2026-03-12T12:00:00Z'))).toMatchObject({
      balance: 12,
      spent: 8,
      lots: [
        { amount: 10, expires: '2026-03-15' },
        { amount: 2, expires: '2026-04-11' },
      ],
    })
  })

  test('has a debt after a void of points that were spent, which the next points pay', () => {
    const model = play(TEN_DAYS, [
      ['2026-03-01T12:00:00Z', event('a', 10)],
      ['2026-03-02T12:00:00Z', event('b', 4)],
      ['2026-03-03T12:00:00Z', spend('s', 12)],
      ['2026-03-04T12:00:00Z', { type: 'void', key: 'a' }],
    ])
    expect(model.look('ann', 'coins', at('2026-03-04T12:00:00Z'))).toMatchObject({ total: 4, balance: -8, lots: [] })
    model.call({ at: at('2026-03-05T12:00:00Z'), user: 'ann', act: event('c', 9) })
    expect(model.look('ann', 'coins', at('2026-03-05T12:00:00Z'))).toMatchObject({
      balance: 1,
      lots: [{ amount: 1, expires: '2026-03-15' }],
    })
  })

  test('makes pending points available and then expires lots, at the midnights of the user', () => {
    const model = play({ ...TEN_DAYS, pending: { days: 2 } }, [
      ['2026-03-01T12:00:00Z', event('a', 10)],
      ['2026-03-01T12:00:00Z', { type: 'move', tz: 'Asia/Tokyo' }],
    ])
    const balances = [
      '2026-03-02T14:59:59.999Z',
      '2026-03-02T15:00:00Z',
      '2026-03-10T14:59:59.999Z',
      '2026-03-10T15:00:00Z',
    ]
    expect(balances.map((instant) => model.look('ann', 'coins', at(instant))?.balance)).toEqual([0, 10, 10, 0])
  })

  test('releases a hold that ends during an absence, and takes its expired lots for 30 more days', () => {
    const model = play(TEN_DAYS, [
      ['2026-03-01T12:00:00Z', event('a', 10)],
      ['2026-03-02T12:00:00Z', { type: 'hold', system: 'coins', amount: 6, minutes: 14_400, name: 'h' }],
    ])
    expect(model.look('ann', 'coins', at('2026-03-11T12:00:00Z'))).toMatchObject({ balance: 0, held: 6, expired: 4 })
    expect(model.look('ann', 'coins', at('2026-03-12T12:00:00Z'))).toMatchObject({
      balance: 6,
      held: 0,
      lots: [{ amount: 6, expires: '2026-04-11' }],
    })
  })

  test('rounds expiry up to the next month or year', () => {
    const lots = (['day', 'month', 'year'] as const).map((roundTo) => {
      const coins: System = { spendable: true, each: 1, expires: { after: { months: 1 }, roundTo } }
      return play(coins, [['2026-01-31T12:00:00Z', event('a', 1)]]).look('ann', 'coins', at('2026-01-31T12:00:00Z'))
        ?.lots
    })
    expect(lots).toEqual([
      [{ amount: 1, expires: '2026-02-28' }],
      [{ amount: 1, expires: '2026-03-01' }],
      [{ amount: 1, expires: '2027-01-01' }],
    ])
  })
})
