import { deepEqual, equal } from 'node:assert/strict'
import type { Entry } from '../../../src/rules/entry.ts'
import { NO_STREAK } from '../../../src/rules/state.ts'
import { type AwardCursor, loadAwardValues, loadSystemValues } from '../../../src/sql/awards.ts'
import {
  type LoggedValue,
  loadEventsBy,
  loadEventValues,
  loadLog,
  loadMetricValues,
  type WrittenEvent,
} from '../../../src/sql/log.ts'
import { loadLongestStreaks, loadPointsTotals, type StreakLength } from '../../../src/sql/user-lists.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { column, create, readState, type StorageCase, store, test } from '../../../src/testing/storage/case.ts'
import {
  ANN,
  award,
  BOB,
  type EventSample,
  eventOf,
  IN_ACME,
  NAMES,
  NOON,
  ORDERED,
  sampleEvent,
  withBody,
} from '../../../src/testing/storage/samples.ts'

const on = (date: number): EventSample => ({ dating: { zone: 'Pacific/Apia', date, time: 0 } })

const awardOf = (user: string, seq: number, ordinal: number, awarded: number, system = 'xp') =>
  award(`${user}-${seq}-${ordinal}-${system}`, {
    at: NOON + seq,
    seq,
    entryId: `${user}-${seq}`,
    ordinal,
    awarded,
    system,
  })

const toTexts = (values: readonly LoggedValue[]) =>
  values.map(({ user, key, date, value }) => `${user} ${key} ${date}: ${value}`)

const lineOf = (seq: number) => ({ at: NOON + seq, seq })

/** The place of a line of Ann's log, or of an award for it. */
const place = (seq: number) => ({ user: 'ann', ...lineOf(seq) })

async function storeValues(storage: Storage): Promise<void> {
  const profile = { name: 'x'.repeat(100_000) }
  await store(storage, ANN, {
    appended: [
      sampleEvent(1, { ...on(20_454), value: 1.5 }),
      sampleEvent(2, { ...on(-1), value: -0.5, profile: { tz: 'Pacific/Apia' } }),
      sampleEvent(3, { ...on(20_484), value: 8, metric: 'laps' }),
      sampleEvent(4, { ...on(20_456), value: 400 }),
      withBody(sampleEvent(5, { ...on(20_456), profile }), { kind: 'userUpserted' }),
      sampleEvent(6, { ...on(20_520), value: 9 }),
    ],
  })
  await store(storage, ANN, { updatedEntries: [sampleEvent(4, { ...on(20_456), value: 400, voidedBy: 'void' })] })
}

/** Awards for four entries of Ann, in no order. */
async function storeAwards(storage: Storage): Promise<void> {
  const dates = [20_513, 20_513, -1, 20_512]
  const ofFirst = [awardOf('ann', 1, 1, -3), awardOf('ann', 1, 0, 10)]
  const ofThird = [awardOf('ann', 3, 0, 5), awardOf('ann', 3, 1, 99, 'coins')]
  await store(storage, ANN, {
    appended: dates.map((date, index) => eventOf(ANN, index + 1, on(date))),
    awards: { put: [awardOf('ann', 4, 0, 7), ...ofFirst, ...ofThird] },
  })
}

async function readPages(storage: Storage, what: typeof loadEventValues | typeof loadAwardValues, limit: number) {
  const all: LoggedValue[] = []
  for (let after: AwardCursor | null | undefined; after !== null; ) {
    const { values, last } = await what(storage, '', { limit, ...(after === undefined ? {} : { after }) })
    all.push(...values)
    after = last as typeof after
  }
  return toTexts(all)
}

const placed = (user: string, seq: number, at = NOON + seq): WrittenEvent => ({ id: `${user}-${seq}`, user, at, seq })

const by = (key: UserKey, seq: number, changes: Parameters<typeof eventOf>[2] = {}): Entry =>
  eventOf(key, seq, { by: 'key-1', ...changes })

const withStreak = (length: number, longest: number) => ({ streak: { ...NO_STREAK, length, longest } })

const lengthsOf = async (storage: Storage, by: StreakLength) =>
  (await loadLongestStreaks(storage, '', by)).map(({ user, state }) => `${user} ${state.streak[by]}`)

const NONE: ReadonlyMap<string, string> = new Map()

const withPoints = (totals: Readonly<Record<string, number>>) => ({
  points: new Map(Object.entries(totals).map(([system, total]) => [system, { total, level: null }])),
})

