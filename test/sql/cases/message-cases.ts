import { deepEqual, equal } from 'node:assert/strict'
import { auditRows, repairRows } from '../../../src/sql/audit.ts'
import { loadDeliveries, putDeliveries } from '../../../src/sql/deliveries.ts'
import {
  assignPositions,
  countMessages,
  loadDueMessages,
  loadDueUsers,
  loadMessages,
  loadNewestPosition,
  loadNextDue,
  putMessages,
  removeMessages,
  replaceMessages,
} from '../../../src/sql/messages.ts'
import { clearTenant } from '../../../src/sql/queries.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { NoticeCursor, WrittenMessage } from '../../../src/storage/outbox.ts'
import {
  column,
  create,
  range,
  removeOne,
  requestFor,
  type StorageCase,
  saveOf,
  store,
  test,
} from '../../../src/testing/storage/case.ts'
import {
  delivery,
  ends,
  message,
  readMessages,
  sampleId,
  saveMessages,
} from '../../../src/testing/storage/outbox-samples.ts'
import { ANN, BOB, eventOf, IN_ACME, NOON, sampleEvent } from '../../../src/testing/storage/samples.ts'

const QUARTER = 900_000

export const messageCases: readonly StorageCase[] = [
  test('messages/position: a message has no position until one is given, and then all that it was written with', async (storage) => {
    const sent = message(1, { type: 'user.created', at: NOON + 5, data: '{"name":"Ä \\u0000 💡"}' })
    await saveMessages(storage, ANN, [sent], { appended: [sampleEvent(1)] })
    equal(await loadNewestPosition(storage), 0)
    deepEqual(await loadMessages(storage, { after: 0, limit: 10 }), [])
    equal(await assignPositions(storage, 10), 1)
    equal(await assignPositions(storage, 10), 0)
    equal(await loadNewestPosition(storage), 1)
    const [read] = await loadMessages(storage, { after: 0, limit: 10 })
    deepEqual(read, { ...sent, position: 1, number: read?.number, tenant: '', user: 'ann' })
  }),
  test('messages/order: positions follow the order in which messages were written, and never come again', async (storage) => {
    await saveMessages(storage, ANN, [message(1), message(2)], { appended: [sampleEvent(1)] })
    await saveMessages(storage, BOB, [message(3)], { appended: [eventOf(BOB, 1)] })
    await saveMessages(storage, ANN, [message(4)], { appended: [sampleEvent(2)] })
    equal(await assignPositions(storage, 3), 3)
    deepEqual(ends(await loadMessages(storage, { after: 0, limit: 10 })), [1, 2, 3])
    deepEqual(ends(await readMessages(storage)), [1, 2, 3, 4])
    deepEqual(ends(await loadMessages(storage, { after: 1, limit: 2 })), [2, 3])
    equal(await removeMessages(storage, 4, NOON + 1, 10), 4)
    await saveMessages(storage, ANN, [message(5)])
    deepEqual(column(await readMessages(storage), 'position'), [5])
    equal(await loadNewestPosition(storage), 5)
  }),
  test('messages/same-id: the same message may be written twice: both are there', async (storage) => {
    await saveMessages(storage, ANN, [message(1), message(1)])
    deepEqual(ends(await readMessages(storage)), [1, 1])
  }),
  test('messages/emails: an email is written once, until it is removed', async (storage) => {
    const email = message(1, { type: 'emails.recap_due' })
    await saveMessages(storage, ANN, [email])
    await saveMessages(storage, ANN, [email, message(2, { type: 'emails.recap_due' })])
    deepEqual(ends(await readMessages(storage)), [1, 2])
    await saveMessages(storage, ANN, [email])
    deepEqual(ends(await readMessages(storage)), [1, 2])
    equal(await removeMessages(storage, 2, NOON + 1, 10), 2)
    await saveMessages(storage, ANN, [email])
    deepEqual(ends(await readMessages(storage)), [1])
  }),
  test('messages/alone: a save may have messages and nothing else: the state stays, and the version is another one', async (storage) => {
    await create(storage, ANN)
    const before = await loadUser(storage, ANN)
    await saveMessages(storage, ANN, [message(1)])
    const after = await loadUser(storage, ANN)
    deepEqual(after.state, before.state)
    equal(after.version === before.version, false)
    deepEqual(ends(await readMessages(storage)), [1])
  }),
  test('messages/types: messages are read and counted by their types', async (storage) => {
    const types = ['user.created', 'points.changed', 'user.created', 'streak.lost', "it's", 'user.created']
    const messages = types.map((type, index) => message(index + 1, { type }))
    await saveMessages(storage, ANN, messages)
    await readMessages(storage)
    const read = async (after: number, ...wanted: readonly string[]): Promise<readonly number[]> =>
      ends(await loadMessages(storage, { after, types: wanted, limit: 2 }))
    deepEqual(await read(0, 'user.created'), [1, 3])
    deepEqual(await read(1, 'user.created', 'streak.lost'), [3, 4])
    deepEqual(await read(0, "it's"), [5])
    deepEqual(await read(0), [])
    const count = (after: number, most: number): Promise<number> =>
      countMessages(storage, { after, types: ['user.created', 'streak.lost'], most })
    deepEqual([await count(0, 10), await count(3, 10), await count(0, 2), await count(6, 10)], [4, 2, 2, 0])
  }),
  test('messages/due: what waits to be merged has no position, and is due with others of its id, the longest due first', async (storage) => {
    const due = NOON + QUARTER
    await saveMessages(storage, ANN, [message(7, { due }), message(5, { due: due + QUARTER }), message(6, { due })])
    await saveMessages(storage, BOB, [message(6, { due }), message(1)])
    deepEqual(ends(await readMessages(storage)), [1])
    deepEqual(await loadDueMessages(storage, due - 1, 10), [])
    const found = await loadDueMessages(storage, due, 10)
    deepEqual(ends(found), [6, 6, 7])
    deepEqual(column(found, 'user'), ['ann', 'bob', 'ann'])
    equal((found[0]?.number ?? 0) < (found[1]?.number ?? 0), true)
    deepEqual(ends(await loadDueMessages(storage, due + QUARTER, 10)), [6, 6, 7, 5])
    deepEqual(ends(await loadDueMessages(storage, due + QUARTER, 2)), [6, 6])
  }),
  test('messages/replaced: messages are replaced by one, once: of two who replace the same the second changes nothing', async (storage) => {
    await saveMessages(storage, ANN, [message(1, { due: NOON }), message(1, { due: NOON }), message(2, { due: NOON })])
    const [first, second, third] = await loadDueMessages(storage, NOON, 10)
    const merged = { ...message(3), tenant: '', user: null }
    const replace = (given: readonly (WrittenMessage | undefined)[]): Promise<boolean> => {
      const replaced = given.flatMap((each) => each ?? [])
      return storage.transaction((tx) => replaceMessages(tx, replaced, [merged]))
    }
    const both = await Promise.all([replace([first, second]), replace([first, second])])
    deepEqual(both.sort(), [false, true])
    equal(await replace([third, first]), false)
    deepEqual(ends(await loadDueMessages(storage, NOON, 10)), [2])
    const [read, ...others] = await readMessages(storage)
    deepEqual([read?.id, read?.user, others], [sampleId(3), null, []])
    equal((read?.number ?? 0) > (third?.number ?? 0), true)
    // It has a position now.
    equal(await replace([read]), false)
    equal((await readMessages(storage)).length, 1)
  }),
  test('messages/replaced-user: nothing is written about a user who is not there', async (storage) => {
    await saveMessages(storage, ANN, [message(1, { due: NOON })])
    const waiting = await loadDueMessages(storage, NOON, 10)
    const ofBob = { ...message(1), ...BOB }
    equal(await storage.transaction((tx) => replaceMessages(tx, waiting, [ofBob])), false)
    equal(await storage.transaction((tx) => replaceMessages(tx, waiting, [{ ...ofBob, ...ANN }])), true)
    deepEqual(ends(await readMessages(storage)), [1])
  }),
  test('messages/removed: messages are removed that are old and up to a position, no more than asked for', async (storage) => {
    const messages = [0, 1, 2, 9, 3].map((offset, index) => message(index + 1, { at: NOON + offset }))
    await saveMessages(storage, ANN, messages)
    await readMessages(storage)
    await saveMessages(storage, ANN, [message(6), message(7, { due: NOON })])
    equal(await removeMessages(storage, 4, NOON + 5, 2), 2)
    equal(await removeMessages(storage, 4, NOON + 5, 2), 1)
    equal(await removeMessages(storage, 4, NOON + 5, 2), 0)
    deepEqual(ends(await readMessages(storage)), [4, 5, 6])
    equal((await loadDueMessages(storage, NOON, 10)).length, 1)
  }),
  test('messages/at-once: of many writers and placers at once no message is lost, none comes twice, and each user has its own order', async (storage) => {
    const [rounds, users] = [12, ['a', 'b', 'c', 'd']]
    const write = async (user: string): Promise<void> => {
      for (let round = 1; round <= rounds; round += 1) {
        const key = { tenant: '', user }
        await saveMessages(storage, key, [message(round)], { appended: [eventOf(key, round)] })
      }
    }
    const place = async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) await assignPositions(storage, 5)
    }
    await Promise.all([...users.map(write), place(), place(), place()])
    const read = await readMessages(storage)
    deepEqual(column(read, 'position'), range(rounds * users.length))
    for (const each of users) {
      const own = ends(read.filter(({ user }) => user === each))
      deepEqual(own, range(rounds))
    }
  }),
  test('notices/kept: `notices` is null at first, then what a save says, and stays if a save says nothing; a decision gets it', async (storage) => {
    equal((await loadUser(storage, ANN)).notices, null)
    const first = { until: NOON, due: NOON + 7 }
    const second = { until: NOON + 9, due: null }
    const known: (NoticeCursor | null)[] = [null, null, first, first, second]
    for (const [index, notices] of [undefined, first, undefined, second, undefined].entries()) {
      let seen: NoticeCursor | null | undefined
      await storage.commit([requestFor(ANN)], (users) =>
        users.map((user) => {
          seen = user.notices
          return saveOf(user, { appended: [sampleEvent(index + 1)], ...(notices && { notices }) })
        }),
      )
      deepEqual([seen, (await loadUser(storage, ANN)).notices], [known[index], notices ?? known[index]])
    }
  }),
  test('notices/version: a save of `notices` alone changes the version, and is not decided on an earlier one', async (storage) => {
    await create(storage, ANN)
    const { version } = await loadUser(storage, ANN)
    const sweeps = Array.from({ length: 6 }, () =>
      storage.commit([requestFor(ANN)], (users) =>
        users.map((user) =>
          user.notices === null ? saveOf(user, { notices: { until: NOON, due: null }, messages: [message(1)] }) : null,
        ),
      ),
    )
    await Promise.all(sweeps)
    equal((await readMessages(storage)).length, 1)
    equal((await loadUser(storage, ANN)).version === version, false)
  }),
  test('notices/due: users are due by instant, then tenant and id; a user without notices is never due', async (storage) => {
    const due = async (key: typeof ANN, at: number | null): Promise<void> =>
      create(storage, key, { notices: { until: NOON, due: at } })
    await due(BOB, NOON + 2)
    await due(ANN, NOON + 2)
    await due(IN_ACME, NOON + 1)
    await due({ tenant: '', user: 'carol' }, NOON + 9)
    await due({ tenant: '', user: 'dan' }, null)
    await store(storage, { tenant: '', user: 'eve' }, { appended: [eventOf({ user: 'eve' }, 1)] })
    deepEqual(await loadDueUsers(storage, NOON, 10), [])
    deepEqual(await loadDueUsers(storage, NOON + 2, 10), [IN_ACME, ANN, BOB])
    deepEqual(await loadDueUsers(storage, NOON + 2, 2), [IN_ACME, ANN])
    await store(storage, IN_ACME, { notices: { until: NOON + 2, due: null } })
    deepEqual(await loadDueUsers(storage, NOON + 2, 10), [ANN, BOB])
  }),
  test('notices/next-due: the first of a notice, a waiting message, a delivery and a message without a position', async (storage) => {
    equal(await loadNextDue(storage), null)
    await storage.transaction((tx) => putDeliveries(tx, [delivery('hook', 1, { nextAt: NOON + 8 })]))
    equal(await loadNextDue(storage), null)
    await saveMessages(storage, ANN, [message(1)], { appended: [eventOf(ANN, 1)] })
    equal(await loadNextDue(storage), message(1).at)
    const [placed] = await readMessages(storage)
    equal(await loadNextDue(storage), null)
    const hooks = [
      delivery('a', placed?.position ?? 0, { nextAt: NOON + 7 }),
      delivery('b', placed?.position ?? 0, { nextAt: NOON + 6 }),
    ]
    await storage.transaction((tx) => putDeliveries(tx, hooks))
    equal(await loadNextDue(storage), NOON + 6)
    await create(storage, BOB, { notices: { until: NOON, due: NOON + 5 } })
    equal(await loadNextDue(storage), NOON + 5)
    await saveMessages(storage, BOB, [message(2, { due: NOON + 4 })])
    equal(await loadNextDue(storage), NOON + 4)
  }),
  test('notices/audit: an audit reads `notices` and compares it with nothing; a repair stores it, or leaves it', async (storage) => {
    const notices = { until: NOON, due: NOON + 3 }
    equal((await auditRows(storage, ANN, null)).notices, null)
    await create(storage, ANN, { notices })
    const { state, version } = await loadUser(storage, ANN)
    if (state === null) throw new Error('The user is not there.')
    const facts = { state, awards: [], movements: [], periods: [], challenges: [], leaderboards: [] }
    deepEqual(await auditRows(storage, ANN, facts), { version, lines: 1, drift: [], snapshots: 0, notices })
    equal(await repairRows(storage, ANN, facts, version), true)
    const repaired = await loadUser(storage, ANN)
    deepEqual(repaired.notices, notices)
    equal(repaired.version === version, false)
    const later = { until: NOON, due: NOON + 9 }
    equal(await repairRows(storage, ANN, { ...facts, notices: later }, version), false)
    equal(await repairRows(storage, ANN, { ...facts, notices: later }, repaired.version), true)
    const again = await loadUser(storage, ANN)
    deepEqual(again.notices, later)
    equal(await repairRows(storage, ANN, { ...facts, notices: null }, again.version), true)
    equal((await loadUser(storage, ANN)).notices, null)
    deepEqual(await loadDueUsers(storage, NOON + 9, 10), [])
  }),
  test('notices/removed: a removed user leaves no message, delivery or notice; those of others and of no user stay', async (storage) => {
    const notices = { until: NOON, due: NOON }
    for (const key of [ANN, BOB, IN_ACME]) {
      await saveMessages(storage, key, [message(1)], { appended: [eventOf(key, 1)], notices })
    }
    await storage.transaction((tx) => putMessages(tx, [{ ...message(2), tenant: '', user: null }]))
    const placed = await readMessages(storage)
    const deliveries = placed.map(({ position, tenant, user }) => delivery('hook', position, { tenant, user }))
    await storage.transaction((tx) => putDeliveries(tx, deliveries))
    for (const key of [ANN, BOB]) await saveMessages(storage, key, [message(3), message(4, { due: NOON })])
    equal(await removeOne(storage, ANN), 'removed')
    const whose = (rows: readonly { readonly tenant: string; readonly user: string | null }[]): unknown =>
      rows.map(({ tenant, user }) => `${tenant}/${user}`)
    deepEqual(whose(await loadDueMessages(storage, NOON, 10)), ['/bob'])
    deepEqual(whose(await readMessages(storage)), ['/bob', 'acme/ann', '/null', '/bob'])
    deepEqual(whose(await loadDeliveries(storage, { receiver: 'hook', limit: 10 })), ['/null', 'acme/ann', '/bob'])
    deepEqual(await loadDueUsers(storage, NOON, 10), [BOB, IN_ACME])
    equal((await loadUser(storage, ANN)).notices, null)
    await clearTenant(storage, '')
    deepEqual(await loadDueMessages(storage, NOON, 10), [])
    deepEqual(whose(await readMessages(storage)), ['acme/ann'])
    deepEqual(whose(await loadDeliveries(storage, { receiver: 'hook', limit: 10 })), ['acme/ann'])
  }),
  test('notices/replaced: who is stored in place of a removed user has the messages and the time of that save, and names keep theirs', async (storage) => {
    await saveMessages(storage, ANN, [message(1)], { appended: [sampleEvent(1)], notices: { until: NOON, due: NOON } })
    const { version } = await loadUser(storage, ANN)
    const sample = { appended: [sampleEvent(1)], messages: [message(2)], notices: { until: NOON + 1, due: null } }
    const save = saveOf({ state: null }, sample)
    const replacement = { epoch: 0, users: [{ user: 'anon', version: 0, save }] }
    equal(await removeOne(storage, ANN, { version, replacement }), 'removed')
    const anon = await loadUser(storage, { tenant: '', user: 'anon' })
    deepEqual(anon.notices, { until: NOON + 1, due: null })
    const messages = await readMessages(storage)
    deepEqual([ends(messages), column(messages, 'user')], [[2], ['anon']])
    const again = saveOf({ state: null }, { appended: [sampleEvent(1)] })
    const kept = { epoch: 0, users: [{ user: 'anon', version: 0, save: again }] }
    const key = { tenant: '', user: 'anon' }
    const options = { version: anon.version, keepsNames: true, replacement: kept }
    equal(await removeOne(storage, key, options), 'removed')
    equal((await loadUser(storage, key)).notices, null)
    equal((await readMessages(storage)).length, 1)
  }),
]
