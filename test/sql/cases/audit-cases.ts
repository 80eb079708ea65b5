import { deepEqual, equal } from 'node:assert/strict'
import { emptyState, type UserState } from '../../../src/rules/state.ts'
import { auditCounters, auditRows, loadBlockGroups, repairRows, type UserFacts } from '../../../src/sql/audit.ts'
import { loadCounters } from '../../../src/sql/queries.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { BlockGroup, Drift } from '../../../src/storage/audit.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { LONG, NOTHING, RICH, ROWS, readFacts, storeRich } from '../../../src/testing/storage/audit-samples.ts'
import {
  counts,
  create,
  loadOne,
  pages,
  readAll,
  requestFor,
  type StorageCase,
  saveOf,
  store,
  test,
} from '../../../src/testing/storage/case.ts'
import { enter, idsOf, RUN, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { ANN, award, BOB, IN_ACME, mapOf, NAMES, NOON, sampleEvent } from '../../../src/testing/storage/samples.ts'

async function expectSound(storage: Storage, key: UserKey): Promise<void> {
  deepEqual((await auditRows(storage, key, await readFacts(storage, key))).drift, [])
}

function toLines(drift: readonly Drift[]): readonly string[] {
  return drift.map(({ table, key: { tenant_id: _, user_id: __, ...key }, stored, expected }) => {
    const wrong = stored === null ? 'missing' : expected === null ? 'invented' : 'changed'
    return [table, ...Object.values(key), wrong].join(' ')
  })
}

async function countersOf(storage: Storage, tenant = ''): Promise<unknown> {
  return (await loadCounters(storage, tenant)).map(({ kind, key, count }) => [kind, key, count])
}

/** Differs from the state of `storeRich` in every member, and in every member of its objects. */
const OTHER: UserState = {
  ...{ ...emptyState(NOON + 2, 2), seq: 2, updated: NOON + 3, mergedInto: 'bea' },
  totals: mapOf({ words: { total: 0.1, highest: 13 } }),
  tallies: new Map([['rule-1', { total: 1, highest: 1e15 }]]),
  completions: new Map([['novelist', { at: NOON + 1, entryId: 'entry-1', count: 2 }]]),
  points: mapOf({ xp: { total: 10, level: 'silver' } }),
  freezes: { count: 3, nextEarned: 20_521 },
  suspended: { from: ['leaderboards'], reason: 'a "reason"', since: NOON },
}

/** The state with one member from `OTHER`. If the member is an object, with one member of that object. */
function* variantsOf(state: UserState): Generator<readonly [member: string, state: UserState]> {
  for (const [name, other] of Object.entries(OTHER)) {
    if (!hasMembers(other)) yield [name, { ...state, [name]: other }]
    else {
      const own: unknown = Object.entries(state).find(([member]) => member === name)?.[1]
      for (const [inner, value] of Object.entries(other)) {
        yield [`${name}.${inner}`, { ...state, [name]: { ...(hasMembers(own) ? own : {}), [inner]: value } }]
      }
    }
  }
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !Array.isArray(value)
}

/** The counters of a tenant with this many users in the state of `storeRich`. */
function richCounters(count: number): readonly unknown[] {
  return [
    ['completions', 'novelist', count],
    ['level', '["xp","bronze"]', count],
    ['users', '', count],
  ]
}

export const auditCases: readonly StorageCase[] = [
  test('audit/sound: rows are sound after saves that put, replace and remove', async (storage) => {
    await storeRich(storage, ANN)
    await storeRich(storage, BOB)
    await expectSound(storage, ANN)
    deepEqual(await auditCounters(storage), [])
    deepEqual(await countersOf(storage), richCounters(2))

    await store(storage, ANN, {
      appended: [sampleEvent(2)],
      state: { ...RICH, ...NOTHING, totals: new Map([['words', { total: 3, highest: 3 }]]) },
      awards: { remove: [award('a'), award('b', { ordinal: 1 })], put: [award('b'), award('c', { seq: 2 })] },
      periods: {
        remove: [{ start: -1, length: 2, kind: 'frozen' }],
        put: [
          { start: 20_512, length: 3, kind: 'paused' },
          { start: 0, length: 1, kind: 'counted' },
        ],
      },
      leaderboards: { remove: ROWS, put: [row(8), row(1, { leaderboard: LONG, group: 'short' })] },
      counted: counts(['completions', 'novelist', -1], ['level', '["xp","bronze"]', -1]),
    })
    await expectSound(storage, ANN)
    await expectSound(storage, BOB)
    equal((await auditRows(storage, ANN, null)).lines, 2)
    deepEqual(await auditCounters(storage), [])
    deepEqual(await countersOf(storage), [...richCounters(1).slice(0, 2), ['users', '', 2]])
  }),
  test('audit/names: names of every kind are sound', async (storage) => {
    const state = {
      totals: new Map(NAMES.map((name, index) => [name, { total: index, highest: index }])),
      completions: new Map(NAMES.map((name, index) => [name, { at: index, entryId: name, count: 1 }])),
      points: new Map(NAMES.map((name, index) => [name, { total: index, level: name }])),
    }
    for (const user of NAMES) {
      const counted = counts(
        ['users', '', 1],
        ...NAMES.map((name) => ['completions', name, 1] as const),
        ...NAMES.map((name) => ['level', JSON.stringify([name, name]), 1] as const),
      )
      await store(storage, { tenant: user, user }, { appended: [sampleEvent(1)], state, counted })
      await expectSound(storage, { tenant: user, user })
    }
    deepEqual(await auditCounters(storage), [])
    for (const tenant of NAMES) equal((await loadCounters(storage, tenant)).length, NAMES.length * 2 + 1)
  }),
  test('audit/drift: reports each row that differs, in order of table and key', async (storage) => {
    await storeRich(storage, ANN)
    const facts = await readFacts(storage, ANN)
    const totals = mapOf({ words: { total: 7, highest: 12.5 }, edits: { total: 1, highest: 1 } })
    const [first, second] = facts.awards
    const { drift } = await auditRows(storage, ANN, {
      state: { ...facts.state, ...NOTHING, totals, at: NOON + 9 },
      challenges: [],
      movements: [],
      redemptions: [],
      awards: [first!, { ...second!, awarded: -1 }, award('d', { ordinal: 10 }), award('c', { ordinal: 2 })],
      periods: [{ start: 20_512, length: 1, kind: 'frozen' }],
      leaderboards: facts.leaderboards
        .filter(({ run }) => run === RUN)
        .map((entry) => (entry.leaderboard === LONG ? entry : { ...entry, reachedAt: NOON + 1 })),
    })
    deepEqual(toLines(drift), [
      'users changed',
      'totals edits missing',
      'totals hints invented',
      'totals words changed',
      'tallies rule-1 invented',
      'completions novelist invented',
      'points karma invented',
      'points xp invented',
      `awards xp ${NOON} 1 0 changed`,
      `awards xp ${NOON} 1 2 missing`,
      `awards xp ${NOON} 1 10 missing`,
      `movements coins ${NOON} 1 0 invented`,
      'streak_periods  1969-12-31 invented',
      'streak_periods  2026-02-28 changed',
      'streak_periods gym 2026-02-28 invented',
      'streak_pauses pause-1 invented',
      `leaderboard_entries weekly ${RUN} changed`,
      'leaderboard_entries weekly 2026-01-12 3f2a91c0 invented',
    ])
    const owner = { tenant_id: '', user_id: 'ann' }
    deepEqual(drift[3], {
      table: 'totals',
      key: { ...owner, metric: 'words' },
      stored: { ...owner, metric: 'words', total: 0.1, highest: 12.5 },
      expected: { ...owner, metric: 'words', total: 7, highest: 12.5 },
    })
    deepEqual(drift[1]?.stored, null)
    deepEqual(drift[2]?.expected, null)
  }),
  test('audit/repair: a repaired user is what the facts say, and the next save goes on from there', async (storage) => {
    await storeRich(storage, ANN)
    await storeRich(storage, BOB)
    const [rich, bob] = [await readFacts(storage, ANN), await readAll(storage, BOB)]
    const totals = mapOf({ edits: { total: 1, highest: 2 } })
    const state = { ...rich.state, ...NOTHING, totals, updated: NOON + 5 }
    const facts: UserFacts = {
      state,
      awards: [award('z', { ordinal: 3 })],
      periods: [{ start: 20_512, length: 9, kind: 'frozen' }],
      challenges: [],
      movements: [],
      redemptions: [],
      leaderboards: [row(1_000), row(2, { leaderboard: LONG })],
    }
    const { version } = await auditRows(storage, ANN, facts)
    equal(await repairRows(storage, ANN, facts, version), true)
    deepEqual(await readFacts(storage, ANN), facts)
    const { version: repaired, drift } = await auditRows(storage, ANN, facts)
    deepEqual([repaired === version, drift], [false, []])
    deepEqual(await readAll(storage, BOB), bob)

    equal(await repairRows(storage, ANN, rich, version), false)
    equal(await repairRows(storage, ANN, null, 0), false)
    deepEqual(await readFacts(storage, ANN), facts)

    await storage.commit([requestFor(ANN)], ([user]) => {
      deepEqual(user?.state, state)
      return user === undefined ? [] : [saveOf(user, { appended: [sampleEvent(2)] })]
    })
    deepEqual((await auditRows(storage, ANN, { ...facts, state: { ...state, seq: 2, at: NOON + 2 } })).drift, [])
    deepEqual((await idsOf(storage, {})).slice(0, 1), ['ann'])
  }),
  test('audit/no-log: a user without a log is to have no rows, and one with a log has them again', async (storage) => {
    await storeRich(storage, BOB)
    const theirs = await readFacts(storage, BOB)
    const facts = { ...theirs, state: { ...theirs.state, user: ANN.user } }
    await enter(storage, { ann: { name: 'Ann', put: [row(3)] } })
    const { version, drift } = await auditRows(storage, ANN, null)
    deepEqual(toLines(drift), ['users invented', `leaderboard_entries weekly ${RUN} invented`])
    equal(await repairRows(storage, ANN, null, version), true)
    deepEqual(await auditRows(storage, ANN, null), { version: 0, lines: 0, drift: [], snapshots: 0, notices: null })
    equal((await loadUser(storage, ANN)).state, null)
    equal(await repairRows(storage, ANN, null, 0), true)

    const missing = (await auditRows(storage, ANN, facts)).drift
    equal(missing.length, 18)
    for (const { stored } of missing) equal(stored, null)
    equal(await repairRows(storage, ANN, facts, 1), false)
    equal(await repairRows(storage, ANN, facts, 0), true)
    deepEqual(await readFacts(storage, ANN), facts)
    equal(await repairRows(storage, ANN, facts, 0), false)
    deepEqual((await loadOne(storage, ANN)).state, facts.state)
    await expectSound(storage, BOB)
  }),
  test('audit/counters: reports wrong counters with the right counts, and repairs them', async (storage) => {
    await storeRich(storage, ANN)
    await storeRich(storage, IN_ACME)
    await create(storage, BOB, {
      state: RICH,
      counted: counts(
        ['users', '', 5],
        ['users', 'x', 3],
        ['completions', 'novelist', -1],
        ['completions', 'nothing', 2],
        ['level', '["xp", "bronze"]', 1],
        ['level', '{', 1],
      ),
    })
    const expected = [
      ['', 'completions', 'nothing', 2, null],
      ['', 'completions', 'novelist', null, 2],
      ['', 'level', '["xp", "bronze"]', 1, null],
      ['', 'level', '["xp","bronze"]', 1, 2],
      ['', 'level', '{', 1, null],
      ['', 'users', '', 6, 2],
      ['', 'users', 'x', 3, null],
    ]
    const found = await auditCounters(storage)
    const wrong = found.map(({ key, stored, expected: right }) => {
      return [key.tenant_id, key.kind, key.key, stored?.count ?? null, right?.count ?? null]
    })
    deepEqual(wrong, expected)
    const key = { tenant_id: '', kind: 'users', key: '' }
    deepEqual(found[5], { table: 'counters', key, stored: { ...key, count: 6 }, expected: { ...key, count: 2 } })
    for (let times = 0; times < 2; times += 1) {
      await auditCounters(storage, { repair: true })
      deepEqual(await auditCounters(storage), [])
      deepEqual(await countersOf(storage), richCounters(2))
      deepEqual(await countersOf(storage, 'acme'), richCounters(1))
    }
  }),
  test('audit/blocks: blocks of leaderboards are sound as users come and go, and a repair keeps them so', async (storage) => {
    const users = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `user-${from + index}`)
    const groups = ['', '[["country","es"]]', LONG]
    const rowOf = (index: number) => row(index % 40, { group: groups[index % 4] ?? '', reachedAt: NOON + (index % 3) })
    const unlimited = ['weekly']
    for (let from = 0; from < 900; from += 300) {
      const entered = users(from, from + 300).map((user, index) => [user, { put: [rowOf(from + index)], unlimited }])
      await enter(storage, Object.fromEntries(entered))
    }
    const left = users(0, 300).map((user, index) => [user, { remove: [rowOf(index)], unlimited }])
    await enter(storage, Object.fromEntries(left))
    const page = await idsOf(storage, {})
    equal(page.length, 300)

    const found = await loadBlockGroups(storage)
    for (const group of found) {
      deepEqual(await storage.auditBlocks(group), [])
      await storage.auditBlocks(group, { repair: true })
      deepEqual(await storage.auditBlocks(group), [])
    }
    deepEqual(await idsOf(storage, {}), page)
    deepEqual((await pages<BlockGroup>((place) => loadBlockGroups(storage, { ...place, limit: 1 }))).flat(), found)
    deepEqual(await storage.auditBlocks({ tenant: '', leaderboard: 'none', run: '', group: '' }), [])
  }),
  test('audit/members: reports a member of the state that differs, at any depth', async (storage) => {
    await storeRich(storage, ANN)
    const facts = await readFacts(storage, ANN)
    const passedOver: string[] = []
    for (const [member, state] of variantsOf(facts.state)) {
      const { drift } = await auditRows(storage, ANN, { ...facts, state })
      if (drift.length === 0) passedOver.push(member)
    }
    // The id is a column of the key.
    deepEqual(passedOver, ['user'])
  }),
]
