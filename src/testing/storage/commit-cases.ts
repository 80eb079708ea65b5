import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import {
  addAdminKey,
  addApplicationKeys,
  findKey,
  loadAdminKeys,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from '../../sql/api-keys.ts'
import { auditCounters, auditRows, loadBlockGroups, loadRowOwners, repairRows } from '../../sql/audit.ts'
import { loadAwardValues } from '../../sql/awards.ts'
import { addGame, loadGames } from '../../sql/games.ts'
import { findEntries, loadEvents, loadEventValues, loadHeldEvents, loadLog } from '../../sql/log.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadUser } from '../../sql/read-user.ts'
import { loadLongestStreaks, loadPointsTotals, loadUserKeys } from '../../sql/user-lists.ts'
import type { Award, UserKey } from '../../storage/rows.ts'
import type { Decide, Storage, StoredGame } from '../../storage/storage.ts'
import {
  appendEvents,
  column,
  counts,
  create,
  pages,
  range,
  readAll,
  readState,
  rejectsWhole,
  rejectsWith,
  removeOne,
  requestFor,
  type StorageCase,
  saveOf,
  store,
  test,
} from './case.ts'
import { adminKey, applicationKey } from './key-samples.ts'
import { idsOf, RUN, row } from './leaderboard-cases.ts'
import { message, readMessages } from './outbox-samples.ts'
import { ANN, award, BOB, CAROL, eventOf, IN_ACME, NOON, sampleEvent } from './samples.ts'

/** Adds one to Ann's words, as the engine would: from the state that `decide` is given. */
async function addOne(storage: Storage, key: UserKey): Promise<void> {
  await appendEvents(storage, [key], ({ state }) => {
    const total = (state?.totals.get('words')?.total ?? 0) + 1
    const totals = new Map([['words', { total, highest: total }]])
    return { state: { totals }, counted: counts(['completions', 'novelist', 1]) }
  })
}

export const game = (epoch: number, changes: Partial<StoredGame> = {}): StoredGame => ({
  epoch,
  fingerprint: `fingerprint-${epoch}`,
  definition: `{"metrics":{"words":{"name":"Wörter 🎉 ${epoch}"}}}`,
  cause: 'start',
  policy: 'forward',
  createdAt: NOON + epoch,
  ...changes,
})

/** More than a storage may write at once. */
const ROWS = 2_300

const numbers = range(ROWS)
const lines = numbers.map((seq) => sampleEvent(seq))
const awards = numbers.map((n) => award(`award-${n}`, { entryId: `entry-${n}`, at: NOON + n, seq: n, total: n }))

async function readWhole(storage: Storage, key: UserKey): Promise<readonly Entry[]> {
  return (await pages<Entry>((place) => loadLog(storage, key, place))).flat()
}

async function readAwards(storage: Storage, key: UserKey): Promise<readonly Award[]> {
  return (await loadUser(storage, key, { awards: {} })).awards.toReversed()
}

export const commitCases: readonly StorageCase[] = [
  test('commit/together: the users of one commit are loaded in the order of the requests and stored together', async (storage) => {
    await create(storage, BOB)
    await storage.commit([CAROL, BOB, ANN].map(requestFor), (users) => {
      const asked = column(users, 'user')
      // A storage may ask for some of them first.
      const inOrder = ['carol', 'bob', 'ann'].filter((user) => asked.includes(user))
      const expected = inOrder.map((user) => [user, user === 'bob' ? 1 : null])
      const loaded = users.map(({ user, state }) => [user, state?.seq ?? null])
      deepEqual(loaded, expected)
      return users.map((user) => saveOf(user, { appended: [eventOf(user, (user.state?.seq ?? 0) + 1)] }))
    })
    const seqs = await Promise.all([ANN, BOB, CAROL].map(async (key) => (await readState(storage, key)).seq))
    deepEqual(seqs, [1, 2, 1])
  }),
  test('commit/null: a null among the saves stores nothing of that user and all of the others', async (storage) => {
    await create(storage, BOB)
    const before = await loadUser(storage, BOB)
    await storage.commit([ANN, BOB, IN_ACME, CAROL].map(requestFor), (users) =>
      users.map((user) => {
        const messages = [message(1, { data: `"${user.tenant}"` })]
        return user.user === ANN.user ? saveOf(user, { appended: [sampleEvent(1)], messages }) : null
      }),
    )
    for (const key of [ANN, IN_ACME]) equal((await readState(storage, key)).seq, 1)
    deepEqual(await loadUser(storage, BOB), before)
    equal((await loadUser(storage, CAROL)).state, null)
    const written = (await readMessages(storage)).map(({ tenant, user, data }) => `${tenant}/${user}: ${data}`)
    deepEqual(written.sort(), ['/ann: ""', 'acme/ann: "acme"'])
  }),
  test('commit/deadline: what is asked after its deadline is unavailable and not stored; before it, it is stored', async (storage) => {
    const past = storage.until(performance.now() - 1)
    const add: Decide = (users) =>
      users.map((user) => saveOf(user, { appended: [sampleEvent((user.state?.seq ?? 0) + 1)] }))
    await rejectsWith('unavailable', past.commit([requestFor(ANN)], add))
    await rejectsWith('unavailable', loadUser(past, ANN))
    await rejectsWith('unavailable', loadGames(past))
    await rejectsWith('unavailable', removeOne(past, ANN))
    equal((await loadUser(storage, ANN)).state, null)
    const future = storage.until(performance.now() + 60_000)
    await future.commit([requestFor(ANN)], add)
    equal((await loadUser(future, ANN)).state?.seq, 1)
  }),
  test('commit/no-requests: a commit without requests asks decide and stores nothing', async (storage) => {
    await storage.commit([], (users) => {
      deepEqual(users, [])
      return []
    })
    deepEqual(await loadUserKeys(storage), [])
  }),
  test('commit/decide-throws: what decide throws is thrown on as it is, nothing is stored, and the storage goes on working', async (storage) => {
    await create(storage, ANN)
    const before = await readAll(storage, ANN)
    for (const thrown of [new Error('no'), 'a text', Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })]) {
      const thrownOnce = [thrown]
      const refused = storage.commit([requestFor(ANN)], () => {
        throw thrownOnce.pop()
      })
      await rejects(refused, (error) => error === thrown)
    }
    deepEqual(await readAll(storage, ANN), before)
    await store(storage, ANN, { appended: [sampleEvent(2)] })
    equal((await readState(storage, ANN)).seq, 2)
  }),
  test('commit/one-violates: when one save of a commit violates a constraint, none is stored', async (storage) => {
    await store(storage, BOB, {
      appended: [eventOf(BOB, 1, { idempotencyKey: 'key-1' })],
      awards: { put: [award('b')] },
      leaderboards: { put: [row(4)] },
      unlimited: ['weekly'],
    })
    await rejectsWhole(storage, [ANN, BOB], () =>
      appendEvents(storage, [ANN, BOB], () => ({
        entry: { idempotencyKey: 'key-1' },
        awards: { put: [award('new', { ordinal: 1 })], remove: [award('b')] },
        periods: { put: [{ start: 20_513, length: 1, kind: 'counted' }] },
        counted: counts(['users', '', 1]),
        state: { totals: new Map([['words', { total: 1, highest: 1 }]]) },
        leaderboards: { put: [row(9)] },
        unlimited: ['weekly'],
        messages: [message(1)],
        notices: { until: NOON + 9, due: NOON + 10 },
      })),
    )
    deepEqual(await idsOf(storage, {}), ['bob'])
    deepEqual(await readMessages(storage), [])
  }),
  test('commit/same-user: fifty commits at once on one user lose nothing', async (storage) => {
    await Promise.all(Array.from({ length: 50 }, () => addOne(storage, ANN)))
    const state = await readState(storage, ANN)
    deepEqual([state.seq, state.totals.get('words')], [50, { total: 50, highest: 50 }])
    deepEqual(column(await loadLog(storage, ANN), 'seq'), range(50))
    deepEqual(await loadCounters(storage, ''), [{ kind: 'completions', key: 'novelist', count: 50 }])
  }),
  test('commit/shared-users: concurrent commits on several users lose nothing if they share users', async (storage) => {
    const keys = [ANN, BOB, CAROL]
    const rounds = Array.from({ length: 10 }, () => [ANN, BOB, CAROL])
    await Promise.all(rounds.flat().map((key, index) => appendEvents(storage, [key, keys[(index + 1) % 3] ?? ANN])))
    const seqs = await Promise.all(keys.map(async (key) => (await readState(storage, key)).seq))
    deepEqual(seqs, [20, 20, 20])
  }),
  test('commit/close: close can be called twice, and later calls reject with closed', async (storage) => {
    await create(storage, ANN)
    await Promise.all([storage.close(), storage.close()])
    await storage.close()
    const group = { tenant: '', leaderboard: 'weekly', run: RUN, group: '' }
    const calls: readonly (() => Promise<unknown>)[] = [
      () => storage.migrate(),
      () => loadGames(storage),
      () => storage.commit([requestFor(ANN)], () => [null]),
      () => loadUser(storage, ANN),
      () => loadLog(storage, ANN),
      () => loadCounters(storage, ''),
      () => loadUserKeys(storage),
      () => loadEvents(storage, ANN),
      () => loadEventValues(storage, ''),
      () => loadAwardValues(storage, ''),
      () => findEntries(storage, '', []),
      () => loadLongestStreaks(storage, '', 'length'),
      () => loadHeldEvents(storage, ''),
      () => loadPointsTotals(storage, '', 'xp'),
      () => auditRows(storage, ANN, null),
      () => repairRows(storage, ANN, null, 0),
      () => loadRowOwners(storage),
      () => auditCounters(storage),
      () => loadBlockGroups(storage),
      () => storage.auditBlocks(group),
      () => findKey(storage, 'prefix-a'),
      () => loadAdminKeys(storage),
      () => addAdminKey(storage, adminKey('a'), 3),
      () => addApplicationKeys(storage, [applicationKey('b')]),
      () => updateAdminKey(storage, 'a', {}),
      () => removeAdminKey(storage, 'a'),
      () => removeApplicationKeys(storage, '', ['b']),
    ]
    for (const call of calls) await rejectsWith('closed', call())
  }),
  test('commit/under-way: calls that are under way when the storage is closed finish', async (storage) => {
    const writes = [addOne(storage, ANN), addOne(storage, ANN), addOne(storage, BOB)]
    await storage.close()
    await Promise.all(writes)
  }),
  test('game/order: games come back in order of their epochs as they were stored, and none is replaced, by a migration neither', async (storage) => {
    deepEqual(await loadGames(storage), [])
    const games = [game(1), game(2, { policy: 'grant' }), game(3, { policy: 'recompute', fingerprint: 'other' })]
    for (const each of games) equal(await addGame(storage, each), true)
    equal(await addGame(storage, game(1, { definition: '{}' })), false)
    deepEqual(await storage.migrate(), { applied: [] })
    deepEqual(await loadGames(storage), games)
  }),
  test('game/epoch-gap: an epoch that does not follow the newest one rejects', async (storage) => {
    await rejectsWith('internal', addGame(storage, game(2)))
    deepEqual(await loadGames(storage), [])
  }),
  test('game/epoch-race: of sixteen callers with the same epoch exactly one stores its game', async (storage) => {
    const callers = Array.from({ length: 16 }, (_, index) => game(1, { definition: `{"caller":${index}}` }))
    const answers = await Promise.all(callers.map((each) => addGame(storage, each)))
    equal(answers.filter(Boolean).length, 1)
    deepEqual(await loadGames(storage), [callers[answers.indexOf(true)]])
  }),
  test('game/causes: an epoch keeps why there is one', async (storage) => {
    const causes = ['start', 'return', 'apply', 'boosts', 'messages'] as const
    for (const [index, cause] of causes.entries()) await addGame(storage, game(index + 1, { cause }))
    deepEqual(column(await loadGames(storage), 'cause'), causes)
  }),
  test('game/newest-epoch: loading and reading users returns the newest epoch', async (storage) => {
    for (const newest of [1, 2, 3]) {
      await addGame(storage, game(newest))
      equal((await loadUser(storage, ANN)).epoch, newest)
      await storage.commit([requestFor(ANN)], (_, epoch) => {
        equal(epoch, newest)
        return [null]
      })
    }
  }),
  test('large/save: a save of thousands of lines and awards is stored whole, and the next one goes on from it', async (storage) => {
    await create(storage, BOB)
    await store(storage, ANN, { appended: lines, awards: { put: awards } })
    deepEqual(await readWhole(storage, ANN), lines)
    deepEqual(await readAwards(storage, ANN), awards)

    const updatedEntries = lines.map((line) => ({ ...line, dating: { ...line.dating, zone: 'Asia/Tokyo' } }))
    // Each award goes to the next entry, which has one already.
    const rest = awards.slice(0, -1)
    const moved = rest.map((each, index) => ({ ...each, id: `moved-${index}`, seq: each.seq + 1, at: each.at + 1 }))
    const next = sampleEvent(ROWS + 1, { at: NOON + 2 * ROWS })
    await store(storage, ANN, { appended: [next], updatedEntries, awards: { put: moved, remove: awards } })
    deepEqual(await readWhole(storage, ANN), [...updatedEntries, next])
    deepEqual(await readAwards(storage, ANN), moved)

    await appendEvents(storage, [ANN, BOB], () => ({ entry: { at: NOON + 3 * ROWS } }))
    equal((await loadUser(storage, ANN)).state?.seq, ROWS + 2)
    equal((await loadUser(storage, BOB)).state?.seq, 2)
  }),
  test('large/refused: of a save of thousands of lines and awards nothing is stored where its last line has the id of another', async (storage) => {
    await create(storage, ANN)
    const before = await loadUser(storage, ANN)
    const more = [...numbers.map((n) => sampleEvent(n + 1)), sampleEvent(ROWS + 2, { id: 'entry-1' })]
    await rejectsWith('internal', store(storage, ANN, { appended: more, awards: { put: awards } }))
    deepEqual(await loadUser(storage, ANN), before)
    deepEqual(await readWhole(storage, ANN), [sampleEvent(1)])
    deepEqual(await readAwards(storage, ANN), [])
    await store(storage, ANN, { appended: [sampleEvent(2)] })
    equal((await loadUser(storage, ANN)).state?.seq, 2)
  }),
  test('large/removal: a user with thousands of lines and awards is removed whole, or put under another id with all of them', async (storage) => {
    await create(storage, BOB)
    await store(storage, ANN, { appended: lines, awards: { put: awards } })
    const { version } = await loadUser(storage, ANN)
    const save = saveOf({ state: null }, { appended: lines, awards: { put: awards } })
    const replacement = { epoch: 0, users: [{ user: 'anon', version: 0, save }] }
    equal(await removeOne(storage, ANN, { version: version + 1, replacement }), 'changed')
    equal((await readWhole(storage, ANN)).length, ROWS)

    equal(await removeOne(storage, ANN, { version, replacement }), 'removed')
    const anon = { tenant: '', user: 'anon' }
    deepEqual([await readWhole(storage, ANN), await readAwards(storage, ANN)], [[], []])
    deepEqual([await readWhole(storage, anon), await readAwards(storage, anon)], [lines, awards])

    equal(await removeOne(storage, anon), 'removed')
    equal(await removeOne(storage, anon), 'unknown')
    deepEqual([await readWhole(storage, anon), await readAwards(storage, anon)], [[], []])
    deepEqual(await loadUserKeys(storage), [BOB])
    equal((await readWhole(storage, BOB)).length, 1)
    // Its entry ids are free again.
    await create(storage, ANN)
  }),
]
