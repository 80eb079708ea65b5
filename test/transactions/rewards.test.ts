// Rewards that are bought within a transaction of the host.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { codeOf } from '../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { settlesWithin } from './settled.ts'

const nextSchema = useEmptySchemas()

const game = defineGame({
  metrics: { euros: { name: 'Euros' } },
  points: {
    coins: { name: 'Coins', spendable: true, triggers: [{ type: 'metric', metric: 'euros', threshold: 1, points: 1 }] },
  },
  rewards: { mug: { name: 'Mug', cost: { coins: 10 }, stock: 1 } },
})

async function openOn(storage: Storage) {
  const engine = createGamification({ game, storage })
  onTestFinished(() => engine.close())
  await engine.migrate()
  for (const id of ['ann', 'bob']) await engine.metrics.event('euros', { user: { id }, value: 100 })
  const left = async () => (await engine.rewards.list())[0]?.left
  const balance = async (user: string) => (await engine.points.balance(user, 'coins')).balance
  return { engine, left, balance }
}

test('within a transaction on SQLite that rolls back, nothing is bought, and a refusal keeps the rest', async () => {
  const database = new Database(':memory:')
  const { engine, left, balance } = await openOn(sqlite(database))
  expect(() =>
    engine.within(database, ({ rewards }) => {
      rewards.redeem('mug', { user: 'ann' })
      throw new Error('The order failed')
    }),
  ).toThrow('The order failed')
  expect([await left(), await balance('ann')]).toEqual([1, 100])
  engine.within(database, ({ rewards }) => {
    const { id } = rewards.redeem('mug', { user: 'ann' })
    expect(() => rewards.redeem('mug', { user: 'bob' })).toThrow('out of stock')
    expect(rewards.fulfil(id)).toMatchObject({ status: 'fulfilled' })
  })
  expect([await left(), await balance('ann'), await balance('bob')]).toEqual([0, 90, 100])
  expect((await engine.verify()).drift).toEqual([])
})

test('within a transaction on Postgres that rolls back, nothing is bought, and a refusal keeps the rest', async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl(), allowExitOnIdle: true })
  onTestFinished(() => pool.end())
  const { engine, left, balance } = await openOn(postgres(pool, { schema: nextSchema() }))
  const client = await pool.connect()
  await client.query('begin')
  await engine.rewards.redeem('mug', { user: 'ann' }, { tx: fromPg(client) })
  await client.query('rollback')
  expect([await left(), await balance('ann')]).toEqual([1, 100])
  await client.query('begin')
  const tx = fromPg(client)
  const { id } = await engine.rewards.redeem('mug', { user: 'ann' }, { tx })
  expect(await codeOf(engine.rewards.redeem('mug', { user: 'bob' }, { tx }))).toBe('out_of_stock')
  expect(await engine.rewards.cancel(id, { tx })).toMatchObject({ status: 'cancelled' })
  expect(await engine.rewards.redeem('mug', { user: 'bob' }, { tx })).toMatchObject({ balance: 90 })
  await client.query('commit')
  client.release()
  expect([await left(), await balance('ann'), await balance('bob')]).toEqual([0, 100, 90])
  expect((await engine.verify()).drift).toEqual([])
})

describe('while a transaction on Postgres holds the stock of a reward', () => {
  async function openTwo() {
    const pool = new pg.Pool({ connectionString: databaseUrl(), allowExitOnIdle: true })
    onTestFinished(() => pool.end())
    const schema = nextSchema()
    const host = await openOn(postgres(pool, { schema }))
    const other = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
    onTestFinished(() => other.close())
    await other.migrate()
    const client = await pool.connect()
    onTestFinished(() => client.release(true))
    await client.query('begin')
    return { ...host, other, client, tx: fromPg(client) }
  }

  const pay = (id: string) => ['euros', { user: { id }, value: 1 }] as const

  test.each([
    ['that was never sold', false],
    ['that was sold before', true],
  ])('events of other users are answered at once, and callers of that reward wait: a reward %s', async (_, isSold) => {
    const { engine, other, client, tx, left, balance } = await openTwo()
    if (isSold) await engine.rewards.cancel((await engine.rewards.redeem('mug', { user: 'ann' })).id)
    const bought = await engine.rewards.redeem('mug', { user: 'ann' }, { tx })

    const redeem = codeOf(other.rewards.redeem('mug', { user: 'bob' }))
    const beside = ['cid', 'dan'].map((id) => other.metrics.event(...pay(id)))
    const isAnsweredBeside = await settlesWithin(1_500, Promise.all(beside))
    const isAnsweredLater = await settlesWithin(1_000, other.metrics.event(...pay('eve')))
    const isRedeemed = await settlesWithin(50, redeem)
    // The host's transaction may now also call for the user who waits.
    expect(await engine.metrics.event(...pay('bob'), { tx })).toMatchObject({ total: 101 })
    await client.query('commit')
    expect({ isAnsweredBeside, isAnsweredLater, isRedeemed }).toEqual({
      isAnsweredBeside: true,
      isAnsweredLater: true,
      isRedeemed: false,
    })

    expect(await redeem).toBe('out_of_stock')
    expect([await left(), await balance('ann'), await balance('bob')]).toEqual([0, 90, 101])
    await engine.rewards.cancel(bought.id)
    expect(await other.rewards.redeem('mug', { user: 'bob' })).toMatchObject({ balance: 91 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a user who is new in the same batch waits too, and gets the reward after a ROLLBACK', async () => {
    const { engine, other, client, tx, left } = await openTwo()
    await engine.rewards.redeem('mug', { user: 'ann' }, { tx })
    const earned = other.metrics.event('euros', { user: { id: 'cid' }, value: 30 })
    const redeemed = other.rewards.redeem('mug', { user: 'cid' })
    const isAnswered = await settlesWithin(1_500, other.metrics.event(...pay('dan')))
    await client.query('rollback')
    expect(isAnswered).toBe(true)
    expect(await earned).toMatchObject({ total: 30 })
    expect(await redeemed).toMatchObject({ balance: 20 })
    expect(await left()).toBe(0)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('events of other users are answered though the transaction has removed a user who had the reward', async () => {
    const { engine, other, client, tx } = await openTwo()
    await engine.rewards.redeem('mug', { user: 'ann' })
    await engine.users.delete('ann', {}, { tx })
    const redeem = codeOf(other.rewards.redeem('mug', { user: 'bob' }))
    const isAnswered = await settlesWithin(1_500, other.metrics.event(...pay('cid')))
    await client.query('commit')
    expect(isAnswered).toBe(true)
    expect(await redeem).toBe('out_of_stock')
  })
})
