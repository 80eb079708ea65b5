import { describe, expect, test } from 'vitest'
import type { Entry, EntryBody, Spend } from '../../src/rules/entry.ts'
import type { Game } from '../../src/rules/game.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { rules } from '../support/given.ts'
import { type Act, earn, hold, play, visit } from '../support/wallets.ts'

const GAME = rules({
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { days: 30 }, roundTo: 'day' },
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
    },
    gems: { name: 'Gems', spendable: true, pending: { days: 3 }, triggers: [] },
    xp: { name: 'XP' },
  },
})

/** Refused at an instant after some acts, in words. With several games, the newest one refuses. */
function refusalOf(
  acts: readonly Act[],
  at: string,
  body: EntryBody,
  games: readonly [...Game[], Game] = [GAME],
): string | null {
  const { state } = play(games, acts)
  const instant = Date.parse(at)
  const base = { id: 'asked', seq: state.seq + 1, at: instant, recordedAt: instant, epoch: games.length, profile: null }
  const dating = { zone: 'UTC', date: Math.floor(instant / 86_400_000), time: 0 }
  const entry: Entry = { ...base, dating, ...body }
  const refusal = refuse(games.at(-1) ?? GAME, state, entry)
  return refusal === null ? null : `${refusal.code}: ${refusal.message}`
}

const NOW = '2026-01-11T00:00:00Z'
const spends = (amount: number, system = 'coins'): EntryBody => ({ kind: 'pointsSpent', system, amount })
const holds = (amount: number, until: string): EntryBody => ({
  kind: 'pointsHeld',
  system: 'coins',
  amount,
  until: Date.parse(until),
})
const EARNED = [earn('2026-01-10', 100)]

describe('a spend is refused', () => {
  test('if the balance is less', () => {
    expect(refusalOf(EARNED, NOW, spends(100))).toBeNull()
    expect(refusalOf(EARNED, NOW, spends(101))).toBe(
      'insufficient_points: The balance of "coins" is 100, which is less than 101. Nothing was saved.',
    )
  })

  test('if the points are held', () => {
    const acts = [...EARNED, hold('2026-01-10T13:00:00Z', 'cart', 60, '2026-01-12T00:00:00Z')]
    expect(refusalOf(acts, NOW, spends(41))).toBe(
      'insufficient_points: The balance of "coins" is 40, with 60 held, which is less than 41. Nothing was saved.',
    )
    expect(refusalOf(acts, '2026-01-12T00:00:00Z', spends(100))).toBeNull()
  })

  test('if the points have expired since', () => {
    expect(refusalOf(EARNED, '2026-02-08T23:59:59.999Z', spends(100))).toBeNull()
    expect(refusalOf(EARNED, '2026-02-09T00:00:00Z', spends(1))).toBe(
      'insufficient_points: The balance of "coins" is 0, which is less than 1. Nothing was saved.',
    )
  })

  test('if nobody can spend the points, or there are no such points', () => {
    expect(refusalOf(EARNED, NOW, spends(1, 'xp'))).toBe(
      'not_spendable: The points system "xp" is not spendable. Set `spendable: true` in its definition, or name another points system.',
    )
    expect(refusalOf(EARNED, NOW, spends(1, 'coin'))).toBe(
      'unknown_points_system: Unknown points system "coin": the game has "coins", "gems", "xp".',
    )
  })
})

describe('a hold is refused', () => {
  test('if the balance is less', () => {
    expect(refusalOf(EARNED, NOW, holds(101, '2026-01-12T00:00:00Z'))).toBe(
      'insufficient_points: The balance of "coins" is 100, which is less than 101. Nothing was saved.',
    )
  })

  test('if it is longer than 90 days, or over', () => {
    expect(refusalOf(EARNED, NOW, holds(1, '2026-04-11T00:00:00Z'))).toBeNull()
    expect(refusalOf(EARNED, NOW, holds(1, '2026-04-11T00:00:00.001Z'))).toBe(
      'hold_out_of_range: A hold lasts at most 90 days, and it ends after it began. Nothing was saved.',
    )
    expect(refusalOf(EARNED, NOW, holds(1, NOW))).toBe(
      'hold_out_of_range: A hold lasts at most 90 days, and it ends after it began. Nothing was saved.',
    )
  })

  test('if there are 20', () => {
    const acts = Array.from({ length: 20 }, (_, index) =>
      hold('2026-01-10T13:00:00Z', `cart-${index}`, 1, '2026-01-12T00:00:00Z'),
    )
    const asked = holds(1, '2026-01-13T00:00:00Z')
    expect(refusalOf([...EARNED, ...acts.slice(1)], NOW, asked)).toBeNull()
    expect(refusalOf([...EARNED, ...acts], NOW, asked)).toBe(
      'too_many_holds: The user has 20 open holds of "coins", the most there can be. Capture or release one first.',
    )
    // They end by themselves.
    expect(refusalOf([...EARNED, ...acts], '2026-01-12T00:00:00Z', asked)).toBeNull()
  })
})

