import { deepEqual } from 'node:assert/strict'
import type { PointsTotal } from '../../storage/storage.ts'
import { column, pages, readState, type StorageCase, saveOf, store, test } from './case.ts'
import { ANN, BOB, event, eventOf, NAMES, ORDERED } from './samples.ts'

const NONE: ReadonlyMap<string, string> = new Map()

const withPoints = (totals: Readonly<Record<string, number>>) => ({
  points: new Map(Object.entries(totals).map(([system, total]) => [system, { total, level: null }])),
})

export const pointsTotalCases: readonly StorageCase[] = [
  test('points-total/all-users: every user of the tenant is there with its total in the one system, 0 without any', async (storage) => {
    await store(storage, BOB, { appended: [eventOf(BOB, 1)], state: withPoints({ xp: 12.5, karma: 3 }) })
    await store(storage, ANN, { appended: [event(1)], state: withPoints({ karma: 7 }) })
    const eve = { tenant: '', user: 'eve' }
    await store(storage, eve, { appended: [eventOf(eve, 1)], state: withPoints({ xp: 9_007_199_254_740_991 }) })
    await store(storage, { tenant: '', user: 'dan' }, { appended: [event(1, { id: 'of-dan' })] })
    const inAcme = { tenant: 'acme', user: 'ann' }
    await store(storage, inAcme, { appended: [event(1)], state: withPoints({ xp: 99 }) })

    deepEqual(await storage.pointsTotals('', 'xp'), [
      { user: 'ann', total: 0, attributes: NONE },
      { user: 'bob', total: 12.5, attributes: NONE },
      { user: 'dan', total: 0, attributes: NONE },
      { user: 'eve', total: 9_007_199_254_740_991, attributes: NONE },
    ])
    deepEqual(column(await storage.pointsTotals('', 'karma'), 'total'), [7, 3, 0, 0])
    deepEqual(column(await storage.pointsTotals('', 'none'), 'total'), [0, 0, 0, 0])
    deepEqual(await storage.pointsTotals('acme', 'xp'), [{ user: 'ann', total: 99, attributes: NONE }])
    deepEqual(await storage.pointsTotals('other', 'xp'), [])
  }),
  test('points-total/newest: a points total is that of the newest save, and comes with the attributes of the profile', async (storage) => {
    const attributes = new Map(NAMES.map((name) => [name, `${name} value`]))
    await store(storage, ANN, { appended: [event(1)], state: withPoints({ xp: 5 }) })
    const { profile } = await readState(storage, ANN)
    await store(storage, ANN, { state: { ...withPoints({ xp: 8 }), profile: { ...profile, attributes } } })
    deepEqual(await storage.pointsTotals('', 'xp'), [{ user: 'ann', total: 8, attributes }])
    await store(storage, ANN, { state: { points: new Map() } })
    deepEqual(await storage.pointsTotals('', 'xp'), [{ user: 'ann', total: 0, attributes }])
  }),
  test('points-total/pages: points totals come page by page in order of the bytes of the user, with users that have no points', async (storage) => {
    const expected = ORDERED.map((user, index) => ({ user, total: index % 3 === 0 ? 0 : index, attributes: NONE }))
    for (const { user, total } of expected.toReversed()) {
      const state = total === 0 ? {} : withPoints({ xp: total, karma: 1_000 })
      await store(storage, { tenant: '', user }, { appended: [eventOf({ user }, 1)], state })
      await store(storage, { tenant: 'a', user }, { appended: [eventOf({ user }, 1)] })
    }
    deepEqual(await storage.pointsTotals('', 'xp'), expected)

    const found = await pages<PointsTotal>(({ after }) =>
      storage.pointsTotals('', 'xp', { ...(after && { after: after.user }), limit: 5 }),
    )
    deepEqual([column(found, 'length'), found.flat()], [[5, 5, 2], expected])
    // A user that is not there has its place in the order, too.
    deepEqual(await storage.pointsTotals('', 'xp', { after: 'b', limit: 1 }), [expected[4]])
    deepEqual(await storage.pointsTotals('', 'xp', { after: '😀' }), [])
  }),
  test('points-total/page-limit: a page of points totals has a thousand users unless it is told otherwise', async (storage) => {
    const names = Array.from({ length: 1_002 }, (_, index) => `user-${String(index).padStart(4, '0')}`)
    await storage.commit(
      names.map((user) => ({ tenant: '', user, lookups: [] })),
      (users) => users.map((user) => saveOf(user, { appended: [eventOf(user, 1)] })),
    )
    const totals = await storage.pointsTotals('', 'xp')
    deepEqual([totals.length, totals.at(-1)?.user], [1_000, 'user-0999'])
    const rest = await storage.pointsTotals('', 'xp', { after: 'user-0999' })
    deepEqual(column(rest, 'user'), ['user-1000', 'user-1001'])
  }),
]
