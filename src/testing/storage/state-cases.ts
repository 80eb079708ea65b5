import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { emptyState, NO_STREAK, type UserState } from '../../rules/state.ts'
import { auditRows, repairRows } from '../../sql/audit.ts'
import { loadLog } from '../../sql/log.ts'
import { loadSnapshot, loadUser } from '../../sql/read-user.ts'
import { RICH, readFacts } from './audit-samples.ts'
import type { StorageCase } from './case.ts'
import { column, create, loadOne, NO_USER, readState, requestFor, saveOf, store, test, tryChange } from './case.ts'
import { ANN, BOB, boost, eventOf, LATEST, mapOf, NOON, sampleEvent, snapshot } from './samples.ts'

/** Differs from the streak of `FULL` in every member. */
const OTHER_STREAK: UserState['streak'] = {
  ...{ length: 5, last: 20_515, kept: 20_516, started: 20_511, longest: 12 },
  ...{ firstAt: NOON - 300_000_001, extendedAt: NOON - 3_600_001, lost: null },
  open: [
    { period: 20_512, sums: new Map([['words', 4]]) },
    { period: 20_513, sums: mapOf({ words: 0.5, pages: -2 }), within: { week: 2_930, newest: NOON } },
  ],
}

/** Differs from the state of a new user in every member but `mergedInto`. */
const FULL: UserState = {
  ...{ ...emptyState(NOON + 1, 3, ANN.user), ...RICH, seq: 1, created: NOON - 2, updated: NOON - 1 },
  suspended: { from: ['leaderboards'], reason: 'a "reason"', since: NOON },
  profile: {
    ...{ email: 'ann@example.com', name: 'Ann', tz: 'Europe/London', subscribedToEmails: true },
    ...{
      deviceTokens: ['phone', 'tablet'],
      signUpDate: -25_567,
      attributes: mapOf({ '9': '', '10': 'ten', plan: 'pro' }),
    },
  },
  preferences: {
    notifications: new Map([
      ['recap', ['email', 'push']],
      ['streak_reminder', []],
    ]),
    streak: {
      ...{ evaluationMode: 'AND', metrics: mapOf({ words: 100, pages: null }) },
      on: ['mon', 'sun'],
    },
    leaderboards: 'anonymous',
    gamification: 'off',
  },
  completions: mapOf({
    novelist: { at: NOON, entryId: 'entry-1', count: 1 },
    week: { at: NOON + 1, entryId: 'entry-1', count: 3 },
  }),
  pauses: [
    { id: 'pause-1', start: 20_514, end: 20_515 },
    { id: 'pause-2', start: 20_600, end: 20_600 },
  ],
  leaderboards: mapOf({
    'all-time': [{ run: '2026-01-01 0f3c5a7e', group: '', value: 7.5, reachedAt: NOON, until: null }],
    weekly: [
      { run: '2026-02-23 11111111', group: '[["plan","pro"]]', value: -2, reachedAt: NOON - 1, until: null },
      { run: '2026-03-02 11111111', group: '[["plan",""]]', value: 0, reachedAt: NOON, until: NOON + 86_400_000 },
    ],
  }),
  dateSums: new Map(['words', '__proto__'].map((metric, index) => [metric, [{ date: 20_512 + index, sum: 0.5 }]])),
  boosts: [boost('boost-1'), { ...boost('boost-2'), system: '__proto__', start: -1, end: 20_519, rounding: 'up' }],
  resets: mapOf({ '': [{ date: 20_513, at: 1_772_452_800_000 }], gym: [{ date: 20_510, at: 1_772_452_800_001 }] }),
  earlierDays: mapOf({
    '': [
      { until: 20_513, on: null, days: null },
      { until: 20_514, on: ['sat', 'sun'], days: null },
    ],
    week: [{ until: 20_500, on: null, days: 3 }],
  }),
  caps: mapOf({
    'trigger-1': [
      { period: -1, sum: 12 },
      { period: 0, sum: 0 },
    ],
    xp: [{ period: 675, sum: 9_007_199_254_740_991 }],
  }),
  activity: {
    dates: [
      { date: 20_510, zone: null },
      { date: 20_513, zone: 'Asia/Kolkata' },
    ],
    completedIn: new Map([['__proto__', { at: NOON - 3, zone: null }]]),
  },
  streaks: new Map([
    ['__proto__', { streak: OTHER_STREAK, freezes: { count: 1, nextEarned: 20_520 } }],
    ['gym', { streak: NO_STREAK, freezes: null }],
  ]),
  redeemed: mapOf({ mug: 2, ['__proto__']: 1 }),
  wallets: new Map([
    ['__proto__', { balance: 0, lots: [], pending: [], holds: [], spent: 0, expired: 0 }],
    [
      'coins',
      {
        ...{ balance: 3, spent: 0, expired: 9_007_199_254_740_991 },
        lots: [
          { expires: 20_544, amount: 1 },
          { expires: null, amount: 2 },
        ],
        pending: [{ available: 20_520, expires: 20_574, amount: 7 }],
        holds: [{ id: 'hold-1', amount: 5, until: NOON, lots: [], reference: 'order 7' }],
      },
    ],
  ]),
  challenges: new Map([
    ['__proto__', { enrolledAt: NOON, windows: [] }],
    [
      'daily',
      {
        enrolledAt: null,
        windows: [
          {
            ...{ start: 20_513, end: 20_513, epoch: 3, picked: ['p20', 'two'], rerolls: 1 },
            quests: [
              {
                ...{ quest: 'p20', startedAt: NOON, met: ['m1'], completedAt: NOON, entryId: 'entry-1' },
                ...{ claimUntil: 20_515, claimedAt: null },
                counts: mapOf({ c1: { total: 0.5, highest: 1 } }),
                sums: mapOf({ c2: [{ date: 20_513, sum: 0.5 }] }),
              },
            ],
          },
        ],
      },
    ],
  ]),
}

