import { deepEqual, equal } from 'node:assert/strict'
import type { Entry, EntryBase, EntryBody } from '../../rules/entry.ts'
import { usedKeyOf } from '../../sql/entry-rows.ts'
import { findEntries, loadEvents, loadEventValues, loadLog } from '../../sql/log.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { StorageCase } from './case.ts'
import { appendEvents, column, create, loadOne, pages, rejectsWhole, requestFor, saveOf, store, test } from './case.ts'
import { ANN, BOB, eventOf, IN_ACME, mapOf, NOON, sampleEvent, withBody } from './samples.ts'

const BODIES: readonly EntryBody[] = [
  { kind: 'userUpserted' },
  { kind: 'eventRecorded', metric: 'words', value: -2.5, attributes: new Map(), idempotencyKey: null },
  {
    kind: 'eventRecorded',
    metric: 'pages',
    value: 0,
    attributes: mapOf({ '2': 'two', source: 'web', empty: '' }),
    idempotencyKey: 'key-1',
  },
  { kind: 'achievementClaimed', achievement: 'finish-onboarding' },
  { kind: 'achievementClaimed', achievement: 'tour', idempotencyKey: 'key-1' },
  { kind: 'pointsAdjusted', system: 'xp', amount: -50, reason: 'Counted twice' },
  { kind: 'pointsAdjusted', system: 'xp', amount: 50, reason: null, idempotencyKey: 'key-1' },
  { kind: 'pointsAdjusted', system: 'coins', amount: -1, reason: null, fromEarned: true },
  { kind: 'pointsSpent', system: 'coins', amount: 40 },
  { kind: 'pointsSpent', system: 'coins', amount: 40, reference: 'order 7', idempotencyKey: 'key-1' },
  { kind: 'pointsHeld', system: 'coins', amount: 40, until: 1_772_452_800_000 },
  { kind: 'pointsHeld', system: 'coins', amount: 40, until: 0, reference: '', idempotencyKey: 'key-1' },
  { kind: 'holdCaptured', hold: 'entry-1' },
  { kind: 'holdCaptured', hold: 'entry-1', amount: 1, idempotencyKey: 'key-1' },
  { kind: 'holdReleased', hold: 'entry-1' },
  { kind: 'pointsRefunded', spend: 'entry-1', amount: 40 },
  { kind: 'pointsRefunded', spend: 'entry-1', amount: 1, idempotencyKey: 'key-1' },
  {
    kind: 'rewardRedeemed',
    reward: 'mug',
    system: 'coins',
    amount: 500,
    gives: { achievement: null, freezes: 0, boost: null },
    stocked: true,
  },
  {
    kind: 'rewardRedeemed',
    reward: 'freeze',
    system: 'coins',
    amount: 50,
    gives: {
      achievement: 'tour',
      freezes: 1,
      boost: { system: 'xp', name: 'Double', multiplier: 2, rounding: 'down', days: 3 },
    },
    idempotencyKey: 'key-1',
  },
  {
    kind: 'redemptionFulfilled',
    redemption: 'entry-1',
    redeemed: { reward: 'mug', system: 'coins', amount: 500, at: 0 },
  },
  {
    kind: 'redemptionCancelled',
    redemption: 'entry-2',
    redeemed: { reward: 'mug', system: 'coins', amount: 500, at: 0, stocked: true },
  },
  { kind: 'achievementGranted', achievement: 'tour', reason: 'Lost words' },
  { kind: 'achievementRevoked', achievement: 'tour', reason: null },
  { kind: 'completionKept', achievement: 'novelist' },
  { kind: 'completionKept', achievement: 'novelist', count: 3 },
  { kind: 'eventApproved', event: 'entry-1' },
  { kind: 'preferencesChanged', notifications: new Map() },
  { kind: 'preferencesChanged', notifications: new Map(), leaderboards: null },
  { kind: 'preferencesChanged', notifications: new Map(), leaderboards: 'anonymous', gamification: 'off' },
  { kind: 'preferencesChanged', notifications: new Map([['recap', null]]), streak: null },
  {
    kind: 'preferencesChanged',
    notifications: new Map([
      ['recap', ['email', 'push']],
      ['reactivation', []],
    ]),
    streak: { evaluationMode: 'OR', on: ['sat'], metrics: mapOf({ words: 0.5, pages: null }) },
  },
]

