import { describe, expect, test } from 'vitest'
import { parseDate, toDateText } from '../../src/rules/calendar.ts'
import type { WalletRule } from '../../src/rules/game.ts'
import { credit, debit, expiryOf, type Lot, NO_WALLET, sliceOf, type Wallet } from '../../src/rules/wallet.ts'
import { stateText } from '../../src/sql/state-text.ts'
import { type Act, coins, earn, figures, play, spend, textsOf } from '../support/wallets.ts'

type Expires = NonNullable<WalletRule['expires']>

const lot = (expires: string | null, amount: number): Lot => ({
  expires: expires === null ? null : parseDate(expires),
  amount,
})

describe('points that are earned', () => {
  const gone = (date: string, unit: Expires['unit'], count: number, roundTo: Expires['roundTo']): string | null => {
    const rule = { expires: { unit, count, roundTo, warnDays: null }, pendingDays: 0, graceDays: 30 }
    const expires = expiryOf(rule, parseDate(date) ?? 0)
    return expires === null ? null : toDateText(expires)
  }

  test('are gone after some days, months or years', () => {
    expect(gone('2026-03-01', 'day', 30, 'day')).toBe('2026-03-31')
    expect(gone('2026-01-31', 'month', 1, 'day')).toBe('2026-02-28')
    expect(gone('2024-02-29', 'year', 1, 'day')).toBe('2025-02-28')
  })

  test('are gone on the first day of the month or year after that', () => {
    expect(gone('2026-01-31', 'month', 1, 'month')).toBe('2026-03-01')
    expect(gone('2026-01-01', 'month', 12, 'month')).toBe('2027-02-01')
    expect(gone('2026-11-15', 'day', 45, 'month')).toBe('2027-01-01')
    expect(gone('2026-06-15', 'year', 1, 'year')).toBe('2028-01-01')
    expect(gone('2026-06-15', 'month', 6, 'year')).toBe('2027-01-01')
  })
})

describe('lots', () => {
  const wallet = credit(NO_WALLET, [lot(null, 5), lot('2026-05-01', 10), lot('2026-04-01', 3), lot('2026-05-01', 2)])

  test('are one for each date, those that never expire last', () => {
    expect(textsOf(wallet.wallet.lots)).toEqual(['2026-04-01 3', '2026-05-01 12', 'never 5'])
  })

  test('are taken from the first on, and what is missing is in none', () => {
    const taken = debit(wallet.wallet, 7)
    expect(textsOf(taken.lots)).toEqual(['2026-04-01 3', '2026-05-01 4'])
    expect(textsOf(taken.wallet.lots)).toEqual(['2026-05-01 8', 'never 5'])
    const more = debit(wallet.wallet, 21)
    expect(textsOf(more.lots)).toEqual(['2026-04-01 3', '2026-05-01 12', 'never 5'])
    expect(figures(more.wallet)).toBe('balance -1, pending 0, held 0, spent 0, expired 0')
  })

  test('have what a debt leaves of points: those that expire first pay it', () => {
    const { wallet: filled, lots } = credit({ ...NO_WALLET, balance: -8 }, [
      lot('2026-05-01', 10),
      lot('2026-04-01', 3),
    ])
    expect(textsOf(filled.lots)).toEqual(['2026-05-01 5'])
    expect(textsOf(lots)).toEqual(['2026-05-01 5'])
  })

  test('are at most 120: the first two become one, with the later date', () => {
    const all = Array.from({ length: 120 }, (_, index): Lot => ({ expires: 20_000 + 2 * index, amount: 1 }))
    const { wallet: full } = credit(NO_WALLET, all)
    const { lots } = credit(full, [{ expires: 20_101, amount: 7 }]).wallet
    expect(lots.length).toBe(120)
    expect(lots.slice(0, 2)).toEqual([
      { expires: 20_002, amount: 2 },
      { expires: 20_004, amount: 1 },
    ])
    expect(lots.find(({ expires }) => expires === 20_101)).toEqual({ expires: 20_101, amount: 7 })
  })

  test('of a part of a spend are those in which it lies', () => {
    const spent = { amount: 20, lots: [lot('2026-04-01', 3), lot('2026-05-01', 12)] }
    expect(textsOf(sliceOf(spent, 0, 5).lots)).toEqual(['2026-04-01 3', '2026-05-01 2'])
    expect(textsOf(sliceOf(spent, 14, 17).lots)).toEqual(['2026-05-01 1'])
    expect(sliceOf(spent, 15, 20)).toEqual({ amount: 5, lots: [] })
  })
})

describe('a thousand earnings on 400 days', () => {
  const start = Date.parse('2026-01-01T06:00:00Z')
  const acts = Array.from({ length: 1_000 }, (_, index): Act => {
    return earn(new Date(start + Math.floor(index / 2.5) * 86_400_000 + (index % 2) * 3_600_000).toISOString(), 10)
  })
  const spends = Array.from({ length: 300 }, (_, index): Act => {
    return spend(new Date(start + index * 86_400_000 + 7_200_000).toISOString(), `order-${index}`, 5)
  })
  const walletOf = (system: Parameters<typeof coins>[0]): Wallet => play(coins(system), [...acts, ...spends]).wallet

  test('leave a lot for each month that has not expired, in a text of 500 bytes', () => {
    const wallet = walletOf({ expires: { after: { months: 12 } } })
    // 780 of January and 700 of February are spent, and 20 of March.
    expect(wallet.lots.length).toBe(12)
    expect(textsOf(wallet.lots.slice(0, 1))).toEqual(['2027-04-01 750'])
    expect(figures(wallet)).toBe('balance 8500, pending 0, held 0, spent 1500, expired 0')
    expect(stateText(wallet).length).toBeLessThan(500)
  })

  test('leave at most 120 lots by day, in a text of 4 KB', () => {
    const wallet = walletOf({ expires: { after: { days: 120 }, roundTo: 'day' }, pending: { days: 14 } })
    expect([wallet.lots.length, wallet.pending.length]).toEqual([106, 14])
    expect(stateText(wallet).length).toBeLessThan(4_000)
  })
})