const BARE: UserState = { ...emptyState(NOON, 1, ANN.user), seq: 2 }

/**
 * The members of a state that still have their first value, members of its profile, preferences and streak included.
 */
function membersAsAtFirst(state: UserState): readonly string[] {
  const first = emptyState(NOON, 1)
  const same = (left: object, right: object): string[] => {
    const before = new Map(Object.entries(right))
    return Object.entries(left).flatMap(([key, value]) => (isDeepStrictEqual(value, before.get(key)) ? [key] : []))
  }
  const { profile, preferences, streak } = state
  return [
    ...same(state, first),
    ...same(profile, first.profile),
    ...same(preferences, first.preferences),
    ...same(streak, first.streak),
  ]
}

/** As one without types could. */
function clear(map: ReadonlyMap<string, unknown> | undefined): void {
  if (map !== undefined && 'clear' in map && typeof map.clear === 'function') map.clear()
}

export const stateCases: readonly StorageCase[] = [
  test('state/unknown-user: a user that was never stored has no state and version 0', async (storage) => {
    const storedUser = await loadUser(storage, ANN, { awards: {}, periods: {}, leaderboards: {} })
    deepEqual(storedUser, NO_USER)
    deepEqual(await loadLog(storage, ANN), [])
    await storage.commit([{ ...ANN, lookups: [null] }], (users, epoch) => {
      deepEqual(users, [{ ...ANN, state: null, version: 0, found: [null], notices: null }])
      equal(epoch, 0)
      return [null]
    })
  }),
  test('state/members: every member of the state comes back as it was stored', async (storage) => {
    // A storage that never kept a member would still return its first value, so every member differs from that. Only
    // `mergedInto` has cases of its own.
    deepEqual(membersAsAtFirst(FULL), ['mergedInto'])
    await create(storage, ANN, { state: FULL })
    deepEqual(await readState(storage, ANN), FULL)
    deepEqual((await loadOne(storage, ANN)).state, FULL)
  }),
  test('state/empty: null, false and empty members of the state come back as such', async (storage) => {
    const profile = { ...BARE.profile, subscribedToEmails: false, deviceTokens: [], name: '' }
    const state = { ...BARE, seq: 1, profile, streak: { ...NO_STREAK, longest: 2 } }
    await create(storage, ANN, { state })
    deepEqual(await readState(storage, ANN), state)
    await store(storage, BOB, { state: { ...BARE, seq: 1 }, appended: [eventOf(BOB, 1)] })
    deepEqual(await readState(storage, BOB), { ...BARE, seq: 1, user: BOB.user })
  }),
  test('state/removed: what leaves the state is gone: values set to null, keys taken out of maps, a streak that ended', async (storage) => {
    await create(storage, ANN, { state: FULL })
    await store(storage, ANN, { state: BARE, appended: [sampleEvent(2)] })
    deepEqual(await readState(storage, ANN), BARE)
  }),
  test('state/one-member: a change of one member alone is stored, and leaves the others as they were', async (storage) => {
    await store(storage, ANN, { state: BARE, appended: [sampleEvent(1), sampleEvent(2)] })
    let expected: UserState = { ...BARE, at: NOON + 2 }
    const change = async (state: Partial<UserState>): Promise<void> => {
      await store(storage, ANN, { state })
      expected = { ...expected, ...state }
      deepEqual(await readState(storage, ANN), expected)
    }
    await change({ at: NOON + 3 })
    const { user: _user, seq: _, at: __, mergedInto: ___, ...members } = FULL
    for (const [name, value] of Object.entries(members)) await change({ [name]: value })
    for (const [name, value] of Object.entries(OTHER_STREAK)) {
      await change({ streak: { ...expected.streak, [name]: value } })
    }
    await change({ mergedInto: 'bea' })
  }),
  test('state/one-key: one changed key of a map leaves the other keys as they were', async (storage) => {
    await create(storage, ANN, { state: FULL })
    const changes = {
      totals: new Map([...FULL.totals, ['words', { total: 8.5, highest: 9 }]] as const),
      points: new Map([...FULL.points, ['karma', { total: 5, level: 'new' }]] as const),
      completions: new Map([...FULL.completions, ['week', { at: NOON, entryId: 'entry-2', count: 1 }]] as const),
      tallies: new Map([...FULL.tallies, ['77aa', { total: 1, highest: 1 }]] as const),
    }
    await store(storage, ANN, { state: changes, appended: [sampleEvent(2, { at: NOON + 1 })] })
    deepEqual(await readState(storage, ANN), { ...FULL, ...changes, seq: 2 })
  }),
  test('state/equal-object: stores a state that is equal but another object', async (storage) => {
    await create(storage, ANN, { state: FULL })
    await store(storage, ANN, { state: structuredClone(FULL) })
    deepEqual(await readState(storage, ANN), FULL)
  }),
  test('state/numbers: numbers come back to the last bit', async (storage) => {
    const numbers = [1e15, -1e15, 0.1, 123456789.012345, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, 0]
    const totals = new Map(numbers.map((number, index) => [`m${index}`, { total: number, highest: number }]))
    await store(storage, ANN, {
      state: { totals, points: new Map([['xp', { total: 9_007_199_254_740_991, level: null }]]) },
      appended: numbers.map((value, index) => sampleEvent(index + 1, { value })),
    })
    const state = await readState(storage, ANN)
    const stored = [...state.totals].sort().map(([, { total }]) => total)
    deepEqual(stored, numbers)
    deepEqual(state.points.get('xp'), { total: 9_007_199_254_740_991, level: null })
    const values = (await loadLog(storage, ANN)).map((entry) => entry.kind === 'eventRecorded' && entry.value)
    deepEqual(values, numbers)
  }),
  test('state/version: the version changes with every write of the user, and only of this user; decide gets it', async (storage) => {
    const versions: number[] = []
    for (const seq of [1, 2, 3]) {
      const { version } = await loadUser(storage, ANN)
      await storage.commit([requestFor(ANN)], (users) => {
        deepEqual(column(users, 'version'), [version])
        return users.map((user) => saveOf(user, { appended: [sampleEvent(seq)] }))
      })
      versions.push((await loadUser(storage, ANN)).version)
      await store(storage, BOB, { appended: [eventOf(BOB, seq)] })
      equal((await loadUser(storage, ANN)).version, versions.at(-1))
    }
    equal(new Set([0, ...versions]).size, 4)
    await store(storage, ANN, { state: { epoch: 2 } })
    notEqual((await loadUser(storage, ANN)).version, versions.at(-1))
  }),
  test('state/caller: what a caller does to its objects afterwards changes nothing that is stored', async (storage) => {
    const totals = new Map([['words', { total: 1, highest: 1 }]])
    const attributes = new Map([['source', 'web']])
    await store(storage, ANN, { state: { totals }, appended: [sampleEvent(1, { attributes })] })
    tryChange(() => totals.clear())
    tryChange(() => attributes.clear())
    const taken = await readState(storage, ANN)
    tryChange(() => clear(taken.totals))
    const loaded = await loadOne(storage, ANN)
    tryChange(() => clear(loaded.state?.totals))
    deepEqual((await readState(storage, ANN)).totals, new Map([['words', { total: 1, highest: 1 }]]))
    const [line] = await loadLog(storage, ANN)
    deepEqual(line?.kind === 'eventRecorded' && line.attributes, new Map([['source', 'web']]))
  }),
  test('state/before: what decide answers is stored as it was then, though it comes from a state that was loaded before', async (storage) => {
    await create(storage, ANN, { state: FULL })
    const { state } = await loadUser(storage, ANN)
    await storage.commit([requestFor(ANN)], () => [saveOf({ state }, { appended: [sampleEvent(2)] })])
    deepEqual(await readState(storage, ANN), { ...FULL, seq: 2, at: NOON + 2 })
  }),
  test('snapshots/newest: reads the longest snapshot that ends by an instant, as it was put, and only for its user', async (storage) => {
    equal(await loadSnapshot(storage, ANN, LATEST), null)
    const put = [snapshot(10), snapshot(20, { seq: 7, baseline: 3 }), snapshot(30)]
    await create(storage, ANN, { snapshots: { after: null, put } })
    await create(storage, BOB, { snapshots: { after: null, put: [snapshot(25)] } })
    equal(await loadSnapshot(storage, ANN, NOON + 9), null)
    deepEqual(await loadSnapshot(storage, ANN, NOON + 10), snapshot(10))
    deepEqual(await loadSnapshot(storage, ANN, NOON + 29), snapshot(20, { seq: 7, baseline: 3 }))
    deepEqual(await loadSnapshot(storage, ANN, LATEST), snapshot(30))
    deepEqual(await loadSnapshot(storage, BOB, LATEST), snapshot(25))
    equal(await loadSnapshot(storage, { ...ANN, tenant: 'other' }, LATEST), null)
  }),
  test('snapshots/removed-after: snapshots of more lines are removed before others are put, and one that is there is replaced', async (storage) => {
    const put = [snapshot(10), snapshot(20), snapshot(30)]
    await create(storage, ANN, { snapshots: { after: null, put } })
    await create(storage, BOB, { snapshots: { after: null, put } })
    const other = snapshot(20, { state: 'other', at: NOON })
    await store(storage, ANN, { appended: [sampleEvent(2)], snapshots: { after: 10, put: [other] } })
    deepEqual(await loadSnapshot(storage, ANN, LATEST), other)
    await store(storage, ANN, { appended: [sampleEvent(3)], snapshots: { after: 10, put: [] } })
    deepEqual(await loadSnapshot(storage, ANN, LATEST), snapshot(10))
    await store(storage, ANN, {
      appended: [sampleEvent(4)],
      snapshots: { after: null, put: [snapshot(10, { seq: 4 })] },
    })
    deepEqual(await loadSnapshot(storage, ANN, LATEST), snapshot(10, { seq: 4 }))
    await store(storage, ANN, { appended: [sampleEvent(5)], snapshots: { after: 0, put: [] } })
    equal(await loadSnapshot(storage, ANN, LATEST), null)
    deepEqual(await loadSnapshot(storage, BOB, LATEST), snapshot(30))
  }),
  test('snapshots/audit: reports a snapshot that the facts do not have, not one that is missing; a repair stores all', async (storage) => {
    const put = [snapshot(10), snapshot(20), snapshot(40)]
    await create(storage, ANN, { snapshots: { after: null, put } })
    const known = await readFacts(storage, ANN)
    const right = [snapshot(10), snapshot(20), snapshot(30), snapshot(40)]
    const sound = await auditRows(storage, ANN, { ...known, snapshots: right })
    deepEqual([sound.drift, sound.snapshots], [[], 3])

    const facts = { ...known, snapshots: [snapshot(10), snapshot(20, { state: 'other' }), snapshot(30)] }
    const { drift, version } = await auditRows(storage, ANN, facts)
    const shown = drift.map(({ table, key, stored, expected }) => {
      return [table, key.lines, stored?.state ?? null, expected?.state ?? null]
    })
    deepEqual(shown, [
      ['snapshots', 20, snapshot(20).state, 'other'],
      ['snapshots', 40, snapshot(40).state, null],
    ])
    equal(await repairRows(storage, ANN, facts, version), true)
    const mended = await auditRows(storage, ANN, facts)
    deepEqual([mended.drift, mended.snapshots], [[], 3])
    deepEqual(await loadSnapshot(storage, ANN, LATEST), snapshot(30))
  }),
]
