// How long a process has a subscription, and by which clock.

import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { loadDocument } from '../../src/sql/outbox.ts'
import { NOON } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { sharedPool, useEmptySchemas } from '../support/postgres.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextSchema = useEmptySchemas()
const types = ['user.created'] as const
const MINUTE = 60_000

function on(storage: Storage, clock?: () => Date) {
  const engine = createGamification({ game, storage, ...(clock && { clock }) })
  onTestFinished(() => engine.close())
  return engine
}

/** Until when the subscription is leased, by its document. */
async function leasedUntil(storage: Storage): Promise<number> {
  const document = await loadDocument(storage, 'subscription', 'mailer')
  return JSON.parse(document?.text ?? '{}').until
}

test('a lease ends by the clock of the database, also that of a process four minutes ahead', async () => {
  const database = { behind: 4 * MINUTE }
  const storage = extendStorage(memory(), () => ({
    checkWritable: async () => ({ now: Date.now() - database.behind }),
  }))
  const ahead = on(storage)
  await ahead.migrate()
  await ahead.subscribe('mailer', { types }, () => {
    throw new Error('The receiver is down')
  })
  await ahead.users.create({ id: 'ann' })
  await ahead.workOnce()
  const left = (await leasedUntil(storage)) - (Date.now() - database.behind)
  expect(left).toBeGreaterThan(20_000)
  expect(left).toBeLessThan(31_000)
  expect(await ahead.subscriptions.list()).toMatchObject([{ isActive: true }])
})

test('isActive follows the clock of the database', async () => {
  const database = { behind: 0 }
  const storage = extendStorage(memory(), () => ({
    checkWritable: async () => ({ now: Date.now() - database.behind }),
  }))
  const engine = on(storage)
  await engine.migrate()
  await engine.subscribe('mailer', { types }, () => undefined)
  await engine.users.create({ id: 'ann' })
  await engine.workOnce()
  expect(await engine.subscriptions.list()).toMatchObject([{ isActive: true }])
  database.behind = -MINUTE
  await engine.health()
  expect(await engine.subscriptions.list()).toMatchObject([{ isActive: false }])
})

test('a lease lasts longer than a transaction of the handler may, whatever the deadline', async () => {
  const schema = nextSchema()
  const clock = { now: Date.parse(NOON) }
  const open = () => on(postgres(sharedPool(), { schema, deadlineMs: 60_000 }), () => new Date(clock.now))
  const [engine, other] = [open(), open()]
  await engine.migrate()
  const handled: string[] = []
  await engine.subscribe('mailer', { types }, async (messages, { tx }) => {
    await tx.query('select 1')
    // The transaction stays open for 50 seconds, and the other process looks for work meanwhile.
    clock.now += 50_000
    await other.workOnce()
    handled.push(...messages.map(({ userId }) => `first ${userId}`))
  })
  await other.subscribe('mailer', { types }, (messages) => {
    handled.push(...messages.map(({ userId }) => `other ${userId}`))
  })
  await engine.users.create({ id: 'ann' })
  expect(await engine.workOnce()).toMatchObject({ handled: 1, failed: 0 })
  expect(handled).toEqual(['first ann'])
})
