import { deepEqual, equal } from 'node:assert/strict'
import { loadBlockGroups } from '../../sql/audit.ts'
import { loadLeaderboardEntries } from '../../sql/leaderboards.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { LeaderboardRow } from '../../storage/rows.ts'
import type { LeaderboardPage, RankedGroup, Storage } from '../../storage/storage.ts'
import { column, type StorageCase, saveOf, test } from './case.ts'
import { ANN, NOON } from './samples.ts'

export const RUN = '2026-01-05 3f2a91c0'
export const KEY: RankedGroup = { leaderboard: 'weekly', run: RUN, group: '' }

export function row(value: number, changes: Partial<LeaderboardRow> = {}): LeaderboardRow {
  return { ...KEY, value, reachedAt: NOON, until: null, ...changes }
}

export interface EnteredRows {
  readonly tenant?: string
  readonly name?: string
  readonly put?: readonly LeaderboardRow[]
  readonly remove?: readonly LeaderboardRow[]
  readonly unlimited?: readonly string[]
}

/** Stores rows of several users, by id, in one commit. */
export async function enter(storage: Storage, users: Readonly<Record<string, EnteredRows>>): Promise<void> {
  const entered = Object.entries(users)
  await storage.commit(
    entered.map(([user, { tenant = '' }]) => ({ tenant, user, lookups: [] })),
    (loaded) =>
      loaded.map((user) => {
        const { name = null, put = [], remove = [], unlimited = [] } = users[user.user] ?? {}
        const save = saveOf(user, { leaderboards: { put, remove }, unlimited })
        return { ...save, after: { ...save.after, profile: { ...save.after.profile, name } } }
      }),
  )
}

export async function idsOf(
  storage: Storage,
  key: Partial<RankedGroup> & { readonly tenant?: string },
  page: Partial<LeaderboardPage> = {},
): Promise<readonly string[]> {
  const { tenant = '', ...changes } = key
  const asked = { limit: null, at: NOON, offset: 0, count: 1_000, ...page }
  return column(await storage.leaderboardPage(tenant, { ...KEY, ...changes }, asked), 'user')
}

const EMOJI = '😀'.repeat(255)
const LONG = 'x'.repeat(1_999)
/**
 * Entries of leaderboards without groups have the empty text; other entries have the engine's text of the attributes.
 */
const IN_SPAIN = '[["country","es"]]'

