// @heavy: It takes more than three seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { LIBRARIES } from './library-hosts.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { codeOf } from './settled.ts'
import { joined } from './writer.ts'

const world = useWorld()
afterAll(() => checkFold(world().storage))

/** The error of a call. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail('Nothing failed'),
    (error: unknown) => error,
  )

const isPostgresJs = (name: string): boolean => /postgres\.?js/i.test(name)

describe.each(LIBRARIES)('%s', (name, begin, state) => {
  test('a statement of the host that fails after the event undoes both', async () => {
    const { engine, pool, orders, dump, notes, nextUser } = world()
    const id = nextUser()
    await pool.query(`insert into ${orders} values ($1)`, [id])
    const before = await dump()
    const opened = await begin(pool)
    await opened.query(`insert into ${orders} values ($1)`, [`${id} too`])
    await joined(engine, opened.tx).metrics.event('words', { user: { id }, value: 1 })
    await failureOf(opened.query(`insert into ${orders} values ($1)`, [id]))
    // No call can be recorded after this.
    const error = await failureOf(engine.metrics.event('words', { user: { id }, value: 1 }, { tx: opened.tx }))
    await opened.rollback().catch(() => undefined)
    expect(error).toMatchObject({ name: 'GamificationError', code: 'storage_unusable' })
    expect(error).toMatchObject({ message: expect.stringContaining('has failed before') })
    expect(await dump()).toEqual(before)
    expect((await notes()).filter((note) => note.startsWith(id))).toEqual([id])
  })

  test.each(['commit', 'rollback'] as const)('after its %s a transaction is refused', async (end) => {
    const { engine, pool, dump, nextUser } = world()
    const id = nextUser()
    const opened = await begin(pool)
    const { metrics } = joined(engine, opened.tx)
    await metrics.event('words', { user: { id }, value: 1 })
    await opened[end]()
    const before = await dump()
    const error = await failureOf(engine.metrics.event('words', { user: { id }, value: 1 }, { tx: opened.tx }))
    expect(error).toMatchObject({ name: 'GamificationError', code: 'storage_unusable' })
    expect(error).toMatchObject({
      message: expect.stringMatching(/^(The transaction has ended|No transaction is open)/),
    })
    expect(await dump()).toEqual(before)
  })

  test("a serialization failure reaches the host as its library's own error", async () => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    await engine.users.create({ id })
    const opened = await begin(pool, 'repeatable read')
    await opened.query('select 1 as one')
    await engine.metrics.event('words', { user: { id }, value: 1 })
    let error: unknown = await failureOf(engine.metrics.event('words', { user: { id }, value: 1 }, { tx: opened.tx }))
    await opened.rollback().catch(() => undefined)
    for (const name of state) error = Object(error)[name]
    expect(error).toBe('40001')
  })

  test('a lock that does not come in time is unavailable, in words without the statement', async () => {
    const { engine, pool, orders, notes, nextUser } = world()
    const id = nextUser()
    await engine.users.create({ id })
    const first = await beginPg(pool)
    await joined(engine, first.tx).metrics.event('words', { user: { id }, value: 1 })
    const second = await begin(pool)
    await second.query(`set local lock_timeout = '50ms'`)
    await second.query(`insert into ${orders} values ($1)`, [id])
    const error = await failureOf(engine.metrics.event('words', { user: { id }, value: 1 }, { tx: second.tx }))
    // postgres.js rolls back what any statement has failed in, and rejects with that error.
    const outcome = await codeOf(second.commit())
    await first.rollback()
    expect([outcome, (await notes()).includes(id)]).toEqual(isPostgresJs(name) ? ['55P03', false] : ['ok', true])
    expect(error).toMatchObject({ name: 'GamificationError', code: 'unavailable' })
    const reason = 'Postgres could not be reached or locked in time: canceling statement due to lock timeout.'
    expect(error).toMatchObject({ message: `${reason} Nothing was saved; try again.` })
  })
})

// postgres.js itself ends the process if a statement follows on a connection that has broken.
const WITHOUT_POSTGRES_JS = LIBRARIES.filter(([name]) => !isPostgresJs(name))

test.each(WITHOUT_POSTGRES_JS)('%s: a connection that breaks is unavailable', async (_, begin) => {
  const { engine, pool, dump, nextUser } = world()
  const id = nextUser()
  const opened = await begin(pool)
  const { metrics } = joined(engine, opened.tx)
  await metrics.event('words', { user: { id }, value: 1 })
  const [row] = await opened.query('select pg_backend_pid() as pid')
  const before = await dump()
  await pool.query('select pg_terminate_backend($1)', [Object(row).pid])
  await sleep(20)
  const error = await failureOf(engine.metrics.event('words', { user: { id }, value: 1 }, { tx: opened.tx }))
  await opened.rollback().catch(() => undefined)
  expect(error).toMatchObject({ name: 'GamificationError', code: 'unavailable' })
  expect(await dump()).toEqual(before)
})
