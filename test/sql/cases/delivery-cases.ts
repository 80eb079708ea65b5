import { deepEqual, equal } from 'node:assert/strict'
import {
  type ClaimOptions,
  claimDeliveries,
  countDeliveries,
  type Delivery,
  loadDeliveries,
  loadDueReceivers,
  putDeliveries,
  removeDeliveries,
  removeReceiver,
  requeueDeliveries,
  saveAttempts,
} from '../../../src/sql/deliveries.ts'
import { removeMessages } from '../../../src/sql/messages.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { column, range, type StorageCase, test } from '../../../src/testing/storage/case.ts'
import { delivery, storeDeliveries } from '../../../src/testing/storage/outbox-samples.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'

const places = (deliveries: readonly Delivery[]): readonly string[] =>
  deliveries.map(({ receiver, position }) => `${receiver} ${position}`)

/** Claims at the moment it expires, so that no delivery stays claimed. */
function claimNone(
  storage: Storage,
  receiver: string,
  options: Partial<ClaimOptions> & Pick<ClaimOptions, 'inOrder'>,
): Promise<readonly Delivery[]> {
  const asked = { now: NOON, leaseNow: NOON, limit: 9, ...options }
  return claimDeliveries(storage, receiver, { ...asked, claim: 'none', until: asked.leaseNow })
}

