import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutboxTransaction } from '../../storage/outbox.ts'
import { column, readState, rejectsWith, type StorageCase, store, test } from './case.ts'
import { delivery, document, ends, message, putDeliveries, putDocument, readAll, undone } from './outbox-samples.ts'
import { ANN, event, NOON } from './samples.ts'

export const openTransactionCases: readonly StorageCase[] = [
  test('documents/versions: a document is written on the version that is known, and gets the next one', async (storage) => {
    equal(await storage.document('subscription', 'mailer'), null)
    equal(await putDocument(storage, document('mailer', { version: 1 })), false)
    equal(await putDocument(storage, document('mailer')), true)
    deepEqual(await storage.document('subscription', 'mailer'), document('mailer', { version: 1 }))
    equal(await putDocument(storage, document('mailer')), false)
    equal(await putDocument(storage, document('mailer', { version: 1, text: '"Ä"' })), true)
    equal(await putDocument(storage, document('mailer', { version: 1, text: 'late' })), false)
    deepEqual(await storage.document('subscription', 'mailer'), document('mailer', { version: 2, text: '"Ä"' }))
  }),
  test('documents/kinds: documents are listed by kind, in the order of their names, byte by byte', async (storage) => {
    for (const name of ['b', 'ä', 'B', '💡', '\uE000']) await putDocument(storage, document(name))
    await putDocument(storage, document('b', { kind: 'webhook' }))
    deepEqual(column(await storage.documents('subscription'), 'name'), ['B', 'b', 'ä', '\uE000', '💡'])
    deepEqual(await storage.documents('webhook'), [document('b', { kind: 'webhook', version: 1 })])
    deepEqual(await storage.documents('clock'), [])
  }),
  test('documents/removed: a version of a document that was removed never comes again', async (storage) => {
    await putDocument(storage, document('mailer'))
    await putDocument(storage, document('mailer', { version: 1 }))
    const remove = (version: number): Promise<boolean> =>
      storage.openTransaction((tx) => tx.removeDocument(document('mailer', { version })))
    deepEqual([await remove(1), await remove(0), await remove(2), await remove(2)], [false, false, true, false])
    equal(await storage.document('subscription', 'mailer'), null)
    deepEqual(await storage.documents('subscription'), [])
    equal(await putDocument(storage, document('mailer', { version: 2 })), false)
    equal(await putDocument(storage, document('mailer')), true)
    const { version } = (await storage.document('subscription', 'mailer')) ?? document('mailer')
    equal(version > 2, true)
  }),
  test('documents/fence: of many who write on one version exactly one wins', async (storage) => {
    const race = (version: number): Promise<readonly boolean[]> =>
      Promise.all(
        Array.from({ length: 8 }, (_, n) => putDocument(storage, document('mailer', { version, text: `${n}` }))),
      )
    const first = await race(0)
    equal(first.filter(Boolean).length, 1)
    equal((await storage.document('subscription', 'mailer'))?.text, `${first.indexOf(true)}`)
    const second = await race(1)
    equal(second.filter(Boolean).length, 1)
    deepEqual(
      await storage.document('subscription', 'mailer'),
      document('mailer', { version: 2, text: `${second.indexOf(true)}` }),
    )
  }),
  test('open-transaction/whole: all of a transaction is stored when its work is done, with what it resolved to', async (storage) => {
    await putDeliveries(storage, [delivery('gone', 1)])
    const everything = async (tx: OutboxTransaction): Promise<string> => {
      await tx.putMessages([{ ...message(7), tenant: 'acme', user: null }])
      await tx.putDeliveries([delivery('hook', 1)])
      await tx.removeReceiver('gone')
      equal(await tx.putDocument(document('mailer')), true)
      return 'done'
    }
    equal(await storage.openTransaction(everything), 'done')
    deepEqual(await storage.deliveries({ receiver: 'hook', limit: 5 }), [delivery('hook', 1)])
    deepEqual(await storage.deliveries({ receiver: 'gone', limit: 5 }), [])
    equal((await storage.document('subscription', 'mailer'))?.version, 1)
    deepEqual(ends(await readAll(storage)), [0, 7])
  }),
  test('open-transaction/undone: nothing is stored when the work throws, and what it threw is what is thrown', async (storage) => {
    await putDeliveries(storage, [delivery('kept', 1)])
    await putDocument(storage, document('removed'))
    await undone(storage, async (tx) => {
      await tx.putMessages([{ ...message(7), tenant: 'acme', user: null }])
      await tx.putDeliveries([delivery('hook', 1)])
      await tx.removeReceiver('kept')
      equal(await tx.putDocument(document('mailer')), true)
      equal(await tx.putDocument(document('mailer', { version: 1 })), true)
      equal(await tx.removeDocument(document('removed', { version: 1 })), true)
      equal(await tx.putDocument(document('removed', { version: 1 })), false)
    })
    await undone(storage, async () => undefined)
    deepEqual(await storage.deliveries({ receiver: 'hook', limit: 5 }), [])
    deepEqual(await storage.deliveries({ receiver: 'kept', limit: 5 }), [delivery('kept', 1)])
    equal(await storage.document('subscription', 'mailer'), null)
    equal((await storage.document('subscription', 'removed'))?.version, 1)
    deepEqual(ends(await readAll(storage)), [0])
  }),
  test('open-transaction/own-writes: a transaction sees what it has written: a document that it put has the next version', async (storage) => {
    const seen = await storage.openTransaction(async (tx) => [
      await tx.putDocument(document('mailer')),
      await tx.putDocument(document('mailer')),
      await tx.putDocument(document('mailer', { version: 1 })),
      await tx.removeDocument(document('mailer', { version: 2 })),
      await tx.putDocument(document('mailer', { version: 2 })),
      await tx.putDocument(document('mailer')),
    ])
    deepEqual(seen, [true, false, true, true, false, true])
    equal(((await storage.document('subscription', 'mailer'))?.version ?? 0) > 2, true)
  }),
  test('open-transaction/beside: while a transaction stays open others write, or wait, and all is there in the end', async (storage) => {
    const writes: Promise<unknown>[] = []
    await storage.openTransaction(async (tx) => {
      await tx.putDocument(document('mailer'))
      writes.push(
        store(storage, ANN, { appended: [event(1)] }),
        putDocument(storage, document('other')),
        storage.removeMessages(10, NOON, 10),
      )
      await sleep(30)
      await tx.putMessages([{ ...message(1), tenant: '', user: null }])
    })
    await Promise.all(writes)
    equal((await readState(storage, ANN)).seq, 1)
    equal((await storage.documents('subscription')).length, 2)
    deepEqual(ends(await readAll(storage)), [1])
  }),
  test('open-transaction/user-gone: a message about a user who is not there is passed over', async (storage) => {
    await store(storage, ANN, { appended: [event(1)] })
    await storage.openTransaction((tx) =>
      tx.putMessages(['ann', 'bob', null].map((user, index) => ({ ...message(index), tenant: '', user }))),
    )
    deepEqual(ends(await readAll(storage)), [0, 2])
  }),
  test('open-transaction/over: what is asked after the end of a transaction is refused, and not stored', async (storage) => {
    let late: OutboxTransaction | null = null
    await storage.openTransaction(async (tx) => {
      late = tx
      await tx.putDocument(document('mailer'))
    })
    const kept = late as OutboxTransaction | null
    if (kept === null) throw new Error('The work was not called.')
    await rejectsWith('storage_unusable', kept.putDocument(document('late')))
    equal(await storage.document('subscription', 'late'), null)
  }),
  test('open-transaction/deadline: work that takes longer than the deadline is undone, and unavailable', async (storage) => {
    const never = storage.until(performance.now() + 150).openTransaction(async (tx) => {
      await tx.putDocument(document('mailer'))
      await new Promise(() => undefined)
    })
    await rejectsWith('unavailable', never)
    equal(await storage.document('subscription', 'mailer'), null)
    equal(await putDocument(storage, document('mailer')), true)
    await rejectsWith(
      'unavailable',
      storage.until(performance.now() - 1).openTransaction((tx) => tx.putDocument(document('b'))),
    )
    equal(await storage.document('subscription', 'b'), null)
  }),
]
