import { deepEqual, equal } from 'node:assert/strict'
import { NO_STREAK } from '../../../src/rules/state.ts'
import { loadRowOwners } from '../../../src/sql/audit.ts'
import { loadAwardValues, loadSystemValues } from '../../../src/sql/awards.ts'
import {
  type HeldLine,
  type HeldLinesOptions,
  loadEventsBy,
  loadEventValues,
  loadHeldEvents,
  loadLog,
  loadMetricValues,
  type WrittenEvent,
} from '../../../src/sql/log.ts'
import { type CompletionLine, loadCompletions } from '../../../src/sql/overview.ts'
import {
  loadLongestStreaks,
  loadPointsTotals,
  loadUserKeys,
  type ReadUser,
  type UserPointsTotal,
} from '../../../src/sql/user-lists.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { appendEvents, column, pages, range, type StorageCase, store, test } from '../../../src/testing/storage/case.ts'
import { ANN, award, BOB, eventOf, IN_ACME, NOON, ORDERED, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { held } from '../../../src/testing/storage/transaction-cases.ts'

const KEYS = ['', 'Z', 'a', '\uff5e', '😀'].flatMap((tenant) => ORDERED.map((user) => ({ tenant, user })))

/** The first six users of a tenant have a longer streak and an earlier completion. Every third user has no points. */
function stateOf(index: number) {
  const length = index < 6 ? 5 : 4
  return {
    streak: { ...NO_STREAK, length, longest: length },
    completions: new Map([['novelist', { at: index < 6 ? NOON : NOON + 1, entryId: 'entry-1', count: 1 }]]),
    points: new Map(index % 3 === 0 ? [] : [['xp', { total: index, level: null }]]),
  }
}

const heldIdsOf = async (storage: Storage, tenant: string, options?: HeldLinesOptions): Promise<readonly string[]> =>
  (await loadHeldEvents(storage, tenant, options)).map(({ event: { id } }) => id)

export const pageCases: readonly StorageCase[] = [
  test('pages/order: users come in order of the bytes of tenant and id, page by page', async (storage) => {
    for (const key of KEYS.toReversed()) {
      const id = `${key.user}-2`
      const appended = [eventOf(key, 1, { by: 'key-1' }), eventOf(key, 2, { id, voidedBy: id })]
      await store(storage, key, { appended, state: stateOf(ORDERED.indexOf(key.user)) })
    }
    for (const list of [loadUserKeys, loadRowOwners]) {
      deepEqual(await list(storage), KEYS)
      const found = await pages<UserKey>((place) => list(storage, { ...place, limit: 7 }))
      deepEqual([found.length, found.flat()], [9, KEYS])
      // A user who is not there has a place in the order too.
      deepEqual(await list(storage, { after: { tenant: 'b', user: 'x' }, limit: 1 }), [KEYS[36]])
    }
    const usersOf = (found: readonly (readonly { readonly user: string }[])[]) => column(found.flat(), 'user')
    const completions = await pages<CompletionLine>((place) =>
      loadCompletions(storage, '', 'novelist', { ...place, limit: 5 }),
    )
    deepEqual(usersOf(completions), ORDERED.toReversed())
    const written = await pages<WrittenEvent>((place) => loadEventsBy(storage, '', 'key-1', { ...place, limit: 5 }))
    deepEqual(usersOf(written), ORDERED)
    const held = await pages<HeldLine>(({ after }) =>
      loadHeldEvents(storage, '', { limit: 5, ...(after && { after: { ...after.event, user: after.user } }) }),
    )
    deepEqual(usersOf(held), ORDERED)
    for (const by of ['length', 'longest'] as const) {
      const streaks = await pages<ReadUser>(({ after }) => {
        const place = after && { after: { user: after.user, length: after.state.streak[by] } }
        return loadLongestStreaks(storage, '', by, { limit: 5, ...place })
      })
      deepEqual(usersOf(streaks), ORDERED)
    }
    const totals = await pages<UserPointsTotal>(({ after }) =>
      loadPointsTotals(storage, '', 'xp', { limit: 5, ...(after && { after: after.user }) }),
    )
    const expected = ORDERED.map((user, index) => ({ user, total: index % 3 === 0 ? 0 : index, attributes: new Map() }))
    deepEqual(totals.flat(), expected)
    deepEqual(await loadPointsTotals(storage, '', 'xp', { after: 'b', limit: 1 }), [expected[4]])
    deepEqual(await loadPointsTotals(storage, '', 'xp', { after: '😀' }), [])
  }),
  test('pages/limit: without a limit a page has a thousand rows', async (storage) => {
    const numbers = range(1_001)
    const line = { at: NOON + 1_000, seq: 1_000 }
    const given = { user: 'ann', system: 'xp', at: NOON + 1, seq: 1, ordinal: 999 }
    await store(storage, ANN, {
      appended: numbers.map((seq) => sampleEvent(seq, { by: 'key-1' })),
      awards: { put: numbers.map((n) => award(`award-${n}`, { at: NOON + 1, ordinal: n - 1 })) },
    })
    const users = numbers.map((n) => ({ tenant: '', user: `user-${String(n).padStart(4, '0')}` }))
    await appendEvents(storage, users, () => ({ state: stateOf(1) }))

    equal((await loadLog(storage, ANN)).length, 1_000)
    deepEqual(column(await loadLog(storage, ANN, { after: line }), 'seq'), [1_001])
    equal((await loadEventsBy(storage, '', 'key-1')).length, 1_000)
    const awards = await loadAwardValues(storage, '')
    deepEqual([awards.values.length, awards.last], [1_000, given])
    equal((await loadAwardValues(storage, '', { after: given })).values.length, 1)
    equal((await loadSystemValues(storage, ANN, 'xp')).length, 1_000)
    equal((await loadSystemValues(storage, ANN, 'xp', { after: given })).length, 1)
    equal((await loadMetricValues(storage, ANN, 'words')).length, 1_000)
    const { values, last } = await loadEventValues(storage, '')
    deepEqual([values.length, last], [1_000, { user: 'ann', ...line }])
    const streaks = await loadLongestStreaks(storage, '', 'length')
    deepEqual([streaks.length, streaks.at(-1)?.user], [1_000, 'user-1000'])
    const totals = await loadPointsTotals(storage, '', 'xp')
    deepEqual([totals.length, totals.at(-1)?.user], [1_000, 'user-0999'])
    deepEqual(column(await loadPointsTotals(storage, '', 'xp', { after: 'user-0999' }), 'user'), [
      'user-1000',
      'user-1001',
    ])
  }),
  test('held/pages: events that are held back are listed by user and place, page by page, in their tenant only', async (storage) => {
    await store(storage, BOB, { appended: [held(BOB, 1, 9_000), eventOf(BOB, 2), held(BOB, 3, 8_000)] })
    await store(storage, ANN, { appended: [eventOf(ANN, 1), held(ANN, 2)] })
    await store(storage, IN_ACME, { appended: [held(IN_ACME, 1)] })
    deepEqual(await heldIdsOf(storage, ''), ['ann-2', 'bob-3', 'bob-1'])
    deepEqual(await heldIdsOf(storage, 'acme'), ['ann-1'])
    deepEqual(await heldIdsOf(storage, 'nobody'), [])
    deepEqual(await heldIdsOf(storage, '', { limit: 2 }), ['ann-2', 'bob-3'])
    const after = { user: 'bob', at: 8_000, seq: 3 }
    deepEqual(await heldIdsOf(storage, '', { after }), ['bob-1'])
    deepEqual(await heldIdsOf(storage, '', { user: 'bob' }), ['bob-3', 'bob-1'])
    deepEqual(await heldIdsOf(storage, '', { user: 'bob', after }), ['bob-1'])
    deepEqual(await heldIdsOf(storage, '', { user: 'ann', limit: 1 }), ['ann-2'])
    deepEqual(await heldIdsOf(storage, '', { user: 'bo' }), [])
  }),
]
