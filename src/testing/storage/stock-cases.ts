import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { Redemption } from '../../rules/redemption.ts'
import { auditCounters } from '../../sql/audit.ts'
import { loadUser } from '../../sql/read-user.ts'
import { loadRedemptions, type RedemptionFilters } from '../../sql/redemptions.ts'
import { loadTaken, OutOfStock } from '../../sql/stock.ts'
import type { UserKey } from '../../storage/rows.ts'
import { wait } from '../../storage/steps.ts'
import { stockKey } from '../../storage/stock.ts'
import type { Storage } from '../../storage/storage.ts'
import { appendEvents, counts, create, removeOne, type SaveSample, type StorageCase, saveOf, test } from './case.ts'
import { ANN, BOB, eventOf, IN_ACME, NOON } from './samples.ts'

function mug(id: string, changes: Partial<Redemption> = {}): Redemption {
  return {
    ...{ id, reward: 'mug', at: NOON, system: 'coins', amount: 500, isStocked: true, status: 'open', settledAt: null },
    ...changes,
  }
}

/** A save of a redemption that takes one of the stock. */
function taking(id: string, most: number | null): SaveSample {
  return { redemptions: { put: [mug(id)], remove: [] }, stock: [{ reward: 'mug', by: 1, most }] }
}

const COUNTED = { counted: counts(['users', '', 1]) }

const takenOf = async (storage: Storage, tenant = ''): Promise<readonly (readonly [string, number])[]> => [
  ...(await loadTaken(storage, tenant)),
]

async function isShort(promise: Promise<unknown>, left: number, tenant = ''): Promise<void> {
  await rejects(promise, (error) => {
    deepEqual(error instanceof OutOfStock ? [...error.left] : error, [[stockKey(tenant, 'mug'), left]])
    return true
  })
}

const idsOf = async (storage: Storage, { tenant, user }: UserKey): Promise<readonly string[]> =>
  (await loadRedemptions(storage, tenant, { user }, { limit: 10 })).map(({ id }) => id)