/** Before 1970 and after 2038 too. */
const DATINGS: readonly EntryBase['dating'][] = [
  { zone: 'UTC', date: 0, time: 0 },
  { zone: 'America/New_York', date: -1, time: 68_400_000 },
  { zone: 'Pacific/Kiritimati', date: 24_856, time: 1 },
  { zone: 'Europe/London', date: 19_782, time: 3_600_000 },
]

/** Absent, null and empty members stay apart. */
const PROFILES: readonly EntryBase['profile'][] = [
  null,
  {},
  { email: null, name: null, tz: null, deviceTokens: null, signUpDate: null },
  { attributes: new Map() },
  {
    email: 'ann@example.com',
    name: '',
    tz: 'Asia/Kathmandu',
    subscribedToEmails: false,
    deviceTokens: ['a', 'b'],
    signUpDate: 18_000,
    attributes: new Map([['plan', 'pro']]),
  },
  { deviceTokens: [], subscribedToEmails: true },
]

const base = (seq: number): EntryBase => ({
  id: `entry-${seq}`,
  seq,
  at: NOON + seq,
  recordedAt: NOON + 60_000,
  epoch: 2,
  dating: { zone: 'Pacific/Apia', date: -1, time: 86_399_999 },
  profile: null,
})

const places = (log: readonly Entry[]): number[] => column(log, 'seq')