describe('the end of a hold is refused', () => {
  const acts = [...EARNED, hold('2026-01-10T13:00:00Z', 'cart', 60, '2026-01-12T00:00:00Z')]

  test('if a capture is more than the hold', () => {
    expect(refusalOf(acts, NOW, { kind: 'holdCaptured', hold: 'cart', amount: 60 })).toBeNull()
    expect(refusalOf(acts, NOW, { kind: 'holdCaptured', hold: 'cart' })).toBeNull()
    expect(refusalOf(acts, NOW, { kind: 'holdCaptured', hold: 'cart', amount: 61 })).toBe(
      'capture_too_large: The hold has 60 points, which is less than 61. Capture at most 60.',
    )
  })

  test('if there is no such hold, or it has ended', () => {
    const why = 'It was captured or released, has expired, or never existed.'
    expect(refusalOf(acts, NOW, { kind: 'holdReleased', hold: 'basket' })).toBe(
      `unknown_hold: The user has no open hold "basket". ${why}`,
    )
    expect(refusalOf(acts, '2026-01-12T00:00:00Z', { kind: 'holdCaptured', hold: 'cart' })).toBe(
      `unknown_hold: The user has no open hold "cart". ${why}`,
    )
  })
})

describe('a refund is refused', () => {
  const refunds = (amount: number, of?: Spend): EntryBody => ({
    kind: 'pointsRefunded',
    spend: 'order',
    amount,
    ...(of === undefined ? {} : { of }),
  })
  const spent = { system: 'coins', amount: 40, lots: [] }

  test('if there is no such spend', () => {
    expect(refusalOf(EARNED, NOW, refunds(1))).toBe(
      'unknown_spend: The user has no spend "order". Give the id that `points.spend`, `points.capture` or `rewards.redeem` answered.',
    )
  })

  test('if it is more than what is left', () => {
    expect(refusalOf(EARNED, NOW, refunds(30, { ...spent, refunded: 10 }))).toBeNull()
    expect(refusalOf(EARNED, NOW, refunds(31, { ...spent, refunded: 10 }))).toBe(
      'refund_too_large: The spend has 30 of 40 points left, which is less than 31. Nothing was saved.',
    )
    expect(refusalOf(EARNED, NOW, refunds(0, { ...spent, refunded: 40 }))).toBe(
      'refund_too_large: All of the spend was refunded before: 40 points.',
    )
  })
})

describe('a newer game whose coins are not spendable refuses', () => {
  const newer = rules({ points: { coins: { name: 'Coins' } } })
  const acts = [
    ...EARNED,
    hold('2026-01-10T13:00:00Z', 'cart', 60, '2026-01-12T00:00:00Z'),
    { ...visit('2026-01-10T14:00:00Z'), epoch: 2 },
  ]
  const spent = { system: 'coins', amount: 40, lots: [], refunded: 0 }

  test.each<EntryBody>([
    { kind: 'holdCaptured', hold: 'cart' },
    { kind: 'holdReleased', hold: 'cart' },
    { kind: 'pointsRefunded', spend: 'order', amount: 40, of: spent },
  ])('$kind', (body) => {
    expect(refusalOf(acts.slice(0, 2), NOW, body)).toBeNull()
    expect(refusalOf(acts, NOW, body, [GAME, newer])).toBe(
      'not_spendable: The points system "coins" is not spendable. Set `spendable: true` in its definition, or name another points system.',
    )
  })
})
