import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCompiledPackage } from '../support/compiled-package.ts'
import { type ExampleServer, useExamples } from '../support/example-server.ts'
import { databaseUrl } from '../support/postgres.ts'

const packaged = useCompiledPackage()
const { start, run } = useExamples(packaged, process.cwd())

/** A database of its own: the shop's tables and the schema have the names that they would have anywhere. */
const name = `laurels_shop_${randomBytes(6).toString('hex')}`
const url = new URL(databaseUrl())
url.pathname = `/${name}`
const DATABASE_URL = url.href
let pool: pg.Pool

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(text)
  await client.end()
}

beforeAll(async () => {
  await asAdmin(`create database ${name}`)
  pool = new pg.Pool({ connectionString: DATABASE_URL })
})
afterAll(async () => {
  await pool.end()
  await asAdmin(`drop database ${name} with (force)`)
})

/** The state after an order: the stock, and the entries of its customer. */
async function left(customer: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select
      (select count(*)::int from orders where customer = $1) as orders,
      (select count(*)::int from laurels.log where user_id = $1) as events,
      (select coalesce(sum(stock), 0)::int from products) as stock`,
    [customer],
  )
  return rows[0]
}

async function order({ address }: ExampleServer, body: object): Promise<readonly [status: number, body: unknown]> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${address}/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
  return [response.status, await response.json()]
}

test('prints an admin key at its first start, and a command that works when pasted', async () => {
  const first = await start('fastify-postgres', { DATABASE_URL })
  expect(first.key).toMatch(/^adm_[0-9a-z]{4}\.[A-Za-z0-9_-]{43}$/)
  expect(first.printed.replaceAll(first.address, '<address>').replaceAll(first.key, '<key>')).toBe(
    `laurels answers at <address>/v1 and <address>/admin/v1

The admin key, made now and not shown again: <key>
Place an order, which is recorded with it:

  curl -X POST <address>/orders \\
    -H 'Content-Type: application/json' \\
    -d '{ "customer": "18", "product": "teapot" }'

`,
  )
  expect(await first.paste()).toEqual({ status: 201, total: 40 })
  expect(await first.paste()).toEqual({ status: 201, total: 80 })
  expect(await left('18')).toEqual({ orders: 2, events: 2, stock: 99 })
  expect(await first.stop('SIGTERM')).toEqual([0, null])

  const second = await start('fastify-postgres', { DATABASE_URL })
  expect(second.printed).toContain('\n\nThe admin key was shown at the first start.\nPlace an order')
  expect(await second.get(first.key)).toBe(200)
  expect(await second.stop('SIGINT')).toEqual([0, null])
})

test('an order and its event are stored together, or neither is', async () => {
  const server = await start('fastify-postgres', { DATABASE_URL })
  const [status, placed] = await order(server, { customer: 'ann', product: 'samovar' })
  expect([status, placed]).toEqual([
    201,
    { id: expect.any(Number), price: 900, total: 900, achievements: ['first-order', 'regular'] },
  ])
  const after = await left('ann')
  expect(after).toMatchObject({ orders: 1, events: 1 })

  // None is left.
  expect(await order(server, { customer: 'ann', product: 'samovar' })).toEqual([
    409,
    { error: 'There is no samovar left.' },
  ])
  expect(await left('ann')).toEqual(after)

  // 90 stars pay for a voucher; none do not.
  expect(await order(server, { customer: 'ann', product: 'teapot', voucher: true })).toMatchObject([
    201,
    { price: 20, total: 920 },
  ])
  const before = await left('bob')
  expect(await order(server, { customer: 'bob', product: 'teapot', voucher: true })).toEqual([
    409,
    { error: expect.stringContaining('Stars') },
  ])
  expect(await left('bob')).toEqual(before)
  expect(before).toMatchObject({ orders: 0, events: 0 })
  expect((await order(server, { customer: 'bob' }))[0]).toBe(400)
  expect(await server.stop('SIGINT')).toEqual([0, null])
})

test('answers the order that is under way before it stops', async () => {
  const server = await start('fastify-postgres', { DATABASE_URL })
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`update products set stock = stock where name = 'teapot'`)
  const placed = order(server, { customer: 'cid', product: 'teapot' })
  await waits()
  const end = server.stop('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 200))
  await client.query('commit')
  client.release()
  expect(await placed).toMatchObject([201, { total: 40 }])
  expect(await end).toEqual([0, null])
  expect(await left('cid')).toMatchObject({ orders: 1, events: 1 })
})

/** Until somebody waits for a lock in the database. */
async function waits(): Promise<void> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await pool.query(text)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('ends with what is wrong where there is no database', async () => {
  const needed = 'Give the database as DATABASE_URL: postgres://user:password@localhost/shop\n'
  expect(await run('fastify-postgres', { DATABASE_URL: '' })).toEqual({ code: 1, out: '', err: needed })
  const unknown = expect.stringContaining('There is no such database: database')
  expect(await run('fastify-postgres', { DATABASE_URL: `${DATABASE_URL}_not` })).toEqual({
    code: 1,
    out: '',
    err: unknown,
  })
})
