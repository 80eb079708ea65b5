import { expect, test } from 'vitest'
import type { Change, Movement } from '../../src/rules/change.ts'
import { checkWallets } from '../../src/rules/check-wallets.ts'
import type { Wallet } from '../../src/rules/wallet.ts'
import { capture, coins, earn, hold, play, refund, spend } from '../support/wallets.ts'

const GAME = coins({ expires: { after: { months: 3 } } })
const { state, changes } = play(GAME, [
  earn('2026-01-10', 100),
  spend('2026-01-11', 'order', 30),
  refund('2026-01-12', 'order', 10),
  hold('2026-01-13', 'cart', 40, '2026-01-20T12:00:00Z'),
  capture('2026-01-14', 'paid', 'cart', 25),
  refund('2026-01-15', 'paid', 25),
])
const movementsOf = (all: readonly Change[]): readonly Movement[] =>
  all.flatMap((change) => (change.type === 'pointsMoved' ? [change] : []))
const MOVEMENTS = movementsOf(changes)

/** The faults if one movement, by its place, has other members. */
function withMovement(place: number, patch: Partial<Movement>): readonly string[] {
  return checkWallets(
    GAME,
    state,
    MOVEMENTS.map((movement, index) => (index === place ? { ...movement, ...patch } : movement)),
  )
}

function withWallet(patch: Partial<Wallet>): readonly string[] {
  const wallet = state.wallets.get('coins')
  if (wallet === undefined) throw new Error('There is no wallet')
  return checkWallets(GAME, { ...state, wallets: new Map([['coins', { ...wallet, ...patch }]]) }, MOVEMENTS)
}

test('a wallet and its movements are sound', () => {
  expect(MOVEMENTS.map(({ kind, points, balance }) => `${kind} ${points} ${balance}`)).toEqual([
    'earned 100 100',
    'spent 30 70',
    'refunded 10 80',
    'held 40 40',
    'captured 25 40',
    'released 15 55',
    'refunded 25 80',
  ])
  expect(checkWallets(GAME, state, MOVEMENTS)).toEqual([])
})

test('figures that do not add up are named', () => {
  expect(withWallet({ spent: 21 })).toEqual(['coins: total 100 − spent 21 − expired 0 − held 0 − pending 0 ≠ 80'])
  expect(withWallet({ lots: [{ expires: 20_574, amount: 79 }] })).toEqual([
    'coins: the lots have 79, and the balance is 80',
  ])
})

test('a balance that the movements do not lead to is named', () => {
  expect(withMovement(1, { balance: 71 })).toEqual([
    'coins: a movement of kind spent leads to 71, and its amounts to 70',
    'coins: a movement of kind refunded leads to 80, and its amounts to 81',
  ])
  expect(checkWallets(GAME, state, MOVEMENTS.slice(0, -1))).toEqual([
    'coins: the movements lead to 55, and the balance is 80',
  ])
})

test('refunds and captures of more than there is are named', () => {
  expect(withMovement(2, { points: 31 })).toEqual(['coins: 1 points of kind refunded are more than order has'])
  expect(withMovement(4, { points: 27 })).toEqual(['coins: 2 points of kind released are more than cart has'])
})