export const stockCases: readonly StorageCase[] = [
  test('stock/taken: a stock is taken from by saves of several users, tenant by tenant, and given back', async (storage) => {
    await create(storage, ANN, taking('a', 2))
    await create(storage, BOB, taking('b', 2))
    await create(storage, IN_ACME, taking('c', 1))
    deepEqual(await takenOf(storage), [['mug', 2]])
    deepEqual(await takenOf(storage, 'acme'), [['mug', 1]])
    const cancelled = mug('a', { status: 'cancelled', settledAt: NOON + 1 })
    await appendEvents(storage, [ANN], () => ({
      redemptions: { put: [cancelled], remove: [] },
      stock: [{ reward: 'mug', by: -1, most: null }],
    }))
    deepEqual(await takenOf(storage), [['mug', 1]])
    deepEqual((await loadUser(storage, ANN, { redemptions: {} })).redemptions, [cancelled])
    deepEqual((await loadUser(storage, ANN)).redemptions, [])
  }),
  test('stock/short: a commit that takes more than there is says how many are left, and stores nothing of any user', async (storage) => {
    await create(storage, ANN)
    const both = () => appendEvents(storage, [ANN, BOB], ({ user }) => taking(user, 1))
    await isShort(both(), 1)
    deepEqual(await takenOf(storage), [])
    deepEqual([await idsOf(storage, ANN), await idsOf(storage, BOB)], [[], []])
    equal((await loadUser(storage, ANN)).state?.seq, 1)
    equal((await loadUser(storage, BOB)).state, null)
    await appendEvents(storage, [BOB], ({ user }) => taking(user, 1))
    await isShort(
      appendEvents(storage, [ANN], ({ user }) => taking(user, 1)),
      0,
    )
    // A save that must not be refused, such as that of an import.
    await appendEvents(storage, [ANN], ({ user }) => taking(user, null))
    deepEqual(await takenOf(storage), [['mug', 2]])
    await isShort(
      appendEvents(storage, [ANN], () => taking('again', 1)),
      0,
    )
  }),
  test('stock/none: a stock of 0 is never taken from', async (storage) => {
    await isShort(create(storage, ANN, taking('a', 0)), 0)
    equal((await loadUser(storage, ANN)).state, null)
  }),
  test('stock/transaction: a save in a transaction that takes too much is rejected, and the transaction continues', async (storage) => {
    await create(storage, ANN, taking('a', 1))
    await create(storage, BOB)
    await storage.transaction(function* (tx) {
      yield* wait(tx.lockUser(BOB))
      const bob = yield* wait(loadUser(tx, BOB))
      const save = (sample: SaveSample) => tx.save(BOB, bob, saveOf(bob, { appended: [eventOf(BOB, 2)], ...sample }))
      let short: unknown = null
      try {
        yield* wait(save(taking('b', 1)))
      } catch (error) {
        short = error
      }
      deepEqual(short instanceof OutOfStock ? [...short.left.values()] : short, [0])
      yield* wait(save({}))
    })
    equal((await loadUser(storage, BOB)).state?.seq, 2)
    deepEqual(await takenOf(storage), [['mug', 1]])
  }),
  test('stock/removed: what a removed user has taken stays taken, without what was cancelled or had no stock', async (storage) => {
    await create(storage, ANN, {
      ...COUNTED,
      redemptions: { put: [mug('a'), mug('b', { status: 'cancelled' }), mug('c', { isStocked: false })], remove: [] },
      stock: [{ reward: 'mug', by: 1, most: 5 }],
    })
    await create(storage, BOB, { ...COUNTED, ...taking('d', 5) })
    await removeOne(storage, ANN)
    deepEqual(await idsOf(storage, ANN), [])
    deepEqual(await takenOf(storage), [['mug', 2]])
    deepEqual(await auditCounters(storage), [])
  }),
  test('stock/audit: a wrong stock is found, and corrected', async (storage) => {
    await create(storage, ANN, { ...COUNTED, redemptions: { put: [mug('a'), mug('b')], remove: [] } })
    await create(storage, IN_ACME, { ...COUNTED, stock: [{ reward: 'mug', by: 3, most: null }] })
    const drift = [
      {
        table: 'reward_stock',
        key: { tenant_id: '', reward: 'mug' },
        stored: null,
        expected: { tenant_id: '', reward: 'mug', taken: 2 },
      },
      {
        table: 'reward_stock',
        key: { tenant_id: 'acme', reward: 'mug' },
        stored: { tenant_id: 'acme', reward: 'mug', taken: 3 },
        expected: { tenant_id: 'acme', reward: 'mug', taken: 0 },
      },
    ]
    deepEqual(await auditCounters(storage), drift)
    deepEqual(await auditCounters(storage, { repair: true }), drift)
    deepEqual(await auditCounters(storage), [])
    deepEqual([await takenOf(storage), await takenOf(storage, 'acme')], [[['mug', 2]], [['mug', 0]]])
  }),
  test('stock/list: redemptions are listed newest first, by user, reward and status, page by page', async (storage) => {
    await create(storage, ANN, {
      redemptions: {
        put: [mug('a'), mug('b', { at: NOON + 1, reward: 'hat' }), mug('c', { at: NOON + 2, status: 'fulfilled' })],
        remove: [],
      },
    })
    await create(storage, BOB, { redemptions: { put: [mug('d')], remove: [] } })
    await create(storage, IN_ACME, { redemptions: { put: [mug('e')], remove: [] } })
    const list = async (filters: RedemptionFilters, page: { readonly limit: number; readonly after?: Redemption }) =>
      (await loadRedemptions(storage, '', filters, page)).map(({ id, user }) => `${id} ${user}`)
    deepEqual(await list({}, { limit: 3 }), ['c ann', 'b ann', 'd bob'])
    deepEqual(await list({}, { limit: 3, after: mug('d') }), ['a ann'])
    deepEqual(await list({ user: 'ann', reward: 'mug' }, { limit: 3 }), ['c ann', 'a ann'])
    deepEqual(await list({ status: 'open' }, { limit: 3 }), ['b ann', 'd bob', 'a ann'])
    deepEqual(await list({ user: 'ann', reward: 'mug', status: 'fulfilled' }, { limit: 3 }), ['c ann'])
  }),
]
