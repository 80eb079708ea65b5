// @heavy: It takes more than three seconds.

import { afterAll, describe, expect, test } from 'vitest'
import { fromPg } from '../../adapters/postgres/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, isGamificationError } from '../../src/index.ts'
import { checkFold } from '../support/check-fold.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { REFUSED_CALLS } from './calls.ts'
import { LIBRARIES } from './library-hosts.ts'
import { beginPg, HOSTS } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { codeOf } from './settled.ts'
import { joined } from './writer.ts'

const world = useWorld()
afterAll(() => checkFold(world().storage))

/** The error of a call. */
async function failureOf(call: unknown): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('Nothing failed')
}

test('what another process has made possible again is not refused by what this one remembers', async () => {
  const { engine, another, nextUser } = world()
  const other = await another()
  const user = { id: nextUser() }
  await engine.metrics.event('words', { user, value: 9e14 })
  expect(await codeOf(engine.metrics.event('words', { user, value: 9e14 }))).toBe('total_out_of_range')
  await other.metrics.event('words', { user, value: -8e14 })
  expect((await engine.metrics.event('words', { user, value: 9e14 })).total).toBe(1e15)
})

describe.each([...HOSTS, ...LIBRARIES.map(([name, begin]) => [name, begin] as const)])('%s', (_, begin) => {
  test('a call that is refused leaves what the host and other calls did, and the transaction goes on', async () => {
    const { engine, pool, orders, dump, notes, nextUser } = world()
    const id = nextUser()
    await engine.metrics.event('laps', { user: { id }, value: 10 })
    const opened = await begin(pool)
    const writer = joined(engine, opened.tx)
    for (const [index, { run }] of REFUSED_CALLS.entries()) {
      await opened.query(`insert into ${orders} values ($1)`, [`${id} ${index}`])
      await writer.metrics.event('words', { user: { id }, value: 1 })
      const before = await opened.query(`select count(*)::int as lines from "${world().schema}".log`)
      await failureOf(run(writer, id))
      expect(await opened.query(`select count(*)::int as lines from "${world().schema}".log`)).toEqual(before)
    }
    const before = await dump()
    await opened.commit()
    expect(await dump()).not.toEqual(before)
    expect((await notes()).filter((note) => note.startsWith(`${id} `))).toHaveLength(REFUSED_CALLS.length)
    expect(await engine.users.singleMetric(id, 'words')).toMatchObject({ current: REFUSED_CALLS.length })
  })
})

test.each(REFUSED_CALLS)('$code is what it is outside', async ({ code, run }) => {
  const { engine, pool, nextUser } = world()
  const id = nextUser()
  await engine.users.create({ id })
  await engine.metrics.event('laps', { user: { id }, value: 10 })
  const outside = await failureOf(run(engine, id))
  const opened = await beginPg(pool)
  const inside = await failureOf(run(joined(engine, opened.tx), id))
  await opened.commit()
  expect(inside).toMatchObject({ name: 'GamificationError', code })
  if (!isGamificationError(inside) || !isGamificationError(outside)) throw inside
  expect([inside.code, inside.message, inside.issues]).toEqual([outside.code, outside.message, outside.issues])
})

test("a statement of the host's that failed before is told, and nothing is recorded", async () => {
  const { engine, pool, dump, nextUser } = world()
  const before = await dump()
  const opened = await beginPg(pool)
  await failureOf(opened.query('select 1 / 0'))
  const error = await failureOf(
    joined(engine, opened.tx).metrics.event('words', { user: { id: nextUser() }, value: 1 }),
  )
  await opened.rollback()
  expect(await dump()).toEqual(before)
  expect(error).toMatchObject({ name: 'GamificationError', code: 'storage_unusable' })
  expect(error).toHaveProperty('cause.code', '25P02')
})

test('a client on which no transaction was begun is refused, and nothing is recorded', async () => {
  const { engine, pool, dump, nextUser } = world()
  const before = await dump()
  const client = await pool.connect()
  const error = await failureOf(
    joined(engine, fromPg(client)).metrics.event('words', { user: { id: nextUser() }, value: 1 }),
  )
  client.release()
  expect(await dump()).toEqual(before)
  expect(error).toMatchObject({
    name: 'GamificationError',
    code: 'storage_unusable',
    message: expect.stringContaining('BEGIN'),
  })
})

test('after the COMMIT nothing more can be recorded with the same tx', async () => {
  const { engine, pool, dump, nextUser } = world()
  const client = await pool.connect()
  await client.query('begin')
  const writer = joined(engine, fromPg(client))
  await writer.metrics.event('words', { user: { id: nextUser() }, value: 1 })
  await client.query('commit')
  const before = await dump()
  const error = await failureOf(writer.metrics.event('words', { user: { id: nextUser() }, value: 1 }))
  client.release()
  expect(await dump()).toEqual(before)
  expect(error).toMatchObject({ name: 'GamificationError', code: 'storage_unusable' })
})

test('a transaction that was begun on the same connection afterwards is not joined by an old tx', async () => {
  const { engine, pool, dump, nextUser } = world()
  const client = await pool.connect()
  const writer = joined(engine, fromPg(client))
  await client.query('begin')
  await writer.metrics.event('words', { user: { id: nextUser() }, value: 1 })
  await client.query('commit')
  await client.query('begin')
  const before = await dump()
  const codes = [await codeOf(writer.metrics.event('words', { user: { id: nextUser() }, value: 1 }))]
  await client.query('commit')
  client.release()
  expect(codes).toEqual(['storage_unusable'])
  expect(await dump()).toEqual(before)
})

test('a fault of ours is internal, not the way to the database', async () => {
  const { engine, storage, pool, nextUser } = world()
  const id = nextUser()
  await engine.metrics.event('words', { user: { id }, value: 100 })
  let isBroken = false
  const broken = createGamification<DefinedGame>({
    game: engine.game,
    storage: extendStorage(storage, (storage) => ({
      joinTransaction: (host) => {
        const own = storage.joinTransaction(host)
        return {
          ...own,
          lockUser: (key, options) => {
            if (isBroken) throw new RangeError('A fault')
            return own.lockUser(key, options)
          },
        }
      },
    })),
  })
  const opened = await beginPg(pool)
  const writer = joined(broken, opened.tx)
  await writer.metrics.event('words', { user: { id }, value: 1 })
  isBroken = true
  const error = await failureOf(writer.metrics.event('words', { user: { id }, value: 1 }))
  await opened.rollback()
  expect(error).toMatchObject({ name: 'GamificationError', code: 'internal' })
})