export const leaderboardCases: readonly StorageCase[] = [
  test('leaderboard/entry: an entry is kept as it was put, replaced by another of the same run, and removed', async (storage) => {
    const first = row(12.5, { group: IN_SPAIN, reachedAt: NOON - 1, until: NOON + 1 })
    const other = row(-3, { run: '2026-01-12 3f2a91c0' })
    await enter(storage, { ann: { put: [first, other] } })
    const read = async () => (await loadUser(storage, ANN, { leaderboards: {} })).leaderboards
    deepEqual(await read(), [first, other])
    deepEqual(await idsOf(storage, { group: IN_SPAIN }), ['ann'])

    const second = row(0, { group: '[["country",""]]', reachedAt: NOON + 7 })
    await enter(storage, { ann: { put: [second], remove: [first] } })
    deepEqual(await read(), [second, other])
    deepEqual(await idsOf(storage, { group: IN_SPAIN }), [])
    deepEqual(await idsOf(storage, { group: '[["country",""]]' }), ['ann'])

    // A put entry need not be removed first.
    await enter(storage, { ann: { put: [first] } })
    deepEqual(await read(), [first, other])
    await enter(storage, { ann: { remove: [first] } })
    deepEqual(await read(), [other])
    deepEqual(await idsOf(storage, { group: IN_SPAIN }), [])
    deepEqual(await idsOf(storage, { run: other.run }), ['ann'])
  }),
  test('leaderboard/numbers: a value comes back to the last bit, and 0 has no sign', async (storage) => {
    const values = [1e15, 123456789.012345, 0.1, 5e-324, 0, -0.1, -1e15]
    for (const [index, value] of values.entries()) await enter(storage, { [`user-${index}`]: { put: [row(value)] } })
    const page = await storage.leaderboardPage('', KEY, { limit: null, at: NOON, offset: 0, count: 10 })
    deepEqual(column(page, 'value'), values)
    const { leaderboards } = await loadUser(storage, { tenant: '', user: 'user-4' }, { leaderboards: {} })
    const signs = leaderboards.map(({ value }) => Object.is(value, 0))
    deepEqual(signs, [true])
  }),
  test('leaderboard/order: higher values come first, then who reached them first, then ids by code point', async (storage) => {
    await enter(storage, {
      late: { put: [row(7, { reachedAt: NOON + 1 })] },
      early: { put: [row(7, { reachedAt: NOON - 1 })] },
      none: { put: [row(0)] },
      minus: { put: [row(-2)] },
      'minus more': { put: [row(-10)] },
      best: { put: [row(10, { reachedAt: NOON + 9 })] },
    })
    const tied = ['Z', 'a', 'a ', 'e\u0301', 'é', '\ue000', '\uffff', '👩‍👩‍👧', '😀', EMOJI]
    await enter(storage, Object.fromEntries(tied.toReversed().map((user) => [user, { put: [row(7)] }])))
    const expected = ['best', 'early', ...tied, 'late', 'none', 'minus', 'minus more']
    deepEqual(await idsOf(storage, {}), expected)
    for (const user of tied) {
      deepEqual(await idsOf(storage, {}, { around: user, offset: 0, count: 1 }), [user])
      const ask = { ...KEY, limit: null, at: NOON, margin: 1, positions: [{ value: 7, reachedAt: NOON }] }
      const [rank] = await storage.ranks({ tenant: '', user }, [ask])
      deepEqual(rank, { before: [expected.indexOf(user)], last: [], first: 0 })
    }
  }),
  test('leaderboard/apart: tenants, leaderboards, runs and groups are ranked apart', async (storage) => {
    const runs = [RUN, '2026-01-12 3f2a91c0'].flatMap((run) => ['', IN_SPAIN].map((group) => ({ run, group })))
    const boards = ['weekly', 'Weekly'].flatMap((leaderboard) => runs.map((run) => ({ leaderboard, ...run })))
    const keys = ['', 'acme', 'Acme'].flatMap((tenant) => boards.map((board) => ({ tenant, ...board })))
    // A user has one entry in each run, so each of them comes in one group only.
    for (const [index, { tenant, ...key }] of keys.entries()) {
      await enter(storage, { [`user-${index}`]: { tenant, put: [row(index, key)], unlimited: ['weekly'] } })
    }
    for (const [index, key] of keys.entries()) deepEqual(await idsOf(storage, key), [`user-${index}`])
  }),
  test('leaderboard/long-keys: long keys and groups differ by their last character, and come back whole', async (storage) => {
    const put = [`${EMOJI}a`, `${EMOJI}b`].flatMap((leaderboard) =>
      ['1', '2'].map((last, index) => row(index, { leaderboard, run: `run ${last}`, group: `${LONG}${last}` })),
    )
    await enter(storage, { ann: { put, unlimited: [`${EMOJI}a`] }, bob: { put: [row(5)] } })
    const { leaderboards } = await loadUser(storage, ANN, { leaderboards: {} })
    deepEqual(leaderboards, put)
    for (const { leaderboard, run, group } of put) {
      deepEqual(await idsOf(storage, { leaderboard, run, group }), ['ann'])
      const entry = {
        user: 'ann',
        name: null,
        choice: null,
        run,
        group,
        value: run === 'run 1' ? 0 : 1,
        reachedAt: NOON,
        until: null,
      }
      deepEqual(await loadLeaderboardEntries(storage, '', leaderboard, run, ['ann', 'bob']), [entry])
    }
    deepEqual(await idsOf(storage, { leaderboard: `${EMOJI}a`, run: 'run 1', group: `${LONG}2` }), [])
    deepEqual(await idsOf(storage, { leaderboard: EMOJI, run: 'run 1', group: `${LONG}1` }), [])
  }),
  test('leaderboard/of-user: entries of a user are read all, of one leaderboard, or of one run, in order of their bytes', async (storage) => {
    const keys = ['Z', 'a', 'é', '\uff5e', '😀', EMOJI]
    const rows = keys.flatMap((leaderboard) =>
      ['2026-01-05 b', '2026-02-05 a'].map((run) => row(1, { leaderboard, run })),
    )
    await enter(storage, { ann: { put: rows.toReversed() }, bob: { put: [row(2, { leaderboard: 'a' })] } })
    const read = async (leaderboards: { leaderboard?: string; run?: string }) =>
      (await loadUser(storage, ANN, { leaderboards })).leaderboards.map(({ leaderboard, run }) => [leaderboard, run])
    const all = rows.map(({ leaderboard, run }) => [leaderboard, run])
    deepEqual(await read({}), all)
    deepEqual(await read({ leaderboard: 'a' }), all.slice(2, 4))
    deepEqual(await read({ leaderboard: EMOJI, run: '2026-02-05 a' }), [[EMOJI, '2026-02-05 a']])
    const ofRun = keys.map((leaderboard) => [leaderboard, '2026-01-05 b'])
    deepEqual(await read({ run: '2026-01-05 b' }), ofRun)
    deepEqual(await read({ leaderboard: 'A' }), [])
    deepEqual((await loadUser(storage, ANN)).leaderboards, [])
    deepEqual((await loadUser(storage, { tenant: '', user: 'eve' }, { leaderboards: {} })).leaderboards, [])
  }),
  test('leaderboard/by-user: reads the entries of a user with their names, in any group, expired ones too', async (storage) => {
    await enter(storage, {
      ann: { name: 'Ann', put: [row(1, { group: IN_SPAIN, until: NOON - 1 })] },
      bob: { put: [row(2)] },
      eve: { put: [row(3, { run: '2026-01-12 3f2a91c0' })] },
    })
    await enter(storage, { ann: { tenant: 'acme', put: [row(9)] } })
    const users = ['nobody', 'bob', 'ann', 'bob', 'eve', '']
    const found = await loadLeaderboardEntries(storage, '', 'weekly', RUN, users)
    const byValue = found.toSorted((left, right) => left.value - right.value)
    deepEqual(byValue, [
      { user: 'ann', name: 'Ann', choice: null, run: RUN, group: IN_SPAIN, value: 1, reachedAt: NOON, until: NOON - 1 },
      { user: 'bob', name: null, choice: null, run: RUN, group: '', value: 2, reachedAt: NOON, until: null },
    ])
    deepEqual(await loadLeaderboardEntries(storage, '', 'weekly', RUN, []), [])
    deepEqual(await loadLeaderboardEntries(storage, 'acme', 'monthly', RUN, ['ann']), [])
  }),
  test('leaderboard/page: a page begins at a position or beside a user, and ends with the leaderboard or its limit', async (storage) => {
    const users = ['a', 'b', 'c', 'd', 'e', 'f']
    const entered = users.map((user, index) => [user, { put: [row(0 - index)], name: `N ${user}` }])
    await enter(storage, Object.fromEntries(entered))
    await enter(storage, { z: { put: [row(99, { group: IN_SPAIN })] } })
    deepEqual(await storage.leaderboardPage('', KEY, { limit: 4, at: NOON, offset: 2, count: 9 }), [
      { rank: 3, user: 'c', name: 'N c', choice: null, value: -2, reachedAt: NOON },
      { rank: 4, user: 'd', name: 'N d', choice: null, value: -3, reachedAt: NOON },
    ])
    const read = async (offset: number, count: number, around?: string, limit: number | null = null) =>
      (await idsOf(storage, {}, { limit, offset, count, ...(around === undefined ? {} : { around }) })).join('')
    deepEqual([await read(0, 2), await read(4, 2), await read(5, 2), await read(6, 2)], ['ab', 'ef', 'f', ''])
    deepEqual([await read(0, 0), await read(-1, 3), await read(-3, 3)], ['', 'ab', ''])
    equal(await read(3, 9, undefined, 4), 'd')
    deepEqual([await read(-1, 3, 'c'), await read(-1, 3, 'a'), await read(-1, 3, 'f')], ['bcd', 'ab', 'ef'])
    deepEqual([await read(1, 2, 'c'), await read(-9, 4, 'c'), await read(-9, 9, 'c')], ['de', '', 'ab'])
    deepEqual([await read(-1, 3, 'd', 4), await read(-1, 3, 'e', 4)], ['cd', ''])
    deepEqual([await read(0, 9, 'z'), await read(0, 9, 'nobody')], ['', ''])
    deepEqual(await idsOf(storage, { group: IN_SPAIN }, { around: 'a' }), [])
  }),
  test('leaderboard/until: an entry counts until the instant that it holds', async (storage) => {
    await enter(storage, {
      a: { put: [row(9, { until: NOON })] },
      b: { put: [row(8, { until: NOON + 1 })] },
      c: { put: [row(7, { until: NOON + 2 })] },
      d: { put: [row(6)] },
    })
    const read = async (at: number) => (await idsOf(storage, {}, { at })).join('')
    deepEqual([await read(NOON - 1), await read(NOON), await read(NOON + 1)], ['abcd', 'bcd', 'cd'])
    deepEqual(await idsOf(storage, {}, { at: NOON, limit: 2 }), ['b', 'c'])
    deepEqual(await idsOf(storage, {}, { at: NOON, around: 'a' }), [])
    deepEqual(await idsOf(storage, {}, { at: NOON, around: 'c', offset: -1, count: 2 }), ['b', 'c'])
    const ask = { ...KEY, limit: 2, margin: 1, positions: [{ value: 6, reachedAt: NOON }] }
    const asked = [NOON - 1, NOON + 1].map((at) => ({ ...ask, at }))
    const [before, after] = await storage.ranks({ tenant: '', user: 'd' }, asked)
    deepEqual([before?.before, column(before?.last ?? [], 'user')], [[3], ['a', 'b', 'c']])
    deepEqual([after?.before, column(after?.last ?? [], 'user')], [[1], ['c', 'd']])
  }),
  test('leaderboard/replaced: an entry that one save removes and puts is counted once', async (storage) => {
    const unlimited = ['weekly']
    await enter(storage, {
      ann: { put: [row(3)], unlimited },
      bob: { put: [row(4)], unlimited },
      cid: { put: [row(1)], unlimited },
    })
    await enter(storage, { ann: { remove: [row(3)], put: [row(5)], unlimited } })
    deepEqual(await idsOf(storage, {}), ['ann', 'bob', 'cid'])
    for (const group of await loadBlockGroups(storage)) deepEqual(await storage.auditBlocks(group), [])
  }),
]