export const logCases: readonly StorageCase[] = [
  test('log/kept: an entry comes back as it was stored, of every kind, with every profile and on every date', async (storage) => {
    const profiles = PROFILES.map((profile) => ({ profile, kind: 'userUpserted' as const }))
    const datings = DATINGS.map((dating) => ({ dating, kind: 'userUpserted' as const }))
    const entries = [...BODIES, ...profiles, ...datings].map((line, index): Entry => ({ ...base(index + 1), ...line }))
    await store(storage, ANN, { appended: entries })
    deepEqual(await loadLog(storage, ANN), entries)
  }),
  test('log/order: the log is in order of instant, then of arrival, and is read on from any place in it', async (storage) => {
    await store(storage, ANN, { appended: [1, 2, 3].map((seq) => sampleEvent(seq, { at: NOON })) })
    await store(storage, ANN, { appended: [sampleEvent(4, { at: NOON - 1 }), sampleEvent(5, { at: NOON })] })
    await store(storage, ANN, { appended: [sampleEvent(6, { at: 0 }), sampleEvent(7, { at: NOON + 9 })] })
    deepEqual(places(await loadLog(storage, ANN)), [6, 4, 1, 2, 3, 5, 7])
    deepEqual(places(await loadLog(storage, ANN, { limit: 2 })), [6, 4])
    deepEqual(places(await loadLog(storage, ANN, { limit: 2, after: { at: NOON, seq: 2 } })), [3, 5])
    deepEqual(places(await loadLog(storage, ANN, { limit: 2, after: { at: NOON, seq: 5 } })), [7])
    // No line need be at the place.
    deepEqual(places(await loadLog(storage, ANN, { after: { at: NOON - 2, seq: 0 } })), [4, 1, 2, 3, 5, 7])
    deepEqual(places(await loadLog(storage, ANN, { after: { at: NOON + 9, seq: 7 } })), [])
  }),
  test('log/chunk-bytes: a chunk ends sooner where lines are long, and an empty one is the end', async (storage) => {
    const long = (seq: number): Entry => ({
      ...base(seq),
      profile: { deviceTokens: Array.from({ length: 100 }, (_, index) => `${seq} ${index}`.padEnd(1_000, 'x')) },
      kind: 'userUpserted',
    })
    const huge: Entry = { ...long(9), profile: { name: 'é'.repeat(1_000_000) } }
    const entries = [1, 2, 3, 4, 5, 6, 7, 8]
      .map((seq) => (seq === 7 ? sampleEvent(seq) : long(seq)))
      .concat(huge, sampleEvent(10))
    await store(storage, ANN, { appended: entries })
    const chunks = await pages<Entry>((place) => loadLog(storage, ANN, place))
    deepEqual(chunks.map(places), [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]])
    deepEqual(chunks.flat(), entries)
    deepEqual((await loadLog(storage, ANN, { limit: 2 })).length, 2)
  }),
  test('log/events: events are read with their attributes, without what is void, and a chunk of them ends where those are long', async (storage) => {
    const long = new Map([['source', 'é'.repeat(100_000)]])
    const entries: Entry[] = [
      sampleEvent(1, {
        value: 5,
        attributes: new Map([['source', 'web']]),
        dating: { zone: 'UTC', date: -1, time: 0 },
      }),
      { ...base(2), profile: { name: 'x'.repeat(1_000_000) }, kind: 'userUpserted' },
      sampleEvent(3, { metric: 'laps', value: -0.5, profile: { tz: 'Pacific/Apia' } }),
      sampleEvent(4, { value: 7 }),
      sampleEvent(5, { attributes: long }),
      sampleEvent(6, { attributes: long }),
      { ...base(7), kind: 'achievementClaimed', achievement: 'x'.repeat(300_000) },
      sampleEvent(8, { attributes: long }),
      sampleEvent(9, { attributes: new Map([['__proto__', 'web']]) }),
    ]
    await store(storage, ANN, { appended: entries })
    await store(storage, ANN, { updatedEntries: [sampleEvent(4, { value: 7, voidedBy: 'void' })] })
    const place = (seq: number) => ({ at: entries[seq - 1]?.at ?? 0, seq })
    const date = 20_513
    const first = { metric: 'words', date: -1, value: 5, attributes: new Map([['source', 'web']]) }
    const second = { metric: 'laps', date, value: -0.5, attributes: new Map() }
    const huge = { metric: 'words', date, value: 1, attributes: long }
    const sooner = await loadEvents(storage, ANN)
    deepEqual(sooner.events.slice(0, 4), [first, second, huge, huge])
    equal(sooner.events.length < 6, true)
    deepEqual(await loadEvents(storage, ANN, { limit: 1 }), { events: [first], last: place(1) })
    deepEqual(await loadEvents(storage, ANN, { limit: 2, after: place(2) }), { events: [second], last: place(4) })
    const last = { metric: 'words', date, value: 1, attributes: new Map([['__proto__', 'web']]) }
    deepEqual(await loadEvents(storage, ANN, { after: place(8) }), { events: [last], last: place(9) })
    deepEqual(await loadEvents(storage, ANN, { after: place(9) }), { events: [], last: null })
    deepEqual(await loadEvents(storage, { tenant: '', user: 'nobody' }), { events: [], last: null })
  }),
  test('log/updated: an updated entry changes its dating and epoch and nothing else', async (storage) => {
    await store(storage, ANN, { appended: [sampleEvent(1), sampleEvent(2, { idempotencyKey: 'key-1' })] })
    const dating = { zone: 'Asia/Tokyo', date: 20_514, time: 0 }
    const line = sampleEvent(2, { idempotencyKey: 'key-1', dating, epoch: 7 })
    await store(storage, ANN, { updatedEntries: [line], appended: [sampleEvent(3)] })
    deepEqual(await loadLog(storage, ANN), [sampleEvent(1), line, sampleEvent(3)])
  }),
  test('log/updated-unknown: an update of an entry that is not there rejects and stores nothing', async (storage) => {
    await create(storage, ANN)
    const save = { updatedEntries: [sampleEvent(3)], appended: [sampleEvent(2)] }
    await rejectsWhole(storage, [ANN], () => store(storage, ANN, save))
  }),
  test('log/appended-voided: an entry that one save appends and updates may be voided already', async (storage) => {
    const voided = sampleEvent(1, { voidedBy: 'entry-2' })
    await store(storage, ANN, { appended: [voided, sampleEvent(2)], updatedEntries: [voided] })
    deepEqual(await loadLog(storage, ANN), [voided, sampleEvent(2)])
    deepEqual(await loadLog(storage, ANN, { newestFirst: true, limit: 1 }), [sampleEvent(2)])
    deepEqual(await loadLog(storage, ANN, { newestFirst: true, after: { at: sampleEvent(2).at, seq: 2 } }), [voided])
  }),
  test('log/idempotency-key: an event is found by its metric and idempotency key together', async (storage) => {
    await store(storage, ANN, { appended: [sampleEvent(1, { idempotencyKey: 'key-1' }), sampleEvent(2)] })
    const lookups = [
      null,
      { metric: 'words', idempotencyKey: 'key-1' },
      { metric: 'pages', idempotencyKey: 'key-1' },
      { metric: 'words', idempotencyKey: 'KEY-1' },
      { metric: 'words', idempotencyKey: 'unused' },
    ]
    deepEqual((await loadOne(storage, ANN, lookups)).found, [null, 'entry-1', null, null, null])
    deepEqual((await loadUser(storage, ANN, { lookups })).found, [null, 'entry-1', null, null, null])
    deepEqual((await loadUser(storage, BOB, { lookups })).found, [null, null, null, null, null])
  }),
  test('log/new-value: an event is found by the value that it brought, until another line has it', async (storage) => {
    const first = sampleEvent(1, { newValue: 'city=Rome' })
    const known = sampleEvent(2, { newValue: '' })
    await store(storage, ANN, { appended: [first, known, sampleEvent(3, { newValue: 'city=Röm \u{1f3db}' })] })
    const lookups = [
      { metric: 'words', newValue: 'city=Rome' },
      { metric: 'pages', newValue: 'city=Rome' },
      { metric: 'words', newValue: 'city=rome' },
      { metric: 'words', newValue: 'city=Röm \u{1f3db}' },
      { metric: 'words', idempotencyKey: 'city=Rome' },
    ]
    const found = ['entry-1', null, null, 'entry-3', null]
    deepEqual((await loadOne(storage, ANN, lookups)).found, found)
    deepEqual((await loadUser(storage, ANN, { lookups })).found, found)
    deepEqual((await loadUser(storage, BOB, { lookups })).found, [null, null, null, null, null])
    deepEqual(column((await loadEvents(storage, ANN)).events, 'value'), [1, 0, 1])
    deepEqual(column((await loadEventValues(storage, '')).values, 'value'), [1, 0, 1])
    const updatedEntries = [sampleEvent(1, { newValue: '' }), sampleEvent(2, { newValue: 'city=Rome' })]
    await store(storage, ANN, { appended: [sampleEvent(4)], updatedEntries })
    deepEqual((await loadUser(storage, ANN, { lookups })).found, ['entry-2', null, null, 'entry-3', null])
    deepEqual((await loadLog(storage, ANN)).slice(0, 2), updatedEntries)
  }),
  test('log/claim-key: a claim is found by its achievement and idempotency key together, apart from events', async (storage) => {
    const claim = { kind: 'achievementClaimed', achievement: 'tour', idempotencyKey: 'key-1' } as const
    const appended = [sampleEvent(1, { metric: 'tour', idempotencyKey: 'key-1' }), { ...base(2), ...claim }]
    await store(storage, ANN, { appended })
    const lookups = [
      usedKeyOf(claim),
      usedKeyOf({ ...claim, achievement: 'other' }),
      usedKeyOf({ ...claim, idempotencyKey: 'key-2' }),
      { metric: 'tour', idempotencyKey: 'key-1' },
    ]
    deepEqual((await loadUser(storage, ANN, { lookups })).found, ['entry-2', null, null, 'entry-1'])
    deepEqual((await loadOne(storage, ANN, lookups)).found, ['entry-2', null, null, 'entry-1'])
  }),
  test('log/other-users: entries of another user or tenant are not found', async (storage) => {
    await store(storage, ANN, { appended: [sampleEvent(1, { idempotencyKey: 'key-1' })] })
    await store(storage, BOB, { appended: [sampleEvent(1, { id: 'of-bob' })] })
    await store(storage, IN_ACME, { appended: [sampleEvent(1, { id: 'of-stranger' })] })
    const lookups = [{ metric: 'words', idempotencyKey: 'key-1' }]
    const requests = [BOB, IN_ACME, ANN].map((key) => ({ ...key, lookups }))
    await storage.commit(requests, (users) => {
      for (const { tenant, user, found } of users)
        deepEqual(found, [tenant === '' && user === 'ann' ? 'entry-1' : null])
      return users.map(() => null)
    })
  }),
  test('log/key-once: the same idempotency key serves each metric, user and tenant once', async (storage) => {
    const key = { idempotencyKey: 'key-1' }
    await store(storage, ANN, { appended: [sampleEvent(1, key), sampleEvent(2, { ...key, metric: 'pages' })] })
    await store(storage, BOB, { appended: [sampleEvent(1, { ...key, id: 'b' })] })
    await store(storage, IN_ACME, { appended: [sampleEvent(1, { ...key, id: 'c' })] })
    await rejectsWhole(storage, [ANN], () => store(storage, ANN, { appended: [sampleEvent(3, key)] }))
  }),
  test('log/key-given-up: an idempotency key that a line gives up is that of a new line of the same save', async (storage) => {
    await store(storage, ANN, {
      appended: [sampleEvent(1, { idempotencyKey: 'k' }), sampleEvent(2, { idempotencyKey: 'other' })],
    })
    const nameless = sampleEvent(1, { idempotencyKey: null, voidedBy: 'void' })
    await store(storage, ANN, { updatedEntries: [nameless], appended: [sampleEvent(3, { idempotencyKey: 'k' })] })
    const lookups = ['k', 'other'].map((idempotencyKey) => ({ metric: 'words', idempotencyKey }))
    deepEqual((await loadUser(storage, ANN, { lookups })).found, ['entry-3', 'entry-2'])
    deepEqual((await loadLog(storage, ANN))[0], nameless)
    await store(storage, ANN, { updatedEntries: [sampleEvent(3, { idempotencyKey: null })] })
    deepEqual((await loadUser(storage, ANN, { lookups })).found, [null, 'entry-2'])
  }),
  test('log/other-keys-given-up: a claim or an adjustment gives its idempotency key up to a new one of the same save', async (storage) => {
    const claim = { kind: 'achievementClaimed', achievement: 'tour' } as const
    const adjustment = { kind: 'pointsAdjusted', system: 'xp', amount: 50, reason: 'Goodwill' } as const
    const givenUp = [
      [ANN, claim, claim],
      [BOB, adjustment, { ...adjustment, amount: 0 }],
    ] as const
    for (const [key, body, without] of givenUp) {
      const keyed = { ...body, idempotencyKey: 'k' }
      await store(storage, key, { appended: [withBody(eventOf(key, 1), keyed)] })
      const nameless = withBody(eventOf(key, 1), without)
      await store(storage, key, { updatedEntries: [nameless], appended: [withBody(eventOf(key, 2), keyed)] })
      deepEqual((await loadUser(storage, key, { lookups: [usedKeyOf(keyed)] })).found, [`${key.user}-2`])
      deepEqual((await loadLog(storage, key))[0], nameless)
    }
  }),
  test('log/id-once: no two entries of a tenant have one id, be they of one save, commit or user, or not', async (storage) => {
    await create(storage, ANN)
    const twice = sampleEvent(3, { id: 'twice' })
    await rejectsWhole(
      storage,
      [ANN, BOB],
      () => store(storage, ANN, { appended: [sampleEvent(2, { id: 'entry-1', at: NOON + 9 })] }),
      () => store(storage, ANN, { appended: [sampleEvent(2, { id: 'twice' }), twice] }),
      () => store(storage, BOB, { appended: [sampleEvent(1)] }),
      () => appendEvents(storage, [ANN, BOB], () => ({ entry: { id: 'twice' } })),
    )
    await create(storage, IN_ACME)
    deepEqual(column(await loadLog(storage, IN_ACME), 'id'), ['entry-1'])
  }),
  test('log/entry-id: an entry is found by its id with its local date, in its tenant only', async (storage) => {
    const acme = { tenant: 'acme', user: 'carol' }
    const claim = { kind: 'achievementClaimed', achievement: 'novelist' } as const
    await store(storage, ANN, { appended: [sampleEvent(1), { ...base(2), ...claim }] })
    await store(storage, BOB, { appended: [sampleEvent(1, { id: 'of-bob', metric: 'pages' })] })
    await store(storage, acme, { appended: [sampleEvent(1), sampleEvent(2, { id: 'of-acme' })] })
    const found = { at: NOON + 1, seq: 1, date: sampleEvent(1).dating.date, metric: 'words' }
    deepEqual(await findEntries(storage, '', ['entry-1']), [{ ...found, id: 'entry-1', user: 'ann' }])
    deepEqual(await findEntries(storage, '', ['of-bob']), [{ ...found, id: 'of-bob', user: 'bob', metric: 'pages' }])
    deepEqual(await findEntries(storage, 'acme', ['entry-1']), [{ ...found, id: 'entry-1', user: 'carol' }])
    deepEqual(await findEntries(storage, '', ['of-acme', 'ENTRY-1']), [])
    const both = await findEntries(storage, '', ['entry-2', 'entry-1', 'entry-3', 'entry-1'])
    deepEqual(both.map(({ id, date, metric }) => `${id} ${date} ${metric}`).sort(), [
      'entry-1 20513 words',
      'entry-2 -1 null',
    ])
    deepEqual(await findEntries(storage, '', []), [])
  }),
  test('log/seq: a log whose numbers do not go on from the stored ones rejects and stores nothing', async (storage) => {
    await create(storage, ANN)
    await rejectsWhole(
      storage,
      [ANN],
      () => store(storage, ANN, { appended: [sampleEvent(3)] }),
      () => store(storage, ANN, { appended: [sampleEvent(2, { id: 'x' }), sampleEvent(2)] }),
      () => store(storage, ANN, { appended: [sampleEvent(2)], state: { seq: 3 } }),
      () => storage.commit([requestFor(ANN)], () => [saveOf({ state: null }, { appended: [sampleEvent(1)] })]),
    )
  }),
]
