import { describe, expect, test } from 'vitest'
import {
  adjust,
  capture,
  coins,
  earn,
  figures,
  hold,
  movements,
  play,
  refund,
  release,
  spend,
  visit,
} from '../support/wallets.ts'

const QUARTERLY = coins({ expires: { after: { months: 3 } } })

describe('a history with four lots, three refunds and two late earnings', () => {
  const earned = [earn('2026-01-10', 100), earn('2026-02-10', 50), earn('2026-03-10', 70), earn('2026-04-10', 30)]
  const spent = spend('2026-04-11', 'order', 120)
  const refunds = [refund('2026-04-12', 'order', 10), refund('2026-05-05', 'order', 30)]
  const late = earn('2026-01-20', 40)
  const later = earn('2025-12-05', 200)

  test('earns a lot in each month, which is gone on the first day of the fourth month after it', () => {
    const { lots, wallet } = play(QUARTERLY, earned)
    expect(lots).toEqual(['2026-05-01 100', '2026-06-01 50', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 250, pending 0, held 0, spent 0, expired 0')
  })

  test('spends what expires first', () => {
    const { lots, wallet } = play(QUARTERLY, [...earned, spent])
    expect(lots).toEqual(['2026-06-01 30', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 130, pending 0, held 0, spent 120, expired 0')
  })

  test('returns the first refund to the lot that expires last', () => {
    const { lots, wallet } = play(QUARTERLY, [...earned, spent, ...refunds.slice(0, 1)])
    expect(lots).toEqual(['2026-06-01 40', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 140, pending 0, held 0, spent 110, expired 0')
  })

  test('returns the second refund to a lot that is left, and for 30 days what has expired', () => {
    const { lots, wallet } = play(QUARTERLY, [...earned, spent, ...refunds])
    expect(lots).toEqual(['2026-06-01 50', '2026-06-04 20', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 170, pending 0, held 0, spent 80, expired 0')
  })

  test('takes the spend from other lots once an earning comes late', () => {
    const { lots, wallet } = play(QUARTERLY, [...earned, spent, ...refunds, late])
    expect(lots).toEqual(['2026-06-01 50', '2026-06-04 30', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 180, pending 0, held 0, spent 80, expired 30')
  })

  test('lets the second late earning expire before the spend', () => {
    const { lots, wallet, state } = play(QUARTERLY, [...earned, spent, ...refunds, late, later])
    expect(lots).toEqual(['2026-06-01 50', '2026-06-04 30', '2026-07-01 70', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 180, pending 0, held 0, spent 80, expired 230')
    expect(state.points.get('coins')?.total).toBe(490)
  })

  test('returns the rest for 30 days after its lot and another have expired', () => {
    const { lots, wallet, changes } = play(QUARTERLY, [
      ...earned,
      spent,
      ...refunds,
      late,
      later,
      refund('2026-06-03', 'order', 80),
    ])
    expect(lots).toEqual(['2026-06-04 30', '2026-07-01 70', '2026-07-03 80', '2026-08-01 30'])
    expect(figures(wallet)).toBe('balance 210, pending 0, held 0, spent 0, expired 280')
    expect(movements(changes)).toEqual([
      'earned +200 to 200 at 2025-12-05T12:00',
      'earned +100 to 300 at 2026-01-10T12:00',
      'earned +40 to 340 at 2026-01-20T12:00',
      'earned +50 to 390 at 2026-02-10T12:00',
      'earned +70 to 460 at 2026-03-10T12:00',
      'expired -200 to 260 at 2026-04-01T00:00',
      'earned +30 to 290 at 2026-04-10T12:00',
      'spent -120 to 170 at 2026-04-11T12:00',
      'refunded +10 to 180 at 2026-04-12T12:00',
      'expired -30 to 150 at 2026-05-01T00:00',
      'refunded +30 to 180 at 2026-05-05T12:00',
      'expired -50 to 130 at 2026-06-01T00:00',
      'refunded +80 to 210 at 2026-06-03T12:00',
    ])
  })
})

describe('a debt', () => {
  test('is what a spend took that was not there, and the next earnings pay it', () => {
    const { lots, wallet } = play(QUARTERLY, [earn('2026-01-10', 10), spend('2026-01-11', 'order', 40)])
    expect(lots).toEqual([])
    expect(figures(wallet)).toBe('balance -30, pending 0, held 0, spent 40, expired 0')
    const after = play(QUARTERLY, [
      earn('2026-01-10', 10),
      spend('2026-01-11', 'order', 40),
      earn('2026-01-12', 20),
      earn('2026-02-12', 15),
    ])
    expect(after.lots).toEqual(['2026-06-01 5'])
  })

  test('is returned first, as if it was earned on the date of the refund', () => {
    const { lots } = play(QUARTERLY, [
      earn('2026-01-10', 10),
      spend('2026-01-11', 'order', 40),
      earn('2026-01-12', 30),
      refund('2026-02-12', 'order', 35),
    ])
    expect(lots).toEqual(['2026-05-01 5', '2026-06-01 30'])
  })
})

describe('a hold', () => {
  const earned = [earn('2026-01-10', 100), earn('2026-02-10', 50)]
  const held = hold('2026-02-11', 'cart', 120, '2026-02-12T12:00:00Z')

  test('takes points from the balance, and a capture spends a part of them and releases the rest', () => {
    expect(figures(play(QUARTERLY, [...earned, held]).wallet)).toBe(
      'balance 30, pending 0, held 120, spent 0, expired 0',
    )
    const { lots, wallet, changes } = play(QUARTERLY, [
      ...earned,
      held,
      capture('2026-02-11T13:00:00Z', 'order', 'cart', 90),
    ])
    expect(lots).toEqual(['2026-05-01 10', '2026-06-01 50'])
    expect(figures(wallet)).toBe('balance 60, pending 0, held 0, spent 90, expired 0')
    expect(movements(changes).slice(2)).toEqual([
      'held -120 to 30 at 2026-02-11T12:00',
      'captured 0 to 30 at 2026-02-11T13:00',
      'released +30 to 60 at 2026-02-11T13:00',
    ])
  })

  test('can be captured whole, and the capture can be refunded as a spend', () => {
    const captured = [...earned, held, capture('2026-02-11T13:00:00Z', 'order', 'cart')]
    expect(figures(play(QUARTERLY, captured).wallet)).toBe('balance 30, pending 0, held 0, spent 120, expired 0')
    const { lots, wallet } = play(QUARTERLY, [...captured, refund('2026-02-13', 'order', 25)])
    expect(lots).toEqual(['2026-05-01 5', '2026-06-01 50'])
    expect(figures(wallet)).toBe('balance 55, pending 0, held 0, spent 95, expired 0')
  })

  test('is released by a call, or at its instant', () => {
    const released = play(QUARTERLY, [...earned, held, release('2026-02-11T13:00:00Z', 'cart')])
    expect(released.lots).toEqual(['2026-05-01 100', '2026-06-01 50'])
    const before = play(QUARTERLY, [...earned, held], '2026-02-12T11:59:59.999Z')
    expect(figures(before.wallet)).toBe('balance 30, pending 0, held 120, spent 0, expired 0')
    const after = play(QUARTERLY, [...earned, held], '2026-02-12T12:00:00Z')
    expect(after.lots).toEqual(['2026-05-01 100', '2026-06-01 50'])
    expect(movements(after.changes).at(-1)).toBe('released +120 to 150 at 2026-02-12T12:00')
  })

  test('keeps points from expiring, and returns them for the grace once they would have', () => {
    const long = hold('2026-04-20', 'cart', 100, '2026-05-10T12:00:00Z')
    const { lots, wallet } = play(QUARTERLY, [...earned, long], '2026-05-11')
    expect(lots).toEqual(['2026-06-01 50', '2026-06-09 100'])
    expect(figures(wallet)).toBe('balance 150, pending 0, held 0, spent 0, expired 0')
    expect(figures(play(QUARTERLY, [...earned, long], '2026-06-09').wallet)).toBe(
      'balance 0, pending 0, held 0, spent 0, expired 150',
    )
  })

  test('that was captured is not released later', () => {
    const { wallet } = play(
      QUARTERLY,
      [...earned, held, capture('2026-02-11T13:00:00Z', 'order', 'cart'), release('2026-02-11T14:00:00Z', 'cart')],
      '2026-02-20',
    )
    expect(figures(wallet)).toBe('balance 30, pending 0, held 0, spent 120, expired 0')
  })
})

describe('pending points', () => {
  const pending = coins({ expires: { after: { days: 30 }, roundTo: 'day' }, pending: { days: 14 } })

  test('become available at a local midnight, and expire as long after they were earned', () => {
    const acts = [visit('2026-01-10T08:00:00Z', 'Europe/Berlin'), earn('2026-01-10', 100)]
    expect(figures(play(pending, acts, '2026-01-23T22:59:59Z').wallet)).toBe(
      'balance 0, pending 100, held 0, spent 0, expired 0',
    )
    const { wallet, lots, changes } = play(pending, acts, '2026-01-23T23:00:00Z')
    expect(figures(wallet)).toBe('balance 100, pending 0, held 0, spent 0, expired 0')
    expect(lots).toEqual(['2026-02-09 100'])
    expect(movements(changes)).toEqual([
      'earned 0 to 0 at 2026-01-10T12:00',
      'available +100 to 100 at 2026-01-23T23:00',
    ])
  })

  test('do not pay a debt before they are available', () => {
    const acts = [spend('2026-01-09', 'order', 40), earn('2026-01-10', 100)]
    expect(figures(play(pending, acts).wallet)).toBe('balance -40, pending 100, held 0, spent 40, expired 0')
    expect(play(pending, acts, '2026-01-24').lots).toEqual(['2026-02-09 60'])
  })

  test('are not those that support gives', () => {
    const { lots, wallet } = play(pending, [adjust('2026-01-10', 5)])
    expect(lots).toEqual(['2026-02-09 5'])
    expect(figures(wallet)).toBe('balance 5, pending 0, held 0, spent 0, expired 0')
  })
})

describe('an adjustment', () => {
  test('takes from the balance down to 0, and leaves the total', () => {
    const { wallet, state, changes } = play(QUARTERLY, [earn('2026-01-10', 100), adjust('2026-01-11', -130)])
    expect(figures(wallet)).toBe('balance 0, pending 0, held 0, spent 100, expired 0')
    expect(state.points.get('coins')?.total).toBe(100)
    expect(movements(changes).at(-1)).toBe('adjusted -100 to 0 at 2026-01-11T12:00')
  })

  test('of what was earned lowers the total, and may leave a debt', () => {
    const { wallet, state } = play(QUARTERLY, [
      earn('2026-01-10', 100),
      spend('2026-01-11', 'order', 80),
      adjust('2026-01-12', -130, true),
    ])
    expect(figures(wallet)).toBe('balance -80, pending 0, held 0, spent 80, expired 0')
    expect(state.points.get('coins')?.total).toBe(0)
  })
})

describe('maxPoints', () => {
  const small = coins({
    maxPoints: 100,
    expires: { after: { months: 3 } },
    levels: { gold: { name: 'G', points: 150 } },
  })

  test('bounds balance, held and pending points together, but not the total', () => {
    const acts = [
      earn('2026-01-10', 80),
      hold('2026-01-11', 'cart', 50, '2026-01-20T12:00:00Z'),
      earn('2026-01-12', 60),
    ]
    const { wallet, state } = play(small, acts)
    expect(figures(wallet)).toBe('balance 50, pending 0, held 50, spent 0, expired 0')
    expect(state.points.get('coins')).toEqual({ total: 100, level: null })
    const after = play(small, [...acts, spend('2026-01-13', 'order', 50), earn('2026-01-14', 60)])
    expect(after.state.points.get('coins')).toEqual({ total: 150, level: 'gold' })
  })

  test('clips no refund and no release', () => {
    const { wallet } = play(small, [
      earn('2026-01-10', 100),
      spend('2026-01-11', 'order', 100),
      earn('2026-01-12', 100),
      refund('2026-01-13', 'order', 100),
    ])
    expect(figures(wallet)).toBe('balance 200, pending 0, held 0, spent 0, expired 0')
  })
})

describe('a newer game', () => {
  const plain = coins({ spendable: false })

  test('that makes a system spendable gives one lot with the total, as if it was earned on that date', () => {
    const { lots, wallet, changes } = play(
      [plain, QUARTERLY],
      [earn('2026-01-10', 100), { ...visit('2026-03-15'), epoch: 2 }],
    )
    expect(lots).toEqual(['2026-07-01 100'])
    expect(figures(wallet)).toBe('balance 100, pending 0, held 0, spent 0, expired 0')
    expect(movements(changes)).toEqual(['earned +100 to 100 at 2026-03-15T12:00'])
  })

  test('that makes it not spendable leaves the lots, which expire', () => {
    const acts = [earn('2026-01-10', 100), { ...earn('2026-03-15', 50), epoch: 2 }]
    expect(play([QUARTERLY, plain], acts).lots).toEqual(['2026-05-01 100'])
  })

  test('that makes it spendable again adds what was earned between', () => {
    const acts = [
      earn('2026-01-10', 100),
      { ...earn('2026-03-15', 50), epoch: 2 },
      { ...visit('2026-05-15'), epoch: 3 },
    ]
    const { lots, wallet } = play([QUARTERLY, plain, QUARTERLY], acts)
    expect(lots).toEqual(['2026-09-01 50'])
    expect(figures(wallet)).toBe('balance 50, pending 0, held 0, spent 0, expired 100')
  })
})
