import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../errors.ts'
import type { Entry } from '../../rules/entry.ts'
import { loadDeliveries, putDeliveries, removeReceiver } from '../../sql/deliveries.ts'
import { loadEvents, loadEventValues, loadHeldEvents, loadLog, loadMetricValues } from '../../sql/log.ts'
import { putMessages, removeMessages } from '../../sql/messages.ts'
import * as outbox from '../../sql/outbox.ts'
import { loadDocument, loadDocuments, removeDocument } from '../../sql/outbox.ts'
import { loadUser, lockAndLoadUser } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { OpenTransaction, Storage, StoredUser, UserTransaction } from '../../storage/storage.ts'
import type { StorageCase } from './case.ts'
import { column, create, range, readState, rejectsWith, requestFor, saveOf, store, test } from './case.ts'
import { delivery, document, ends, message, putDocument, readMessages, storeDeliveries } from './outbox-samples.ts'
import { ANN, BOB, eventOf, NOON, sampleEvent } from './samples.ts'

/** Appends an entry to the log of ann after what was read there. */
function* append(tx: UserTransaction, name: string): Steps<StoredUser> {
  const storedUser = yield* lockAndLoadUser(tx, ANN)
  const seq = (storedUser.state?.seq ?? 0) + 1
  const save = saveOf(storedUser, { appended: [sampleEvent(seq, { id: `${name}-${seq}`, at: NOON + seq })] })
  deepEqual(yield* wait(tx.save(ANN, storedUser, save)), [])
  return storedUser
}

/** Writes a document in an open transaction. Returns whether it was new. */
async function put(tx: OpenTransaction, name: string): Promise<boolean> {
  return runSteps(outbox.putDocument(tx, document(name)))
}

/** Appends an entry when no transaction holds ann. Only reads bob. */
async function write(storage: Storage): Promise<void> {
  const requests = [ANN, BOB].map(requestFor)
  for (;;) {
    const { failures } = await storage.commit(requests, (users) =>
      users.map((user) => {
        const seq = (user.state?.seq ?? 0) + 1
        return user.user === 'ann' ? saveOf(user, { appended: [sampleEvent(seq, { at: NOON + seq })] }) : null
      }),
    )
    const [failure] = failures
    if (failure === undefined) return
    if (failure.locked === undefined) throw failure.error
    await sleep(5)
  }
}

export function held(key: Pick<UserKey, 'user'>, seq: number, at?: number): Entry {
  const id = `${key.user}-${seq}`
  return eventOf(key, seq, { id, voidedBy: id, ...(at === undefined ? {} : { at }) })
}

