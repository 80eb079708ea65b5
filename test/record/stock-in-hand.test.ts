import { expect, test } from 'vitest'
import { takeInHand } from '../../src/record/accept/stock.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { stockKey } from '../../src/storage/stock.ts'
import { untyped } from '../support/engine.ts'

const redeemed = untyped<Entry>({ kind: 'rewardRedeemed', reward: 'mug', stocked: true })
const cancelled = untyped<Entry>({ kind: 'redemptionCancelled', redeemed: { reward: 'mug', stocked: true } })

test('A cancellation in a commit lets the next redemption of it through, and no other', () => {
  const hand = takeInHand(new Map([[stockKey('acme', 'mug'), 0]]))
  expect(hand.take('acme', redeemed)?.code).toBe('out_of_stock')
  expect(hand.take('acme', cancelled)).toBeNull()
  expect(hand.take('acme', redeemed)).toBeNull()
  expect(hand.take('acme', redeemed)?.code).toBe('out_of_stock')
})
