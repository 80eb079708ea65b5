import { deepEqual, equal } from 'node:assert/strict'
import type { Entry } from '../../../src/rules/entry.ts'
import { assignPositions } from '../../../src/sql/messages.ts'
import {
  countEntries,
  countMetricUsers,
  loadActivity,
  loadBacklog,
  loadCompletions,
  loadFirstDays,
  loadLeaderboardGroups,
  loadLeaderboardRuns,
  type StoredActivity,
  type StoredGroup,
} from '../../../src/sql/overview.ts'
import { loadGivenBoosts, loadOwners } from '../../../src/sql/owners.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { column, create, pages, readState, type StorageCase, store, test } from '../../../src/testing/storage/case.ts'
import { enter, RUN, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { message, saveMessages } from '../../../src/testing/storage/outbox-samples.ts'
import {
  ANN,
  award,
  BOB,
  boost,
  eventOf,
  IN_ACME,
  NAMES,
  NOON,
  ORDERED,
  sampleEvent,
  withBody,
} from '../../../src/testing/storage/samples.ts'

const DAY_MS = 86_400_000
const NOTHING: StoredActivity = { events: 0, users: 0, newUsers: 0, completions: 0, points: [] }

async function activityOf(storage: Storage, from: number, before: number, tenant = ''): Promise<StoredActivity> {
  const { points, ...rest } = await loadActivity(storage, tenant, from, before)
  return { ...rest, points: [...points].sort((a, b) => (a.system < b.system ? -1 : 1)) }
}

const completed = (achievements: Readonly<Record<string, number>>, count = 1) => ({
  completions: new Map(Object.entries(achievements).map(([key, at]) => [key, { at, entryId: 'entry-1', count }])),
})

async function complete(storage: Storage, user: string, at: number, achievement = 'novelist'): Promise<void> {
  const state = completed({ [achievement]: at })
  await create(storage, { tenant: '', user }, { state })
}

const LONG = 'x'.repeat(900)
const EVERYTHING = { limit: 1_000, at: NOON, most: 100 }

const groupsOf = async (storage: Storage, options: Partial<typeof EVERYTHING> & { readonly after?: string } = {}) =>
  (await loadLeaderboardGroups(storage, '', 'weekly', RUN, { ...EVERYTHING, ...options })).map(({ group, users }) => [
    group,
    users,
  ])

export const overviewCases: readonly StorageCase[] = [
  test('overview/metric-users: metricUsers counts the users of all tenants who have a total', async (storage) => {
    const totals = (...metrics: readonly string[]) => ({
      state: { totals: new Map(metrics.map((metric) => [metric, { total: 1, highest: 1 }])) },
    })
    await create(storage, ANN, totals('words', 'pages'))
    await create(storage, BOB, totals('words'))
    await create(storage, IN_ACME, totals('words', 'laps'))
    deepEqual(await countMetricUsers(storage, []), [])
    deepEqual(await countMetricUsers(storage, ['words', 'unknown', 'pages']), [
      { metric: 'pages', users: 1 },
      { metric: 'words', users: 3 },
    ])
  }),
  test('overview/first-days: firstDays lists users in order of creation, each with the events of its first days', async (storage) => {
    const line = (user: string, seq: number, date: number, more: Parameters<typeof eventOf>[2] = {}): Entry =>
      eventOf({ user }, seq, { at: date * DAY_MS, dating: { zone: 'UTC', date, time: 0 }, ...more })
    const create = (user: string, date: number, appended: readonly Entry[], tenant = '') =>
      store(storage, { tenant, user }, { appended, state: { created: date * DAY_MS } })
    const voided = line('ann', 4, 102, { voidedBy: 'a-void' })
    const dates = [100, 101, 101, 102, 103, 104]
    const lines = dates.map((date, index) => line('ann', index + 1, date))
    await create('ann', 100, lines.with(3, voided))
    await create('bob', 100, [withBody(line('bob', 1, 100), { kind: 'userUpserted' })])
    await create('cid', 102, [line('cid', 1, 102)])
    await create('dan', 103, [line('dan', 1, 103)])
    await create('eve', 100, [line('eve', 1, 100)], 'acme')
    const range = { from: 100 * DAY_MS, before: 103 * DAY_MS, days: 3 }
    const active = (...dates: readonly (readonly [number, number])[]) =>
      dates.map(([date, events]) => ({ date, events }))
    const ann = { user: 'ann', at: 100 * DAY_MS, created: 100, active: active([100, 1], [101, 2], [103, 1]) }
    const bob = { user: 'bob', at: 100 * DAY_MS, created: 100, active: [] }
    const cid = { user: 'cid', at: 102 * DAY_MS, created: 102, active: active([102, 1]) }
    deepEqual(await loadFirstDays(storage, '', { ...range, limit: 9 }), [ann, bob, cid])
    deepEqual(await loadFirstDays(storage, '', { ...range, limit: 1 }), [ann])
    deepEqual(await loadFirstDays(storage, '', { ...range, after: { at: ann.at, user: 'ann' }, limit: 9 }), [bob, cid])
  }),
  test('overview/activity: activity counts events, their users, completions and points from one instant on and before another', async (storage) => {
    await store(storage, ANN, {
      appended: [sampleEvent(1, { at: 1_000 }), sampleEvent(2, { at: 2_000 }), sampleEvent(3, { at: 2_999 })],
      state: completed({ novelist: 1_000, writer: 2_500 }),
      awards: {
        put: [
          award('a-1', { at: 1_000, seq: 1, awarded: 10 }),
          award('a-2', { at: 2_000, seq: 2, awarded: 2.5 }),
          award('a-3', { at: 2_000, seq: 2, ordinal: 1, system: 'gems', awarded: -1 }),
          award('a-4', { at: 2_999, seq: 3, awarded: 4 }),
        ],
      },
    })
    await store(storage, BOB, {
      appended: [eventOf(BOB, 1, { at: 2_000 }), eventOf(BOB, 2, { at: 3_000 })],
      state: completed({ novelist: 2_000 }, 3),
    })
    await store(storage, IN_ACME, { appended: [sampleEvent(1, { at: 2_000 })], state: completed({ novelist: 2_000 }) })

    const one = { ...NOTHING, events: 1, users: 1, completions: 1 }
    deepEqual(await activityOf(storage, 1_000, 2_000), { ...one, points: [{ system: 'xp', sum: 10 }] })
    const { points, ...three } = await activityOf(storage, 2_000, 3_000)
    deepEqual(three, { events: 3, users: 2, newUsers: 0, completions: 2 })
    const sums = points.map(({ system, sum }) => `${system} ${sum}`)
    deepEqual(sums, ['gems -1', 'xp 6.5'])
    deepEqual(await activityOf(storage, 3_000, 4_000), { ...NOTHING, events: 1, users: 1 })
    deepEqual(await activityOf(storage, 4_000, 5_000), NOTHING)
    deepEqual(await activityOf(storage, 0, 9_000, 'acme'), one)
    deepEqual(await activityOf(storage, 0, 9_000, 'other'), NOTHING)
  }),
  test('overview/activity-what-counts: activity leaves out events that are voided or held back, other lines, and the lines of other names', async (storage) => {
    const upsert = withBody(sampleEvent(2, { at: 2_000, profile: { name: 'Ann' } }), { kind: 'userUpserted' })
    const held = eventOf(ANN, 4, { at: 2_000 })
    await store(storage, ANN, {
      appended: [sampleEvent(1, { at: 2_000 }), upsert, sampleEvent(3, { at: 2_000 }), held],
      updatedEntries: [eventOf(ANN, 4, { at: 2_000, voidedBy: 'ann-4' })],
    })
    deepEqual(await activityOf(storage, 2_000, 3_000), { ...NOTHING, events: 2, users: 1 })
    await store(storage, ANN, { updatedEntries: [sampleEvent(1, { at: 2_000, voidedBy: 'a-void' }), held] })
    // The approved event counts now, and the first event no longer does.
    deepEqual(await activityOf(storage, 2_000, 3_000), { ...NOTHING, events: 2, users: 1 })
    const merged = withBody(eventOf(BOB, 1, { at: 2_000 }), { kind: 'userMerged', into: 'ann' })
    await store(storage, BOB, { appended: [merged] })
    deepEqual(await activityOf(storage, 2_000, 3_000), { ...NOTHING, events: 2, users: 1 })
  }),
  test('overview/new-users: activity counts new users on the local date of the first line of their logs, whose instant is that of their creation', async (storage) => {
    const line = (seq: number, at: number, date: number, user = 'ann'): Entry =>
      eventOf({ user }, seq, { at, dating: { zone: 'Pacific/Kiritimati', date, time: 0 } })
    const newUsers = async (date: number, tenant = ''): Promise<number> =>
      (await loadActivity(storage, tenant, date * DAY_MS, (date + 1) * DAY_MS)).newUsers
    // As a late event leaves it: what came second is the first line.
    const late = 20_500 * DAY_MS - 14 * 3_600_000
    await store(storage, ANN, { appended: [line(1, NOON, 20_513)], state: { created: NOON } })
    equal(await newUsers(20_513), 1)
    await store(storage, ANN, { appended: [line(2, late, 20_500)], state: { created: late } })
    deepEqual([await newUsers(20_513), await newUsers(20_500), await newUsers(20_499)], [0, 1, 0])
    // Behind UTC as far as zones go, and another name of Ann.
    const behind = 20_501 * DAY_MS + 12 * 3_600_000 - 1
    await store(storage, BOB, { appended: [line(1, behind, 20_500, 'bob')], state: { created: behind } })
    const other = { tenant: '', user: 'cid' }
    const merged = withBody(line(1, late, 20_500, 'cid'), { kind: 'userMerged', into: 'ann' })
    await store(storage, other, { appended: [merged], state: { created: late, mergedInto: 'ann' } })
    deepEqual([await newUsers(20_499), await newUsers(20_500), await newUsers(20_501)], [0, 2, 0])
    await store(storage, IN_ACME, { appended: [line(1, NOON, 20_513)], state: { created: NOON } })
    deepEqual([await newUsers(20_513), await newUsers(20_513, 'acme')], [0, 1])
  }),
  test('overview/activity-names: activity tells points systems and achievements apart by their bytes', async (storage) => {
    await create(storage, ANN, {
      state: completed(Object.fromEntries(NAMES.filter((name) => name !== '__proto__').map((name) => [name, NOON]))),
      awards: { put: NAMES.map((system, index) => award(`a-${index}`, { system, awarded: index })) },
    })
    const { completions, points } = await loadActivity(storage, '', NOON, NOON + 1)
    equal(completions, NAMES.length - 1)
    const sums = new Map(points.map(({ system, sum }) => [system, sum]))
    for (const [index, system] of NAMES.entries()) equal(sums.get(system), index)
    equal(points.length, NAMES.length)
  }),
  test('overview/completions: lists who has an achievement, with name and count, by newest completion, then user', async (storage) => {
    await complete(storage, 'ann', NOON)
    await complete(storage, 'bob', NOON + 5)
    await complete(storage, 'eve', NOON)
    await complete(storage, 'cid', NOON + 9, 'writer')
    await create(storage, IN_ACME, { state: completed({ novelist: NOON + 7 }) })
    const { profile } = await readState(storage, ANN)
    await store(storage, ANN, {
      state: { profile: { ...profile, name: 'Ann <b>' }, ...completed({ novelist: NOON + 2 }, 2) },
    })
    deepEqual(await loadCompletions(storage, '', 'novelist'), [
      { user: 'bob', at: NOON + 5, name: null, count: 1 },
      { user: 'ann', at: NOON + 2, name: 'Ann <b>', count: 2 },
      { user: 'eve', at: NOON, name: null, count: 1 },
    ])
    deepEqual(await loadCompletions(storage, 'acme', 'novelist'), [{ user: 'ann', at: NOON + 7, name: null, count: 1 }])
    deepEqual(await loadCompletions(storage, '', 'Novelist'), [])
    await store(storage, BOB, { state: { completions: new Map() } })
    deepEqual(column(await loadCompletions(storage, '', 'novelist'), 'user'), ['ann', 'eve'])
  }),
  test('overview/backlog: what waits is counted in all tenants, no further than asked for, with the first instant', async (storage) => {
    const none = { count: 0, oldest: null }
    deepEqual(await loadBacklog(storage, NOON, 10), { users: none, messages: none })
    await create(storage, ANN, { notices: { until: NOON - 9, due: NOON - 3 } })
    await create(storage, BOB, { notices: { until: NOON - 9, due: NOON } })
    await create(storage, IN_ACME, { notices: { until: NOON - 9, due: NOON + 1 } })
    await saveMessages(storage, ANN, [message(1, { at: NOON - 8 }), message(2, { at: NOON - 7 })])
    const waiting = [message(3, { at: NOON - 9, due: NOON }), message(4, { at: NOON - 10, due: NOON + 1 })]
    await saveMessages(storage, IN_ACME, waiting)
    const users = { count: 2, oldest: NOON - 3 }
    deepEqual(await loadBacklog(storage, NOON, 10), { users, messages: { count: 3, oldest: NOON - 9 } })
    deepEqual(await loadBacklog(storage, NOON + 1, 2), { users, messages: { count: 2, oldest: NOON - 10 } })
    await assignPositions(storage, 10)
    deepEqual((await loadBacklog(storage, NOON, 10)).messages, { count: 1, oldest: NOON - 9 })
  }),
  test('overview/runs: runs of a leaderboard are those with an entry, each once, the highest first and below the given text', async (storage) => {
    const in_ = (run: string, changes = {}) => row(1, { run, ...changes })
    const other = in_('2026-02-01 z', { leaderboard: 'other' })
    await enter(storage, {
      ann: { put: [in_('2026-01-05 a'), in_('2026-01-12 a'), in_('2026-01-19 b'), other] },
      bob: { put: [in_('2026-01-12 a', { group: 'g' }), in_('2026-01-19 b')] },
      eve: { tenant: 'acme', put: [in_('2026-03-01 a')] },
    })
    const runs = ['2026-01-19 b', '2026-01-12 a', '2026-01-05 a']
    deepEqual(await loadLeaderboardRuns(storage, '', 'weekly'), runs)
    deepEqual(await loadLeaderboardRuns(storage, '', 'weekly', { limit: 2 }), runs.slice(0, 2))
    deepEqual(await loadLeaderboardRuns(storage, '', 'weekly', { before: '2026-01-19' }), runs.slice(1))
    deepEqual(await loadLeaderboardRuns(storage, '', 'weekly', { before: '2026-01-19 b', limit: 1 }), ['2026-01-12 a'])
    deepEqual(await loadLeaderboardRuns(storage, '', 'weekly', { before: '2026-01-05 a' }), [])
    deepEqual(await loadLeaderboardRuns(storage, 'acme', 'weekly'), ['2026-03-01 a'])
    deepEqual(await loadLeaderboardRuns(storage, '', 'none'), [])
  }),
  test('overview/groups: groups of a run are counted without who has expired, no further than asked for, and known by their whole text', async (storage) => {
    await enter(storage, {
      ann: { put: [row(1, { group: 'a' }), row(1, { group: 'old', run: '2025-01-01 a' })] },
      bob: { put: [row(2, { group: 'a', until: NOON })] },
      cid: { put: [row(3, { group: LONG, until: NOON + 1 })] },
      dan: { put: [row(3, { group: LONG })] },
      eve: { put: [row(3, { group: LONG })] },
      fay: { tenant: 'acme', put: [row(3, { group: 'b' })] },
    })
    const counted = async (most: number) => Object.fromEntries(await groupsOf(storage, { most }))
    deepEqual(await counted(100), { a: 1, [LONG]: 3 })
    deepEqual(await counted(2), { a: 1, [LONG]: 2 })
    deepEqual(await loadLeaderboardGroups(storage, '', 'weekly', 'none', EVERYTHING), [])
    equal(await countEntries(storage, '', 'weekly', RUN, { at: NOON, most: 100 }), 4)
    equal(await countEntries(storage, '', 'weekly', RUN, { at: NOON + 1, most: 100 }), 3)
    equal(await countEntries(storage, '', 'weekly', RUN, { at: NOON, most: 2 }), 2)
    equal(await countEntries(storage, '', 'weekly', 'none', { at: NOON, most: 2 }), 0)
  }),
  test('overview/groups-pages: groups come page by page in order of the bytes of their places, the empty one first', async (storage) => {
    const groups = ['', ...ORDERED]
    await enter(storage, Object.fromEntries(groups.map((group, index) => [`u-${index}`, { put: [row(1, { group })] }])))
    const found = await pages<StoredGroup>(({ after }) => {
      const options = { ...EVERYTHING, limit: 4, ...(after && { after: after.place }) }
      return loadLeaderboardGroups(storage, '', 'weekly', RUN, options)
    })
    deepEqual(column(found.flat(), 'group'), groups)
  }),
  test('overview/groups-names: keeps groups and leaderboards of any name apart', async (storage) => {
    await enter(storage, {
      ...Object.fromEntries(NAMES.map((group, index) => [`u-${index}`, { put: [row(1, { group })] }])),
      ann: { put: [row(1, { leaderboard: LONG, run: '2026-01-05 a', group: LONG })] },
    })
    deepEqual(new Set((await groupsOf(storage)).map(([group]) => group)), new Set(NAMES))
    deepEqual(await loadLeaderboardRuns(storage, '', LONG), ['2026-01-05 a'])
    const [group] = await loadLeaderboardGroups(storage, '', LONG, '2026-01-05 a', EVERYTHING)
    deepEqual([group?.group, group?.users], [LONG, 1])
    equal(await countEntries(storage, '', LONG, '2026-01-05 a', { at: NOON, most: 9 }), 1)
  }),
  test('derived/boosts: given boosts are found by id and listed by points system, in order of id, until they are gone', async (storage) => {
    await create(storage, ANN, { state: { boosts: [boost('b-3'), boost('b-1')] } })
    const karma = { ...boost('b-4'), system: 'karma' }
    await create(storage, BOB, { state: { boosts: [boost('b-2'), karma] } })
    const first = { id: 'b-1', user: 'ann' }
    const second = { id: 'b-2', user: 'bob' }
    const page = (skip: number, limit: number): Promise<readonly object[]> =>
      loadGivenBoosts(storage, '', { system: 'xp', skip, limit })
    deepEqual(await page(0, 10), [first, second, { id: 'b-3', user: 'ann' }])
    deepEqual(await page(1, 1), [second])
    deepEqual(await page(3, 10), [])
    deepEqual(await loadGivenBoosts(storage, 'acme', { system: 'xp', skip: 0, limit: 10 }), [])
    deepEqual(await loadOwners(storage, '', 'boosts', ['b-2', 'nobody', 'b-2']), [second])
    await store(storage, ANN, { appended: [sampleEvent(2)], state: { boosts: [boost('b-1')] } })
    deepEqual(await page(0, 10), [first, second])
    deepEqual(await loadOwners(storage, '', 'boosts', ['b-3']), [])
  }),
]
