import { deepEqual, equal } from 'node:assert/strict'
import { emptyState } from '../../rules/state.ts'
import { addApplicationKeys } from '../../sql/api-keys.ts'
import { auditRows, loadBlockGroups, loadRowOwners } from '../../sql/audit.ts'
import { findEntries, loadLog } from '../../sql/log.ts'
import { loadOwners } from '../../sql/owners.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadSnapshot, loadUser } from '../../sql/read-user.ts'
import { loadUserKeys } from '../../sql/user-lists.ts'
import type { LeaderboardRow, UserKey } from '../../storage/rows.ts'
import type { Decide, RankedGroup, RemoveUserOptions, Storage } from '../../storage/storage.ts'
import type { StorageCase } from './case.ts'
import { appendEvents, column, counts, create, NO_USER, removeOne, requestFor, saveOf, store, test } from './case.ts'
import { applicationKey, found } from './key-samples.ts'
import { KEY, row as rowOf } from './leaderboard-cases.ts'
import {
  ANN,
  award,
  BOB,
  boost,
  CAROL,
  eventOf,
  IN_ACME,
  LATEST,
  mapOf,
  NOON,
  sampleEvent,
  snapshot,
} from './samples.ts'

const PERIOD = { start: 20_513, length: 1, kind: 'counted' } as const
const WORDS: RankedGroup = { ...KEY, leaderboard: 'words' }

const row = (value: number, changes: Partial<LeaderboardRow> = {}): LeaderboardRow =>
  rowOf(value, { ...WORDS, ...changes })

/** Everything a user can have, with a place on a leaderboard without a limit. */
async function fill(storage: Storage, key: UserKey, value: number): Promise<void> {
  await store(storage, key, {
    appended: [eventOf(key, 1, { idempotencyKey: 'chapter-1' })],
    state: {
      totals: new Map([['words', { total: value, highest: value }]]),
      tallies: new Map([['f3c5', { total: 2, highest: 2 }]]),
      completions: new Map([['novelist', { at: NOON, entryId: `${key.user}-1`, count: 1 }]]),
      points: mapOf({ xp: { total: 10, level: 'bronze' }, karma: { total: 1, level: null } }),
      pauses: [{ id: `pause-${key.user}`, start: 20_514, end: 20_515 }],
      boosts: [boost(`boost-${key.user}`)],
    },
    awards: { put: [award(`award-${key.user}`, { entryId: `${key.user}-1` })], remove: [] },
    periods: { put: [PERIOD, { ...PERIOD, streak: 'gym' }] },
    snapshots: { after: null, put: [snapshot(10)] },
    leaderboards: { put: [row(value)] },
    unlimited: ['words'],
    counted: counts(['users', '', 1], ['completions', 'novelist', 1], ['level', '["xp","bronze"]', 1]),
  })
}

async function standing(storage: Storage, tenant: string): Promise<readonly (readonly [string, number])[]> {
  const page = { limit: null, at: NOON, offset: 0, count: 1_000 }
  return (await storage.leaderboardPage(tenant, WORDS, page)).map(({ user, rank }) => [user, rank])
}

/** The number of entries before a value that no user has, as blocks count them. */
async function countBefore(storage: Storage, value: number): Promise<number | undefined> {
  const request = { ...WORDS, limit: null, at: NOON, margin: 1, positions: [{ value, reachedAt: NOON }] }
  const [answer] = await storage.ranks({ tenant: '', user: 'nobody' }, [request])
  return answer?.before[0]
}