export const transactionCases: readonly StorageCase[] = [
  test('transaction/stored: a transaction stores what was saved in it, and answers with the result of its work', async (storage) => {
    await create(storage, ANN)
    const storedUser = await storage.transaction((tx) => append(tx, 'held'))
    equal(storedUser.state?.seq, 1)
    equal((await readState(storage, ANN)).seq, 2)
    const lines = await storage.transaction((tx) => wait(loadLog(tx, ANN)))
    deepEqual(column(lines, 'seq'), [1, 2])
    await store(storage, ANN, { appended: [sampleEvent(3)] })
    equal((await readState(storage, ANN)).seq, 3)
  }),
  test('transaction/changes: changes() is another number after each write that commit did not make', async (storage) => {
    const seen = [storage.changes()]
    await storage.transaction((tx) => wait(tx.lock('a test')))
    seen.push(storage.changes())
    await storage.openTransaction((tx) => put(tx, 'one'))
    seen.push(storage.changes())
    await removeMessages(storage, 0, NOON, 1)
    seen.push(storage.changes())
    equal(new Set(seen).size, 4)
  }),
  test('transaction/undone: a transaction whose work throws stores nothing, and rejects with what was thrown', async (storage) => {
    await create(storage, ANN)
    const own = new GamificationError('limit_exceeded', 'No.')
    const failing = storage.transaction(function* (tx) {
      yield* append(tx, 'held')
      throw own
    })
    await rejects(failing, own)
    equal((await readState(storage, ANN)).seq, 1)
    await store(storage, ANN, { appended: [sampleEvent(2)] })
    equal((await readState(storage, ANN)).seq, 2)
  }),
  test('transaction/waits: if the storage answers at once, a transaction whose steps wait is rejected and stores nothing', async (storage) => {
    await create(storage, ANN)
    const isAtOnce = await storage.transaction(function* (tx) {
      const locked = tx.lockUser(ANN)
      yield* wait(locked)
      return !(locked instanceof Promise)
    })
    const waiting = storage.transaction(function* (tx) {
      yield* wait(sleep(1))
      yield* append(tx, 'late')
    })
    if (isAtOnce) await rejectsWith('internal', waiting)
    else await waiting
    await sleep(5)
    equal((await readState(storage, ANN)).seq, isAtOnce ? 1 : 2)
  }),
  test('transaction/locked: others write a locked user only after the transaction has ended', async (storage) => {
    await create(storage, ANN)
    const holding = Array.from({ length: 8 }, (_, index) => storage.transaction((tx) => append(tx, `held-${index}`)))
    const writing = Array.from({ length: 8 }, () => write(storage))
    const [views] = [await Promise.all(holding), await Promise.all(writing)]
    equal(new Set(views.map(({ state }) => state?.seq)).size, 8)
    equal((await readState(storage, ANN)).seq, 17)
    deepEqual(column(await loadLog(storage, ANN), 'seq'), range(17))
  }),
  test('transaction/removed: a user removed in a transaction is gone after the commit, and stays after a rollback', async (storage) => {
    await create(storage, ANN)
    const failing = storage.transaction(function* (tx) {
      const { version } = yield* lockAndLoadUser(tx, ANN)
      equal(yield* wait(tx.removeUser(ANN, { version })), 'removed')
      throw new GamificationError('limit_exceeded', 'No.')
    })
    await rejectsWith('limit_exceeded', failing)
    equal((await readState(storage, ANN)).seq, 1)
    const outcomes = await storage.transaction(function* (tx) {
      const { version } = yield* lockAndLoadUser(tx, ANN)
      const other = yield* wait(tx.removeUser(ANN, { version: version + 1 }))
      return [other, yield* wait(tx.removeUser(ANN, { version }))]
    })
    deepEqual(outcomes, ['changed', 'removed'])
    equal((await loadUser(storage, ANN)).state, null)
    deepEqual(await loadLog(storage, ANN), [])
  }),
  test('held/line: an event is appended held back, and adds nothing to what is read of events', async (storage) => {
    const line = sampleEvent(2, {
      id: 'h',
      voidedBy: 'h',
      value: 7,
      idempotencyKey: 'k',
      attributes: new Map([['a', 'b']]),
    })
    await store(storage, ANN, { appended: [sampleEvent(1), line] })
    deepEqual(await loadLog(storage, ANN), [sampleEvent(1), line])
    deepEqual(await loadHeldEvents(storage, ''), [{ user: 'ann', event: line }])
    const own = [{ at: NOON + 1, seq: 1, date: 20_513, value: 1 }]
    deepEqual(await loadMetricValues(storage, ANN, 'words'), own)
    deepEqual((await loadEvents(storage, ANN)).events.length, 1)
    deepEqual((await loadEventValues(storage, '')).values, [{ user: 'ann', key: 'words', ...own[0] }])
    const lookups = [{ metric: 'words', idempotencyKey: 'k' }]
    deepEqual((await loadUser(storage, ANN, { lookups })).found, ['h'])
  }),
  test('held/approved: a line that is held back counts once it is stored without its void, and is void once it has another', async (storage) => {
    const voided = eventOf(ANN, 2, { voidedBy: 'void' })
    await store(storage, ANN, { appended: [held(ANN, 1), held(ANN, 2)] })
    await store(storage, ANN, {
      appended: [{ ...sampleEvent(3), kind: 'eventApproved', event: 'ann-1' }],
      updatedEntries: [eventOf(ANN, 1), voided],
    })
    deepEqual((await loadLog(storage, ANN)).slice(0, 2), [eventOf(ANN, 1), voided])
    const own = [{ at: NOON + 1, seq: 1, date: 20_513, value: 1 }]
    deepEqual(await loadMetricValues(storage, ANN, 'words'), own)
    deepEqual(await loadHeldEvents(storage, ''), [])
  }),
  test('documents/versions: a document is written on the version that is known, and gets the next one', async (storage) => {
    equal(await loadDocument(storage, 'subscription', 'mailer'), null)
    equal(await putDocument(storage, document('mailer', { version: 1 })), false)
    equal(await putDocument(storage, document('mailer')), true)
    deepEqual(await loadDocument(storage, 'subscription', 'mailer'), document('mailer', { version: 1 }))
    equal(await putDocument(storage, document('mailer')), false)
    equal(await putDocument(storage, document('mailer', { version: 1, text: '"Ä"' })), true)
    equal(await putDocument(storage, document('mailer', { version: 1, text: 'late' })), false)
    deepEqual(await loadDocument(storage, 'subscription', 'mailer'), document('mailer', { version: 2, text: '"Ä"' }))
  }),
  test('documents/kinds: documents are listed by kind, in the order of their names, byte by byte', async (storage) => {
    for (const name of ['b', 'ä', 'B', '💡', '\uE000']) await putDocument(storage, document(name))
    await putDocument(storage, document('b', { kind: 'webhook' }))
    deepEqual(column(await loadDocuments(storage, 'subscription'), 'name'), ['B', 'b', 'ä', '\uE000', '💡'])
    deepEqual(await loadDocuments(storage, 'webhook'), [document('b', { kind: 'webhook', version: 1 })])
    deepEqual(await loadDocuments(storage, 'clock'), [])
  }),
  test('documents/removed: a version of a document that was removed never comes again', async (storage) => {
    await putDocument(storage, document('mailer'))
    await putDocument(storage, document('mailer', { version: 1 }))
    const remove = (version: number): Promise<boolean> =>
      storage.transaction((tx) => removeDocument(tx, document('mailer', { version })))
    deepEqual([await remove(1), await remove(0), await remove(2), await remove(2)], [false, false, true, false])
    equal(await loadDocument(storage, 'subscription', 'mailer'), null)
    deepEqual(await loadDocuments(storage, 'subscription'), [])
    equal(await putDocument(storage, document('mailer', { version: 2 })), false)
    equal(await putDocument(storage, document('mailer')), true)
    const { version } = (await loadDocument(storage, 'subscription', 'mailer')) ?? document('mailer')
    equal(version > 2, true)
  }),
  test('documents/fence: of many who write on one version exactly one wins', async (storage) => {
    const race = (version: number): Promise<readonly boolean[]> =>
      Promise.all(range(8).map((n) => putDocument(storage, document('mailer', { version, text: `${n}` }))))
    const first = await race(0)
    equal(first.filter(Boolean).length, 1)
    equal((await loadDocument(storage, 'subscription', 'mailer'))?.text, `${first.indexOf(true) + 1}`)
    const second = await race(1)
    equal(second.filter(Boolean).length, 1)
    const winner = document('mailer', { version: 2, text: `${second.indexOf(true) + 1}` })
    deepEqual(await loadDocument(storage, 'subscription', 'mailer'), winner)
  }),
  test('outbox/whole: all that a transaction writes to the outbox is stored when its steps end', async (storage) => {
    await storeDeliveries(storage, [delivery('gone', 1)])
    const done = await storage.transaction(function* (tx) {
      yield* putMessages(tx, [{ ...message(7), tenant: 'acme', user: null }])
      yield* putDeliveries(tx, [delivery('hook', 1)])
      yield* removeReceiver(tx, 'gone')
      return yield* outbox.putDocument(tx, document('mailer'))
    })
    equal(done, true)
    deepEqual(await loadDeliveries(storage, { receiver: 'hook', limit: 5 }), [delivery('hook', 1)])
    deepEqual(await loadDeliveries(storage, { receiver: 'gone', limit: 5 }), [])
    equal((await loadDocument(storage, 'subscription', 'mailer'))?.version, 1)
    deepEqual(ends(await readMessages(storage)), [0, 7])
  }),
  test('outbox/undone: nothing is stored in the outbox when the steps of a transaction throw', async (storage) => {
    await storeDeliveries(storage, [delivery('kept', 1)])
    await putDocument(storage, document('removed'))
    const own = new GamificationError('limit_exceeded', 'No.')
    const failing = storage.transaction(function* (tx) {
      yield* putMessages(tx, [{ ...message(7), tenant: 'acme', user: null }])
      yield* putDeliveries(tx, [delivery('hook', 1)])
      yield* removeReceiver(tx, 'kept')
      equal(yield* outbox.putDocument(tx, document('mailer')), true)
      equal(yield* outbox.putDocument(tx, document('mailer', { version: 1 })), true)
      equal(yield* removeDocument(tx, document('removed', { version: 1 })), true)
      equal(yield* outbox.putDocument(tx, document('removed', { version: 1 })), false)
      throw own
    })
    await rejects(failing, own)
    deepEqual(await loadDeliveries(storage, { receiver: 'hook', limit: 5 }), [])
    deepEqual(await loadDeliveries(storage, { receiver: 'kept', limit: 5 }), [delivery('kept', 1)])
    equal(await loadDocument(storage, 'subscription', 'mailer'), null)
    equal((await loadDocument(storage, 'subscription', 'removed'))?.version, 1)
    deepEqual(ends(await readMessages(storage)), [0])
  }),
  test('outbox/own-writes: a transaction sees what it has written: a document that it put has the next version', async (storage) => {
    const seen = await storage.transaction(function* (tx) {
      return [
        yield* outbox.putDocument(tx, document('mailer')),
        yield* outbox.putDocument(tx, document('mailer')),
        yield* outbox.putDocument(tx, document('mailer', { version: 1 })),
        yield* removeDocument(tx, document('mailer', { version: 2 })),
        yield* outbox.putDocument(tx, document('mailer', { version: 2 })),
        yield* outbox.putDocument(tx, document('mailer')),
      ]
    })
    deepEqual(seen, [true, false, true, true, false, true])
    equal(((await loadDocument(storage, 'subscription', 'mailer'))?.version ?? 0) > 2, true)
  }),
  test('outbox/user-gone: a message about a user who is not there is passed over', async (storage) => {
    await create(storage, ANN)
    const messages = ['ann', 'bob', null].map((user, index) => ({ ...message(index), tenant: '', user }))
    await storage.transaction((tx) => putMessages(tx, messages))
    deepEqual(ends(await readMessages(storage)), [0, 2])
  }),
  test('open-transaction/undone: nothing is stored when the work throws, and what it threw is what is thrown', async (storage) => {
    const thrown = new Error('undone')
    const outcome = storage.openTransaction(async (tx) => {
      equal(await put(tx, 'mailer'), true)
      throw thrown
    })
    await rejects(outcome, (error) => error === thrown)
    equal(await loadDocument(storage, 'subscription', 'mailer'), null)
    const empty = storage.openTransaction(async () => {
      throw thrown
    })
    await rejects(empty, (error) => error === thrown)
  }),
  test('open-transaction/beside: while a transaction stays open others write, or wait, and all is there in the end', async (storage) => {
    const writes: Promise<unknown>[] = []
    await storage.openTransaction(async (tx) => {
      await put(tx, 'mailer')
      writes.push(create(storage, ANN))
      writes.push(putDocument(storage, document('other')), removeMessages(storage, 10, NOON, 10))
      await sleep(30)
      await runSteps(putMessages(tx, [{ ...message(1), tenant: '', user: null }]))
    })
    await Promise.all(writes)
    equal((await readState(storage, ANN)).seq, 1)
    equal((await loadDocuments(storage, 'subscription')).length, 2)
    deepEqual(ends(await readMessages(storage)), [1])
  }),
  test('open-transaction/over: what is asked after the end of a transaction is refused, and not stored', async (storage) => {
    let late: OpenTransaction | null = null
    await storage.openTransaction(async (tx) => {
      late = tx
      await put(tx, 'mailer')
    })
    const kept = late as OpenTransaction | null
    if (kept === null) throw new Error('The work was not called.')
    await rejectsWith('storage_unusable', put(kept, 'late'))
    equal(await loadDocument(storage, 'subscription', 'late'), null)
  }),
  test('open-transaction/deadline: work that takes longer than the deadline is undone, and unavailable', async (storage) => {
    const never = storage.until(performance.now() + 150).openTransaction(async (tx) => {
      await put(tx, 'mailer')
      await new Promise(() => undefined)
    })
    await rejectsWith('unavailable', never)
    equal(await loadDocument(storage, 'subscription', 'mailer'), null)
    equal(await putDocument(storage, document('mailer')), true)
    await rejectsWith('unavailable', putDocument(storage.until(performance.now() - 1), document('b')))
    equal(await loadDocument(storage, 'subscription', 'b'), null)
  }),
]
