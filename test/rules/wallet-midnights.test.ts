import { describe, expect, test } from 'vitest'
import { type Act, coins, earn, figures, hold, movements, play, spend, visit } from '../support/wallets.ts'

/*
 * At one local midnight, holds that end then are released, pending points become available, lots expire, and points by
 * time are paid. Each pair of these has another result in the other order.
 */

const TRIGGERS = [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] as const
const TIMED = [...TRIGGERS, { type: 'time', every: { days: 10 }, points: 20 }] as const
const DAILY = { after: { days: 40 }, roundTo: 'day' } as const

describe('at the midnight of 2026-03-11 in UTC', () => {
  test('a hold that ends then is released, and then its lot expires', () => {
    const game = coins({ expires: DAILY })
    const acts = [earn('2026-01-30', 30), hold('2026-02-10', 'cart', 30, '2026-03-11T00:00:00Z')]
    const { wallet, changes } = play(game, acts, '2026-03-11T00:00:00Z')
    expect(movements(changes).slice(2)).toEqual([
      'released +30 to 30 at 2026-03-11T00:00',
      'expired -30 to 0 at 2026-03-11T00:00',
    ])
    expect(figures(wallet)).toBe('balance 0, pending 0, held 0, spent 0, expired 30')
  })

  test('a hold that ends a millisecond later returns its lot for the grace', () => {
    const game = coins({ expires: DAILY })
    const acts = [earn('2026-01-30', 30), hold('2026-02-10', 'cart', 30, '2026-03-11T00:00:00.001Z')]
    expect(play(game, acts, '2026-03-11').lots).toEqual(['2026-04-10 30'])
  })

  test('a hold that ends then pays a debt before pending points become available', () => {
    const game = coins({ expires: { after: { months: 3 } }, pending: { days: 10 } })
    const acts = [
      earn('2026-01-30', 20),
      hold('2026-02-20', 'cart', 20, '2026-03-11T00:00:00Z'),
      spend('2026-02-21', 'order', 30),
      earn('2026-03-01', 25),
    ]
    expect(play(game, acts, '2026-03-11').lots).toEqual(['2026-07-01 15'])
  })

  test('a hold that ends then pays a debt before points by time', () => {
    const game = coins({ expires: { after: { months: 3 } }, triggers: [...TIMED] })
    const acts = [
      visit('2026-03-01'),
      earn('2026-03-02', 10),
      hold('2026-03-03', 'cart', 10, '2026-03-11T00:00:00Z'),
      spend('2026-03-04', 'order', 15),
    ]
    // Both lots expire on the same date: the movements say which came first.
    const { changes } = play(game, acts, '2026-03-11T00:00:00Z')
    expect(movements(changes).slice(-2)).toEqual([
      'released +10 to -5 at 2026-03-11T00:00',
      'earned +20 to 15 at 2026-03-11T00:00',
    ])
  })

  test('pending points become available, and then a lot expires', () => {
    const game = coins({ expires: DAILY, pending: { days: 20 } })
    const { changes, lots } = play(game, [earn('2026-01-30', 30), earn('2026-02-19', 50)], '2026-03-11')
    expect(movements(changes).slice(-2)).toEqual([
      'available +50 to 80 at 2026-03-11T00:00',
      'expired -30 to 50 at 2026-03-11T00:00',
    ])
    expect(lots).toEqual(['2026-03-31 50'])
  })

  test('pending points pay a debt before points by time', () => {
    const pending = coins({ expires: { after: { months: 3 } }, pending: { days: 20 }, triggers: [...TIMED] })
    const timed = coins({ expires: { after: { months: 3 } }, triggers: [...TIMED] })
    const acts = [
      visit('2026-03-01T01:00:00Z'),
      { ...earn('2026-02-19', 20), epoch: 1 },
      { ...visit('2026-03-02'), epoch: 2 },
      { ...spend('2026-03-03', 'order', 30), epoch: 2 },
    ]
    // The user was created on 2026-02-19, so points by time are due on the same date as the pending points.
    expect(play([pending, timed], acts, '2026-03-11').lots).toEqual(['2026-07-01 10'])
  })

  test('a lot expires, and then points by time are paid, up to maxPoints', () => {
    const game = coins({ maxPoints: 40, expires: DAILY, triggers: [...TIMED] })
    const acts = [visit('2026-01-30T01:00:00Z'), earn('2026-01-30', 40)]
    const { changes, lots, wallet } = play(game, acts, '2026-03-11T00:00:00Z')
    expect(movements(changes).slice(-2)).toEqual([
      'expired -40 to 0 at 2026-03-11T00:00',
      'earned +20 to 20 at 2026-03-11T00:00',
    ])
    expect(lots).toEqual(['2026-04-20 20'])
    expect(figures(wallet)).toBe('balance 20, pending 0, held 0, spent 0, expired 40')
  })
})

