// Rewards that are bought within a transaction of the host.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { codeOf } from '../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'

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