export const deliveryCases: readonly StorageCase[] = [
  test('deliveries/kept: a delivery is kept as it was put, replaced by the next of its place, and counted by its state', async (storage) => {
    const first = delivery('hook', 1, { user: null, tenant: 'acme', data: '{"a":"Ä"}', log: '["500"]', attempts: 3 })
    await storeDeliveries(storage, [first, delivery('hook', 2), delivery('other', 1)])
    deepEqual((await loadDeliveries(storage, { receiver: 'hook', limit: 5 }))[1], first)
    const done = { ...first, state: 'done', nextAt: null, attempts: 4 } as const
    const dead = delivery('hook', 2, { state: 'dead', nextAt: null })
    await storage.transaction((tx) => putDeliveries(tx, [done, dead]))
    deepEqual((await loadDeliveries(storage, { receiver: 'hook', state: 'done', limit: 5 }))[0], done)
    deepEqual(await countDeliveries(storage, 'hook'), { waiting: 0, done: 1, dead: 1 })
    deepEqual(await countDeliveries(storage, 'other'), { waiting: 1, done: 0, dead: 0 })
    deepEqual(await countDeliveries(storage, 'nobody'), { waiting: 0, done: 0, dead: 0 })
  }),
  test('deliveries/listed: deliveries of a receiver are listed from the newest on, those of one state where asked for', async (storage) => {
    const dead = { state: 'dead', nextAt: null } as const
    const all = [1, 2, 3, 4, 5].map((position) => delivery('hook', position, position % 2 === 0 ? dead : {}))
    await storeDeliveries(storage, [...all, delivery('other', 6)])
    const list = async (options: object): Promise<readonly number[]> =>
      column(await loadDeliveries(storage, { receiver: 'hook', limit: 2, ...options }), 'position')
    deepEqual(await list({}), [5, 4])
    deepEqual(await list({ before: 4 }), [3, 2])
    deepEqual(await list({ before: 1 }), [])
    deepEqual(await list({ state: 'waiting' }), [5, 3])
    deepEqual(await list({ state: 'waiting', before: 3 }), [1])
    deepEqual(await list({ state: 'dead' }), [4, 2])
  }),
  test('deliveries/due: those that wait are due in the order of their instants, then of their positions', async (storage) => {
    await storeDeliveries(storage, [
      delivery('a', 1, { nextAt: NOON + 2 }),
      delivery('a', 2, { nextAt: NOON + 1 }),
      delivery('a', 3, { nextAt: NOON + 1 }),
      delivery('a', 4, { state: 'done', nextAt: null }),
      delivery('a', 5, { nextAt: NOON + 3 }),
      delivery('b', 6, { nextAt: NOON + 1 }),
    ])
    const due = async (now: number, limit = 9): Promise<readonly string[]> =>
      places(await claimNone(storage, 'a', { now, limit, inOrder: false }))
    deepEqual(await due(NOON), [])
    deepEqual(await due(NOON + 2), ['a 2', 'a 3', 'a 1'])
    deepEqual(await due(NOON + 9, 2), ['a 2', 'a 3'])
    const receivers = (now: number, ...all: readonly string[]): Promise<readonly string[]> =>
      loadDueReceivers(storage, all, { now, leaseNow: NOON })
    deepEqual(await receivers(NOON, 'a', 'b'), [])
    deepEqual([...(await receivers(NOON + 1, 'a', 'b', 'c'))].sort(), ['a', 'b'])
    deepEqual(await receivers(NOON + 1, 'b'), ['b'])
    deepEqual(await receivers(NOON + 1), [])
  }),
  test('deliveries/in-order: of a receiver in order one waits for the earlier ones of its tenant and user, be they due or not', async (storage) => {
    await storeDeliveries(storage, [
      delivery('a', 1, { nextAt: NOON + 9 }),
      delivery('a', 2),
      delivery('a', 3, { user: 'bob' }),
      delivery('a', 4, { tenant: 'acme' }),
      delivery('a', 5, { user: null }),
      delivery('a', 6, { user: null }),
      delivery('b', 7),
      delivery('b', 8),
    ])
    const due = async (receiver: string, inOrder: boolean): Promise<readonly string[]> =>
      places(await claimNone(storage, receiver, { inOrder }))
    deepEqual(await due('a', true), ['a 3', 'a 4', 'a 5'])
    deepEqual(await due('b', false), ['b 7', 'b 8'])
    deepEqual(await due('b', true), ['b 7'])
    deepEqual(await due('a', false), ['a 2', 'a 3', 'a 4', 'a 5', 'a 6'])
    await storage.transaction((tx) => putDeliveries(tx, [delivery('a', 1, { state: 'dead', nextAt: null })]))
    deepEqual(await due('a', true), ['a 2', 'a 3', 'a 4', 'a 5'])
  }),
  test('deliveries/behind-many: those that are next are found behind hundreds that wait for others', async (storage) => {
    const positions = range(500)
    const isAnn = (position: number): boolean => position !== 65 && position < 450
    const all = positions.map((position) => {
      const user = isAnn(position) ? 'ann' : `user-${position}`
      return delivery('a', position, { user, nextAt: NOON + (position === 1 ? 9 : 0) })
    })
    await storeDeliveries(storage, all)
    const due = async (limit: number): Promise<readonly number[]> => {
      const found = await claimNone(storage, 'a', { limit, inOrder: true })
      const positions = column(found, 'position')
      const asStored = all.filter(({ position }) => positions.includes(position))
      deepEqual(found, asStored)
      return positions
    }
    deepEqual(await due(1), [65])
    deepEqual(await due(3), [65, 450, 451])
    deepEqual(await due(600), [65, ...positions.slice(449)])
  }),
  test('deliveries/claimed: a due delivery is claimed once, until the claim ends; a claimed one still holds up later ones of its user', async (storage) => {
    await storeDeliveries(storage, [
      delivery('a', 1),
      delivery('a', 2),
      delivery('a', 3, { user: 'bob', nextAt: NOON - 1 }),
      delivery('a', 4, { user: 'cid', state: 'done' }),
      delivery('a', 5, { user: 'dan', nextAt: NOON + 1 }),
      delivery('a', 6, { user: 'eve', attempts: 2, log: '["500"]' }),
    ])
    const claim = async (name: string, leaseNow: number, limit = 9): Promise<readonly Delivery[]> =>
      claimDeliveries(storage, 'a', { claim: name, until: leaseNow + 60, now: NOON, leaseNow, limit, inOrder: true })
    const due = async (leaseNow: number): Promise<readonly string[]> =>
      places(await claimNone(storage, 'a', { leaseNow, inOrder: true }))
    deepEqual(places(await claim('first', 1_000, 2)), ['a 3', 'a 1'])
    deepEqual(await due(1_000), ['a 6'])
    deepEqual(await claim('second', 1_000), [delivery('a', 6, { user: 'eve', attempts: 2, log: '["500"]' })])
    deepEqual(await claim('third', 1_059), [])
    deepEqual(await loadDueReceivers(storage, ['a'], { now: NOON, leaseNow: 1_059 }), ['a'])
    deepEqual(await due(1_059), [])
    deepEqual(await due(1_060), ['a 3', 'a 1', 'a 6'])
    deepEqual(places(await claim('fourth', 1_060)), ['a 3', 'a 1', 'a 6'])
  }),
  test('deliveries/claimed-together: of claims at the same time each delivery is in one', async (storage) => {
    const positions = range(40)
    const given = positions.map((position) => delivery('a', position))
    await storeDeliveries(storage, given)
    const options = { until: NOON + 60, now: NOON, leaseNow: NOON, limit: 10, inOrder: false }
    const claims = ['one', 'two', 'three', 'four']
    const claimed = await Promise.all(claims.map((claim) => claimDeliveries(storage, 'a', { ...options, claim })))
    const all = claimed.flat().map(({ position }) => position)
    equal(new Set(all).size, all.length)
    const rest = await claimDeliveries(storage, 'a', { ...options, claim: 'five', limit: 40 })
    const claimedOnce = [...all, ...column(rest, 'position')].sort((left, right) => left - right)
    deepEqual(claimedOnce, positions)
  }),
  test('deliveries/settled: the result of a claimed delivery is stored and ends the claim; a claim that was lost stores nothing', async (storage) => {
    const [first, third, fourth] = [delivery('a', 1), delivery('a', 3), delivery('a', 4)]
    const second = delivery('a', 2, { nextAt: NOON - 1 })
    await storeDeliveries(storage, [first, second, third, fourth])
    const options = { until: NOON + 60, now: NOON, leaseNow: NOON, limit: 3, inOrder: false }
    deepEqual(await claimDeliveries(storage, 'a', { ...options, claim: 'one' }), [second, first, third])
    const later = { ...options, claim: 'two', now: NOON - 1, leaseNow: NOON + 60, until: NOON + 120 }
    deepEqual(await claimDeliveries(storage, 'a', later), [second])
    await storage.transaction((tx) => putDeliveries(tx, [{ ...third, attempts: 5 }]))
    const result = { state: 'done', attempts: 1, nextAt: NOON + 9, log: '["204"]' } as const
    const given = [first, second, third, fourth, delivery('a', 5)]
    await saveAttempts(
      storage,
      given.map((each) => ({ ...each, ...result, claim: 'one' })),
    )
    const settled = [fourth, { ...third, attempts: 5 }, second, { ...first, ...result }]
    deepEqual(await loadDeliveries(storage, { receiver: 'a', limit: 9 }), settled)
    await saveAttempts(storage, [{ ...second, nextAt: NOON + 3, attempts: 1, claim: 'two' }])
    const again = await claimNone(storage, 'a', { now: NOON + 3, leaseNow: NOON + 60, inOrder: false })
    deepEqual(again, [{ ...third, attempts: 5 }, fourth, { ...second, nextAt: NOON + 3, attempts: 1 }])
    await saveAttempts(storage, [])
  }),
  test('deliveries/replayed: those that are done or dead are replayed as if they had never been tried; those that wait stay as they are', async (storage) => {
    await storeDeliveries(storage, [
      delivery('a', 1, { state: 'done', attempts: 1, log: '["204"]' }),
      delivery('a', 2, { state: 'dead', attempts: 10 }),
      delivery('a', 3, { attempts: 4, nextAt: NOON + 5 }),
      delivery('a', 4, { state: 'dead' }),
      delivery('b', 1, { state: 'dead' }),
    ])
    equal(await requeueDeliveries(storage, 'a', [1, 2, 3, 9], NOON + 7), 2)
    deepEqual(await loadDeliveries(storage, { receiver: 'a', limit: 9 }), [
      delivery('a', 4, { state: 'dead' }),
      delivery('a', 3, { attempts: 4, nextAt: NOON + 5 }),
      delivery('a', 2, { nextAt: NOON + 7 }),
      delivery('a', 1, { nextAt: NOON + 7, log: '["204"]' }),
    ])
    deepEqual(await loadDeliveries(storage, { receiver: 'b', limit: 9 }), [delivery('b', 1, { state: 'dead' })])
  }),
  test('deliveries/removed: those that are done or dead are removed when they are old, and all of a receiver that goes', async (storage) => {
    await storeDeliveries(storage, [
      delivery('a', 1, { state: 'done', nextAt: null }),
      delivery('a', 2, { state: 'dead', nextAt: null }),
      delivery('b', 3, { state: 'done', nextAt: null }),
      delivery('a', 4, { state: 'done', nextAt: null, at: NOON + 5 }),
      delivery('a', 5),
      delivery('b', 6),
      delivery('a', 7, { state: 'dead', nextAt: NOON + 5 }),
      delivery('a', 8, { state: 'dead', nextAt: NOON + 4 }),
    ])
    equal(await removeDeliveries(storage, NOON + 5, 2), 2)
    equal(await removeDeliveries(storage, NOON + 5, 2), 2)
    equal(await removeDeliveries(storage, NOON + 5, 2), 0)
    deepEqual(places(await loadDeliveries(storage, { receiver: 'a', limit: 9 })), ['a 7', 'a 5', 'a 4'])
    await storage.transaction((tx) => removeReceiver(tx, 'a'))
    deepEqual(places(await loadDeliveries(storage, { receiver: 'a', limit: 9 })), [])
    deepEqual(places(await loadDeliveries(storage, { receiver: 'b', limit: 9 })), ['b 6'])
  }),
  test('deliveries/without-message: a new delivery of a message that is not there any more is passed over; one that is there goes on', async (storage) => {
    await storeDeliveries(storage, [delivery('a', 1), delivery('a', 2)])
    equal(await removeMessages(storage, 2, NOON + 1, 10), 2)
    const later = delivery('a', 1, { attempts: 2 })
    await storage.transaction((tx) => putDeliveries(tx, [later, delivery('a', 3), delivery('b', 1)]))
    deepEqual(await loadDeliveries(storage, { receiver: 'a', limit: 9 }), [delivery('a', 2), later])
    deepEqual(await loadDeliveries(storage, { receiver: 'b', limit: 9 }), [])
  }),
]