describe('zones', () => {
  const game = coins({ expires: { after: { days: 30 }, roundTo: 'day' } })

  test('decide when a date begins: each user has the own midnight', () => {
    const acts = [visit('2026-03-01T08:00:00Z', 'Asia/Tokyo'), earn('2026-03-01', 100)]
    expect(play(game, acts, '2026-03-30T14:59:59.999Z').lots).toEqual(['2026-03-31 100'])
    const { lots, changes } = play(game, acts, '2026-03-30T15:00:00Z')
    expect(lots).toEqual([])
    expect(movements(changes).at(-1)).toBe('expired -100 to 0 at 2026-03-30T15:00')
  })

  test('a move west does not give back what has expired', () => {
    const acts = [
      visit('2026-03-01T08:00:00Z', 'Asia/Tokyo'),
      earn('2026-03-01', 100),
      visit('2026-03-30T16:00:00Z', 'America/New_York'),
    ]
    const { wallet } = play(game, acts, '2026-03-30T17:00:00Z')
    expect(figures(wallet)).toBe('balance 0, pending 0, held 0, spent 0, expired 100')
  })

  test('a move east lets points expire at the next midnight there', () => {
    const acts = [
      visit('2026-03-01T20:00:00Z', 'America/New_York'),
      earn('2026-03-01T20:30:00Z', 100),
      visit('2026-03-30T16:00:00Z', 'Asia/Tokyo'),
    ]
    expect(play(game, acts).lots).toEqual(['2026-03-31 100'])
    expect(play(game, acts, '2026-03-30T16:00:01Z').lots).toEqual([])
  })
})

describe('after a void', () => {
  const game = coins({ expires: { after: { days: 10 }, roundTo: 'day' } })
  const voids = (at: string): Act => ({
    at,
    body: { kind: 'eventVoided', event: 'mistake', reason: null, revokes: false },
  })
  const mistake: Act = {
    at: '2026-05-03T08:00:00Z',
    id: 'mistake',
    body: { ...earn('2026-05-03', 5).body, voidedBy: 'entry-4' } as Act['body'],
  }

  test('points have expired at the midnights before it', () => {
    const acts = [earn('2026-03-08', 2), earn('2026-03-14', 1), mistake, voids('2026-05-03T09:00:00Z')]
    expect(movements(play(game, acts, '2026-05-04').changes).slice(2)).toEqual([
      'expired -2 to 1 at 2026-03-18T00:00',
      'expired -1 to 0 at 2026-03-24T00:00',
    ])
  })

  test('points that a move east let expire have expired with the move', () => {
    const acts = [
      visit('2026-03-08T20:00:00Z', 'America/New_York'),
      earn('2026-03-08T20:30:00Z', 2),
      visit('2026-03-17T16:00:00Z', 'Asia/Tokyo'),
      voids('2026-03-17T18:00:00Z'),
    ]
    expect(movements(play(game, acts, '2026-03-19').changes).at(-1)).toBe('expired -2 to 0 at 2026-03-17T16:00')
  })
})