export const userValuesCases: readonly StorageCase[] = [
  test('user-values/events: the values of events that count come in order of user and of the log, on their local dates', async (storage) => {
    await store(storage, BOB, { appended: [eventOf(BOB, 1, { ...on(20_454), value: 3 })] })
    await storeValues(storage)
    await store(storage, IN_ACME, { appended: [sampleEvent(1, { ...on(20_454), value: 1e6 })] })
    const { values, last } = await loadEventValues(storage, '')
    const ofAnn = ['ann words 20454: 1.5', 'ann words -1: -0.5', 'ann laps 20484: 8', 'ann words 20520: 9']
    deepEqual(toTexts(values), [...ofAnn, 'bob words 20454: 3'])
    deepEqual(last, { user: 'bob', at: NOON + 1, seq: 1 })
    deepEqual(await loadEventValues(storage, 'nobody'), { values: [], last: null })
    // A line that does not count has a place too.
    deepEqual(await loadEventValues(storage, '', { after: place(3), limit: 1 }), { values: [], last: place(4) })
  }),
  test('user-values/metric: the values of one metric of a user are read without those of others and without what is void', async (storage) => {
    await storeValues(storage)
    const [first, second, third] = [
      { ...lineOf(1), date: 20_454, value: 1.5 },
      { ...lineOf(2), date: -1, value: -0.5 },
      { ...lineOf(6), date: 20_520, value: 9 },
    ]
    deepEqual(await loadMetricValues(storage, ANN, 'words'), [first, second, third])
    deepEqual(await loadMetricValues(storage, ANN, 'words', { limit: 2 }), [first, second])
    deepEqual(await loadMetricValues(storage, ANN, 'words', { after: lineOf(2) }), [third])
    deepEqual(await loadMetricValues(storage, ANN, 'words', { until: NOON + 5 }), [first, second])
    deepEqual(await loadMetricValues(storage, ANN, 'words', { until: NOON + 6 }), [first, second, third])
    deepEqual(await loadMetricValues(storage, BOB, 'words'), [])
  }),
  test('user-values/awards: the values of awards come in order of user, points system and place, on the dates of their entries', async (storage) => {
    await storeAwards(storage)
    const put = [awardOf('bob', 1, 0, 2)]
    await store(storage, BOB, { appended: [eventOf(BOB, 1, on(20_454))], awards: { put } })
    const { values, last } = await loadAwardValues(storage, '')
    const ofXp = ['ann xp 20513: 10', 'ann xp 20513: -3', 'ann xp -1: 5', 'ann xp 20512: 7', 'bob xp 20454: 2']
    deepEqual(toTexts(values), ['ann coins -1: 99', ...ofXp])
    deepEqual(last, { user: 'bob', system: 'xp', at: NOON + 1, seq: 1, ordinal: 0 })
    deepEqual(await loadAwardValues(storage, 'nobody'), { values: [], last: null })
  }),
  test('user-values/system: what the awards of a system gave is read in their order, until they are removed', async (storage) => {
    await storeAwards(storage)
    await create(storage, BOB, { awards: { put: [awardOf('bob', 1, 0, 1_000)] } })
    const values = [
      { ...lineOf(1), ordinal: 0, date: 20_513, value: 10 },
      { ...lineOf(1), ordinal: 1, date: 20_513, value: -3 },
      { ...lineOf(3), ordinal: 0, date: -1, value: 5 },
      { ...lineOf(4), ordinal: 0, date: 20_512, value: 7 },
    ]
    deepEqual(await loadSystemValues(storage, ANN, 'xp'), values)
    deepEqual(await loadSystemValues(storage, ANN, 'xp', { limit: 1 }), values.slice(0, 1))
    const after = { ...lineOf(1), ordinal: 0 }
    deepEqual(await loadSystemValues(storage, ANN, 'xp', { limit: 2, after }), values.slice(1, 3))
    deepEqual(await loadSystemValues(storage, ANN, 'xp', { after: { ...lineOf(4), ordinal: 0 } }), [])
    deepEqual(await loadSystemValues(storage, ANN, 'xp', { until: NOON + 3 }), values.slice(0, 3))
    deepEqual(await loadSystemValues(storage, ANN, 'coins'), [{ ...lineOf(3), ordinal: 1, date: -1, value: 99 }])
    deepEqual(await loadSystemValues(storage, ANN, 'XP'), [])
    deepEqual(await loadSystemValues(storage, IN_ACME, 'xp'), [])

    const updatedEntries = [eventOf(ANN, 1, on(20_511))]
    await store(storage, ANN, { updatedEntries, awards: { remove: [awardOf('ann', 1, 1, -3)] } })
    const dates = column(await loadSystemValues(storage, ANN, 'xp'), 'date')
    deepEqual(dates, [20_511, -1, 20_512])
  }),
  test('user-values/instant: an award is on the date of its own entry, also where others have the same instant', async (storage) => {
    const appended = [1, 2, 3].map((seq) => sampleEvent(seq, { at: NOON, ...on(20_513 + seq) }))
    const put = [1, 2, 3].map((seq) => ({ ...awardOf('ann', seq, 0, seq), at: NOON }))
    await store(storage, ANN, { appended, awards: { put } })
    const own = [1, 2, 3].map((seq) => ({ at: NOON, seq, ordinal: 0, date: 20_513 + seq, value: seq }))
    deepEqual(await loadSystemValues(storage, ANN, 'xp'), own)
    const values = own.map(({ ordinal: _, ...value }) => ({ ...value, user: 'ann', key: 'xp' }))
    deepEqual((await loadAwardValues(storage, '')).values, values)
  }),
  test('user-values/pages: values come page by page in order of the bytes of the user', async (storage) => {
    for (const [index, user] of ORDERED.toReversed().entries()) {
      const appended = [1, 2, 3].map((seq) =>
        eventOf({ user }, seq, { ...on(20_454 + seq), at: NOON, value: index, metric: seq === 2 ? 'laps' : 'words' }),
      )
      const put = [1, 2, 3].map((seq) => ({ ...awardOf(user, seq, 0, index, seq === 2 ? 'coins' : 'xp'), at: NOON }))
      await store(storage, { tenant: '', user }, { appended, awards: { put } })
    }
    for (const what of [loadEventValues, loadAwardValues]) {
      const { values } = await what(storage, '')
      const users = ORDERED.flatMap((user) => [user, user, user])
      deepEqual(column(values, 'user'), users)
      for (const limit of [1, 2, 5, 36, 37]) deepEqual(await readPages(storage, what, limit), toTexts(values))
    }
    deepEqual((await loadEventValues(storage, '', { limit: 4 })).last, { user: 'Z', at: NOON, seq: 1 })
    const place = { user: 'Z', system: 'coins', at: NOON, seq: 2, ordinal: 0 }
    deepEqual((await loadAwardValues(storage, '', { limit: 4 })).last, place)
    // A place behind a user's last line is there too.
    const afterFirst = { user: 'A', at: Number.MAX_SAFE_INTEGER, seq: 0 }
    const [next] = (await loadEventValues(storage, '', { after: afterFirst, limit: 1 })).values
    equal(next?.user, 'Z')
  }),
  test('log/by: an entry comes back with the key that wrote it, or without one, also after an update', async (storage) => {
    const pause = { kind: 'pauseCreated', start: 20_513, end: 20_514 } as const
    const entries = [eventOf(ANN, 1), by(ANN, 2), { ...withBody(eventOf(ANN, 3), pause), by: 'key-2' }]
    await store(storage, ANN, { appended: entries })
    deepEqual(await loadLog(storage, ANN), entries)
    const dating = { zone: 'Asia/Tokyo', date: 20_514, time: 0 }
    const { by: _, ...unsigned } = by(ANN, 2, { dating, voidedBy: 'void' })
    await store(storage, ANN, { updatedEntries: [unsigned as Entry] })
    deepEqual((await loadLog(storage, ANN))[1], by(ANN, 2, { dating, voidedBy: 'void' }))
  }),
  test('log/written-by: the events that count and that one key wrote come in order of user, then of the log; no others do', async (storage) => {
    deepEqual(await loadEventsBy(storage, '', 'key-1'), [])
    const other = { kind: 'userUpserted', by: 'key-1', id: 'ann-7', seq: 7 } as const
    await store(storage, ANN, {
      appended: [
        by(ANN, 1),
        eventOf(ANN, 2),
        by(ANN, 3, { by: 'key-2' }),
        by(ANN, 4, { at: NOON - 9 }),
        by(ANN, 5),
        by(ANN, 6, { by: 'KEY-1' }),
        { ...eventOf(ANN, 7), ...other } as Entry,
      ],
    })
    const held = by(BOB, 2)
    await store(storage, BOB, { appended: [by(BOB, 1), { ...held, voidedBy: held.id } as Entry] })
    await store(storage, IN_ACME, { appended: [by(IN_ACME, 1)] })
    await store(storage, ANN, { updatedEntries: [by(ANN, 5, { voidedBy: 'void' })] })

    const expected = [placed('ann', 4, NOON - 9), placed('ann', 1), placed('bob', 1), placed('bob', 2)]
    deepEqual(await loadEventsBy(storage, '', 'key-1'), expected)
    deepEqual(await loadEventsBy(storage, '', 'key-2'), [placed('ann', 3)])
    deepEqual(await loadEventsBy(storage, 'acme', 'key-1'), [placed('ann', 1)])
    for (const key of ['', 'key', 'key-1 ', 'key-_', '%', 'key-3']) deepEqual(await loadEventsBy(storage, '', key), [])
  }),
  test('longest-streak/order: users are read by the length of their streak, or of the longest ever, without those who have none', async (storage) => {
    const streaks: readonly (readonly [user: string, length: number, longest: number])[] = [
      ['cid', 0, 9],
      ['ann', 3, 3],
      ['bob', 12, 12],
      ['dan', 3, 10],
      ['eve', 0, 0],
    ]
    for (const [user, length, longest] of streaks) {
      const state = withStreak(length, longest)
      await create(storage, { tenant: '', user }, { state })
    }
    await create(storage, IN_ACME, { state: withStreak(99, 99) })
    const byLength = ['bob 12', 'ann 3', 'dan 3']
    const byLongest = ['bob 12', 'dan 10', 'cid 9', 'ann 3']
    deepEqual(await lengthsOf(storage, 'length'), byLength)
    deepEqual(await lengthsOf(storage, 'longest'), byLongest)
    await store(storage, { tenant: '', user: 'bob' }, { state: withStreak(0, 12) })
    deepEqual(await lengthsOf(storage, 'length'), byLength.slice(1))
    deepEqual(await lengthsOf(storage, 'longest'), byLongest)
    deepEqual(await loadLongestStreaks(storage, 'nobody', 'longest'), [])
  }),
  test('longest-streak/state: a holder of a streak comes with all of the state but what has tables of its own', async (storage) => {
    const state = {
      ...withStreak(2, 4),
      freezes: { count: 1, nextEarned: 20_520 },
      pauses: [{ id: 'p-1', start: 20_600, end: 20_610 }],
      totals: new Map([['words', { total: 7, highest: 9 }]]),
      points: new Map([['xp', { total: 5, level: null }]]),
    }
    await create(storage, ANN, { state })
    const { totals, tallies, completions, points, ...rest } = await readState(storage, ANN)
    deepEqual(await loadLongestStreaks(storage, '', 'length'), [{ user: 'ann', state: rest }])
  }),
  test('points-total/all-users: every user of the tenant is there with its total in the one system, 0 without any', async (storage) => {
    await create(storage, BOB, { state: withPoints({ xp: 12.5, karma: 3 }) })
    await create(storage, ANN, { state: withPoints({ karma: 7 }) })
    const eve = { tenant: '', user: 'eve' }
    await create(storage, eve, { state: withPoints({ xp: 9_007_199_254_740_991 }) })
    await store(storage, { tenant: '', user: 'dan' }, { appended: [sampleEvent(1, { id: 'of-dan' })] })
    await create(storage, IN_ACME, { state: withPoints({ xp: 99 }) })

    deepEqual(await loadPointsTotals(storage, '', 'xp'), [
      { user: 'ann', total: 0, attributes: NONE },
      { user: 'bob', total: 12.5, attributes: NONE },
      { user: 'dan', total: 0, attributes: NONE },
      { user: 'eve', total: 9_007_199_254_740_991, attributes: NONE },
    ])
    deepEqual(column(await loadPointsTotals(storage, '', 'karma'), 'total'), [7, 3, 0, 0])
    deepEqual(column(await loadPointsTotals(storage, '', 'none'), 'total'), [0, 0, 0, 0])
    deepEqual(await loadPointsTotals(storage, 'acme', 'xp'), [{ user: 'ann', total: 99, attributes: NONE }])
    deepEqual(await loadPointsTotals(storage, 'other', 'xp'), [])
  }),
  test('points-total/newest: a points total is that of the newest save, and comes with the attributes of the profile', async (storage) => {
    const attributes = new Map(NAMES.map((name) => [name, `${name} value`]))
    await create(storage, ANN, { state: withPoints({ xp: 5 }) })
    const { profile } = await readState(storage, ANN)
    await store(storage, ANN, { state: { ...withPoints({ xp: 8 }), profile: { ...profile, attributes } } })
    deepEqual(await loadPointsTotals(storage, '', 'xp'), [{ user: 'ann', total: 8, attributes }])
    await store(storage, ANN, { state: { points: new Map() } })
    deepEqual(await loadPointsTotals(storage, '', 'xp'), [{ user: 'ann', total: 0, attributes }])
  }),
]