export const removalCases: readonly StorageCase[] = [
  test('removal/everything: of a removed user nothing is left, and counters, keys, pauses and ranks are those of the others, in another tenant too', async (storage) => {
    await fill(storage, BOB, 5)
    const others = await loadCounters(storage, '')
    await fill(storage, ANN, 7)
    await fill(storage, IN_ACME, 2)
    await addApplicationKeys(storage, [applicationKey('a'), applicationKey('b', { owner: BOB })])
    equal(await removeOne(storage, ANN), 'removed')
    const storedUser = await loadUser(storage, ANN, { awards: {}, periods: {}, leaderboards: {} })
    deepEqual(storedUser, NO_USER)
    deepEqual(await loadLog(storage, ANN), [])
    deepEqual(await loadCounters(storage, ''), others)
    deepEqual(await loadUserKeys(storage), [BOB, IN_ACME])
    deepEqual(await loadRowOwners(storage), [BOB, IN_ACME])
    equal(await loadSnapshot(storage, ANN, LATEST), null)
    deepEqual(await loadSnapshot(storage, BOB, LATEST), snapshot(10))
    deepEqual(await found(storage, 'app_a', 'app_b'), ['app_b'])
    deepEqual(await loadOwners(storage, '', 'pauses', ['pause-ann', 'pause-bob']), [{ id: 'pause-bob', user: 'bob' }])
    deepEqual(await loadOwners(storage, '', 'boosts', ['boost-ann', 'boost-bob']), [{ id: 'boost-bob', user: 'bob' }])
    deepEqual(await findEntries(storage, '', ['ann-1']), [])
    deepEqual(await standing(storage, ''), [['bob', 1]])
    equal(await countBefore(storage, 1), 1)
    deepEqual([await standing(storage, 'acme'), (await loadCounters(storage, 'acme')).length], [[['ann', 1]], 3])
    deepEqual((await auditRows(storage, ANN, null)).drift, [])
  }),
  test('removal/keys: a user whose names are kept loses its keys and those of its names only if they end', async (storage) => {
    const guest: UserKey = { tenant: '', user: 'guest' }
    const other: UserKey = { tenant: '', user: 'other' }
    const keys = [applicationKey('a'), applicationKey('b', { owner: BOB }), applicationKey('c', { owner: guest })]
    await addApplicationKeys(storage, [...keys, applicationKey('d', { owner: other })])
    await fill(storage, ANN, 3)
    await store(storage, guest, { state: { mergedInto: 'ann' } })
    const remove = async (options: RemoveUserOptions) => {
      const { version } = await loadUser(storage, ANN)
      const save = saveOf({ state: null }, { appended: [sampleEvent(1)] })
      const replacement = { epoch: 0, users: [{ user: 'ann', version: 0, save }] }
      return removeOne(storage, ANN, { version, keepsNames: true, replacement, ...options })
    }
    equal(await remove({}), 'removed')
    deepEqual(await found(storage, 'app_a', 'app_b', 'app_c', 'app_d'), ['app_a', 'app_b', 'app_c', 'app_d'])
    equal(await remove({ version: 1, endsKeys: true }), 'changed')
    deepEqual(await found(storage, 'app_a', 'app_c'), ['app_a', 'app_c'])
    equal(await remove({ endsKeys: true }), 'removed')
    deepEqual(await found(storage, 'app_a', 'app_b', 'app_c', 'app_d'), ['app_b', 'app_d'])
  }),
  test('removal/unknown: a user who is not there is unknown, and keys that wait for the user go', async (storage) => {
    equal(await removeOne(storage, ANN), 'unknown')
    await addApplicationKeys(storage, [applicationKey('a')])
    equal(await removeOne(storage, ANN, { version: 0 }), 'removed')
    deepEqual(await found(storage, 'app_a'), [])
  }),
  test('removal/version: with a version that is not the stored one nothing is removed', async (storage) => {
    await fill(storage, ANN, 1)
    const { version } = await loadUser(storage, ANN)
    equal(await removeOne(storage, ANN, { version: version + 1 }), 'changed')
    equal(await removeOne(storage, ANN, { version: 0 }), 'changed')
    equal((await loadUser(storage, ANN)).version, version)
    equal(await removeOne(storage, ANN, { version }), 'removed')
    equal(await removeOne(storage, ANN, { version }), 'changed')
  }),
  test('removal/again: a removed id comes again as a new user, by the same entry ids and keys, under a version of its own', async (storage) => {
    await fill(storage, ANN, 3)
    const { version } = await loadUser(storage, ANN)
    await removeOne(storage, ANN)
    await create(storage, ANN, { counted: counts(['users', '', 1]) })
    equal(await loadSnapshot(storage, ANN, LATEST), null)
    await removeOne(storage, ANN)
    await fill(storage, ANN, 4)
    const again = await loadUser(storage, ANN)
    equal(again.state?.totals.get('words')?.total, 4)
    equal(again.version === version, false)
    deepEqual(await standing(storage, ''), [['ann', 1]])
    equal((await loadCounters(storage, '')).find(({ kind }) => kind === 'users')?.count, 1)
  }),
  test('removal/decided-before: what is decided after a removal is decided on a user who is unknown', async (storage) => {
    await create(storage, ANN)
    await removeOne(storage, ANN)
    const seen: (number | null)[] = []
    const decide: Decide = (users) =>
      users.map((user) => {
        seen.push(user.state?.seq ?? null)
        return saveOf(user, { appended: [sampleEvent((user.state?.seq ?? 0) + 1)] })
      })
    await storage.commit([requestFor(ANN)], decide)
    // A storage that remembers users may use the remembered user first, but not last.
    equal(seen.at(-1), null)
    equal((await loadUser(storage, ANN)).state?.seq, 1)
  }),
  test('removal/replaced: a user is stored under another id in the same step, with the entries that it had', async (storage) => {
    await fill(storage, BOB, 5)
    await fill(storage, ANN, 7)
    const { version, state } = await loadUser(storage, ANN)
    const loaded = { state: null }
    const save = {
      ...saveOf(loaded, { appended: [sampleEvent(1, { id: 'ann-1' })], leaderboards: { put: [row(7)] } }),
      after: { ...(state ?? emptyState(NOON, 1)), pauses: [] },
      counted: [{ kind: 'users', key: '', by: 1 } as const],
      unlimited: ['words'],
    }
    const replacement = { epoch: 0, users: [{ user: 'anon', version: 0, save }] }
    equal(await removeOne(storage, ANN, { version: version + 1, replacement }), 'changed')
    equal(await removeOne(storage, ANN, { version, replacement: { ...replacement, epoch: 1 } }), 'changed')
    equal(await removeOne(storage, ANN, { version, replacement }), 'removed')
    deepEqual(column(await loadUserKeys(storage), 'user'), ['anon', 'bob'])
    deepEqual((await standing(storage, '')).flat(), ['anon', 1, 'bob', 2])
    equal((await findEntries(storage, '', ['ann-1']))[0]?.user, 'anon')
    equal((await loadCounters(storage, '')).find(({ kind }) => kind === 'users')?.count, 2)
    equal((await loadUser(storage, { tenant: '', user: 'anon' })).state?.totals.get('words')?.total, 7)
  }),
  test('removal/replaced-taken: a user cannot be stored under the id of somebody who is there: nothing is removed then', async (storage) => {
    await fill(storage, ANN, 1)
    await fill(storage, BOB, 2)
    const { version } = await loadUser(storage, ANN)
    const save = saveOf({ state: null }, { appended: [sampleEvent(1)] })
    const users = [{ user: 'bob', version: 0, save }]
    equal(await removeOne(storage, ANN, { version, replacement: { epoch: 0, users } }), 'changed')
    equal((await loadUser(storage, ANN)).version, version)
    equal((await loadUser(storage, BOB)).state?.totals.get('words')?.total, 2)
  }),
  test('removal/blocks: of hundreds on one leaderboard every third is removed: blocks and ranks are those of the others', async (storage) => {
    const keys = Array.from({ length: 420 }, (_, index) => ({ tenant: '', user: `u${String(index).padStart(3, '0')}` }))
    const places = keys.map((_, index) => row(Math.floor(index / 7), { reachedAt: NOON + (index % 2) }))
    for (let first = 0; first < keys.length; first += 60) {
      await appendEvents(storage, keys.slice(first, first + 60), ({ user }) => ({
        leaderboards: { put: [places[keys.findIndex((key) => key.user === user)] ?? row(0)] },
        unlimited: ['words'],
      }))
    }
    for (const [index, key] of keys.entries()) if (index % 3 === 0) equal(await removeOne(storage, key), 'removed')
    const left = keys
      .flatMap(({ user }, index) => (index % 3 === 0 ? [] : [{ user, place: places[index] ?? row(0) }]))
      .sort((a, b) => {
        return b.place.value - a.place.value || a.place.reachedAt - b.place.reachedAt || (a.user < b.user ? -1 : 1)
      })
    const expected = left.map(({ user }, index) => [user, index + 1])
    deepEqual(await standing(storage, ''), expected)
    for (const value of [60, 41.5, 20.5, 0.5, -1]) {
      equal(await countBefore(storage, value), left.filter(({ place }) => place.value > value).length)
    }
    for (const group of await loadBlockGroups(storage)) deepEqual(await storage.auditBlocks(group), [])
    for (const { user } of left) await removeOne(storage, { tenant: '', user })
    deepEqual(await loadBlockGroups(storage), [])
  }),
  test('removal/at-once: users who are removed while others write leave no trace, and others stay as they were', async (storage) => {
    await Promise.all([ANN, BOB, CAROL].map((key, index) => fill(storage, key, index)))
    const add = (key: UserKey): Promise<unknown> =>
      appendEvents(storage, [key], ({ state }, seq) => ({
        entry: { id: `${key.user}-${seq}-${Math.random()}` },
        leaderboards: { put: [row(seq, { reachedAt: NOON + seq })] },
        unlimited: ['words'],
        counted: state === null ? [{ kind: 'users', key: '', by: 1 }] : [],
      }))
    const removals = Array.from({ length: 8 }, () => removeOne(storage, ANN))
    await Promise.all([
      ...removals,
      ...Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? BOB : ANN)),
      removeOne(storage, CAROL),
    ])
    await removeOne(storage, ANN)
    equal((await loadUser(storage, BOB)).state?.seq, 11)
    deepEqual(await loadRowOwners(storage), [BOB])
    deepEqual(await standing(storage, ''), [['bob', 1]])
    const counters = (await loadCounters(storage, '')).filter(({ kind }) => kind === 'users')
    deepEqual(counters, [{ kind: 'users', key: '', count: 1 }])
    for (const group of await loadBlockGroups(storage)) deepEqual(await storage.auditBlocks(group), [])
  }),
]
