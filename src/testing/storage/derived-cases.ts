import { deepEqual, equal } from 'node:assert/strict'
import { loadLog } from '../../sql/log.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { Award, StreakPeriod } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { column, counts, create, loadOne, rejectsWith, type StorageCase, store, test } from './case.ts'
import { ANN, award, BOB, IN_ACME, movement, NOON, sampleEvent } from './samples.ts'

const awardsOf = async (storage: Storage, system?: string): Promise<readonly Award[]> =>
  (await loadUser(storage, ANN, { awards: system === undefined ? {} : { system } })).awards

const counted = (start: number, length: number): StreakPeriod => ({ start, length, kind: 'counted' })
const idsOf = (awards: readonly Award[]): string[] => column(awards, 'id')

export const derivedCases: readonly StorageCase[] = [
  test('derived/award-order: awards are read newest first: by instant, then by arrival, then by their place in the entry', async (storage) => {
    const put = [
      award('e', { at: NOON + 1, seq: 1 }),
      award('b', { at: NOON, seq: 2, ordinal: 1 }),
      award('a', { at: NOON, seq: 2, ordinal: 0, system: 'karma' }),
      award('d', { at: NOON, seq: 10 }),
      award('f', { at: NOON - 1, seq: 11 }),
    ]
    await create(storage, ANN, { awards: { put } })
    deepEqual(idsOf(await awardsOf(storage)), ['e', 'd', 'b', 'a', 'f'])
    deepEqual(idsOf(await awardsOf(storage, 'xp')), ['e', 'd', 'b', 'f'])
    deepEqual(idsOf(await awardsOf(storage, 'karma')), ['a'])
    deepEqual(idsOf(await awardsOf(storage, 'none')), [])
    deepEqual(idsOf((await loadUser(storage, ANN, { awards: { system: 'xp', limit: 2 } })).awards), ['e', 'd'])
    deepEqual(idsOf((await loadUser(storage, ANN, { awards: { limit: 3 } })).awards), ['e', 'd', 'b'])
    deepEqual((await loadUser(storage, ANN)).awards, [])
  }),
  test('derived/award-replaced: an award that is removed and put is replaced, one removed is gone, and they may change places in one save', async (storage) => {
    const put = [award('a'), award('b', { ordinal: 1 }), award('c', { ordinal: 2 })]
    await create(storage, ANN, { awards: { put } })
    await create(storage, BOB, { awards: { put: [award('a')] } })
    const later = { trigger: 't-9', entryId: 'entry-7', seq: 7, ordinal: 3, awarded: -2.5, total: 0 }
    const moved = [award('e', later), award('b', { ordinal: 2, awarded: 7 }), award('c', { ordinal: 1 }), award('d')]
    await store(storage, ANN, { appended: [sampleEvent(2)], awards: { put: moved, remove: put } })
    deepEqual(await awardsOf(storage), moved)
    const [, replaced] = moved
    const again = award('b', { ordinal: 2, awarded: 3 })
    await store(storage, ANN, { awards: { put: [again], remove: [replaced!] } })
    deepEqual((await awardsOf(storage))[1], again)
    equal((await loadUser(storage, BOB, { awards: {} })).awards.length, 1)
  }),
  test('derived/award-twice: an award that is there already is not put again unless it is removed first: the save is rejected whole', async (storage) => {
    await create(storage, ANN, { awards: { put: [award('a')] } })
    const again = { put: [award('a')], remove: [] }
    await rejectsWith('internal', store(storage, ANN, { appended: [sampleEvent(2)], awards: again }))
    deepEqual(await awardsOf(storage), [award('a')])
    equal((await loadLog(storage, ANN)).length, 1)
  }),
  test('derived/movements: movements are read newest first, replaced, removed, and found by the spend that they belong to', async (storage) => {
    const lots = [
      { expires: 20_513, amount: 7 },
      { expires: null, amount: 3 },
    ]
    const put = [
      movement({ lots, hold: 'hold-1' }),
      movement({
        ordinal: 1,
        kind: 'spent',
        amount: -4,
        balance: 6,
        points: 4,
        spend: 'spend-1',
        reference: 'order 7',
      }),
      movement({ system: 'gems', at: NOON + 1, kind: 'held', spend: 'hold-1', until: NOON + 9 }),
      movement({ at: NOON + 1, seq: 2, kind: 'refunded', spend: 'spend-1', balance: -1 }),
    ]
    await create(storage, ANN, { movements: { put } })
    await create(storage, BOB, { movements: { put: [movement({ spend: 'spend-1' })] } })
    const [earned, spent, held, refunded] = put
    const all = async () => (await loadUser(storage, ANN, { movements: {} })).movements
    deepEqual(await all(), [refunded, held, spent, earned])
    deepEqual((await loadUser(storage, ANN, { movements: { limit: 1 } })).movements, [refunded])
    deepEqual((await loadUser(storage, ANN)).movements, [])
    const spends = ['spend-1', 'unknown', 'hold-1']
    deepEqual((await loadUser(storage, ANN, { spends })).spent, [spent, held, refunded])
    deepEqual((await loadOne(storage, ANN, [], spends)).spent, [spent, held, refunded])
    deepEqual((await loadOne(storage, ANN, [], ['unknown'])).spent, [])
    deepEqual((await loadOne(storage, ANN)).spent, undefined)

    const changed = movement({ lots: [], amount: 9 })
    await store(storage, ANN, { movements: { remove: [earned!, held!], put: [changed] } })
    deepEqual(await all(), [refunded, spent, changed])
    // Also after a save that the storage may have kept the user from.
    deepEqual((await loadOne(storage, ANN, [], ['spend-1'])).spent, [spent, refunded])
  }),
  test('derived/periods: counted periods are read newest first, replaced by their first date, and removed', async (storage) => {
    const put = [-1, 0, 9, 10, 20_513].map((start, index) => counted(start, index + 1))
    await create(storage, ANN, { periods: { put } })
    await create(storage, BOB, { periods: { put: [counted(9, 1)] } })
    // A period need not be removed to be replaced, and may be.
    await store(storage, ANN, { periods: { put: [counted(9, 7), counted(10, 8)], remove: [put[1]!, put[3]!] } })
    const all = [counted(20_513, 5), counted(10, 8), counted(9, 7), counted(-1, 1)]
    deepEqual((await loadUser(storage, ANN, { periods: {} })).periods, all)
    deepEqual((await loadUser(storage, ANN, { periods: { limit: 1 } })).periods, [counted(20_513, 5)])
    deepEqual((await loadUser(storage, ANN)).periods, [])
    deepEqual((await loadUser(storage, BOB, { periods: {} })).periods, [counted(9, 1)])
  }),
  test('derived/named-periods: periods of the named streaks are apart from those of the other, read newest first by their key, and removed', async (storage) => {
    const put = ['gym', 'a "b", c', '__proto__'].flatMap((streak) =>
      [-1, 9, 20_513].map((start, index) => ({ start, length: index + 1, kind: 'frozen' as const, streak })),
    )
    const plain = counted(9, 5)
    await create(storage, ANN, { periods: { put: [plain, ...put] } })
    const change = { start: 9, length: 7, kind: 'paused' as const, streak: 'gym' }
    await store(storage, ANN, { periods: { put: [change], remove: [put[0]!] } })
    const periodsOf = async (streak: string | null, limit?: number): Promise<readonly StreakPeriod[]> =>
      (await loadUser(storage, ANN, { periods: limit === undefined ? { streak } : { streak, limit } })).periods
    deepEqual(await periodsOf('gym'), [put[2], change])
    deepEqual(await periodsOf('gym', 1), [put[2]])
    deepEqual(await periodsOf('a "b", c'), [put[5], put[4], put[3]])
    deepEqual(await periodsOf('nothing'), [])
    deepEqual(await periodsOf(null), [plain])
    equal((await loadUser(storage, ANN, { periods: {} })).periods.length, 9)
  }),
  test('derived/counters: counters add up over users and saves, tenant by tenant', async (storage) => {
    const level = JSON.stringify(['xp', 'bronze'])
    await create(storage, ANN, {
      counted: counts(
        ['users', '', 1],
        ['completions', 'novelist', 1],
        ['completions', 'Novelist', 1],
        ['level', level, 1],
      ),
    })
    await create(storage, BOB, {
      counted: counts(['users', '', 1], ['completions', 'novelist', 2], ['level', level, -1]),
    })
    await create(storage, IN_ACME, { counted: counts(['users', '', 5]) })

    const texts = (await loadCounters(storage, '')).map(({ kind, key, count }) => `${kind} ${key} ${count}`)
    deepEqual(new Set(texts), new Set(['users  2', 'completions novelist 3', 'completions Novelist 1']))
    deepEqual(await loadCounters(storage, 'acme'), [{ kind: 'users', key: '', count: 5 }])
    deepEqual(await loadCounters(storage, 'other'), [])
  }),
]
