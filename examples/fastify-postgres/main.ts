/*
 * A shop with Fastify and Postgres: `npm run build && node dist/examples/fastify-postgres/main.js`.
 *
 * DATABASE_URL  the database, as postgres://user:password@localhost/shop; its tables are made at the first start
 * PORT          where it listens; 0 takes any free port. Default: 3000
 *
 * `POST /orders` places an order and records it in one transaction. It also serves /v1 and /admin/v1. Ctrl-C or SIGTERM
 * stops it after it has answered the requests under way.
 */
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { createGamification, type Gamification, isGamificationError } from 'laurels'
import { adminApi, applicationApi } from 'laurels/fastify'
import { postgres } from 'laurels/postgres'
import pg from 'pg'
import { game } from './game.ts'
import { createTables, type Order, placeOrder } from './orders.ts'

const ORDER = {
  type: 'object',
  required: ['customer', 'product'],
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 255 },
    product: { type: 'string' },
    voucher: { type: 'boolean' },
  },
} as const

let isStopping = false

async function main(): Promise<void> {
  const { DATABASE_URL, PORT } = process.env
  if (!DATABASE_URL) throw new Error('Give the database as DATABASE_URL: postgres://user:password@localhost/shop')
  // One pool for both the shop and laurels.
  const pool = new pg.Pool({ connectionString: DATABASE_URL })
  pool.on('error', (error) => console.error(error.message))
  const gamification = createGamification({ game, storage: postgres(pool), logger: console })
  const app = createApp(pool, gamification)
  // After the requests under way are answered.
  app.addHook('onClose', async () => {
    await gamification.close()
    await pool.end()
  })
  try {
    await gamification.migrate()
    await createTables(pool)
    await app.listen({ port: Number(PORT || 3000) })
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(app))
    const { port } = app.server.address() as AddressInfo
    process.stdout.write(welcome(`http://localhost:${port}`, await firstKey(gamification)))
  } catch (error) {
    await app.close()
    throw error
  }
}

function createApp(pool: pg.Pool, gamification: Gamification<typeof game>): FastifyInstance {
  const app = fastify()
  app.addHook('onSend', async (_, reply) => {
    if (isStopping) reply.header('Connection', 'close')
  })
  app.register(applicationApi, { gamification, prefix: '/v1' })
  app.register(adminApi, { gamification, prefix: '/admin/v1' })
  app.post<{ Body: Order }>('/orders', { schema: { body: ORDER } }, async ({ body }, reply) => {
    try {
      const placed = await placeOrder(pool, gamification, body)
      return placed === null
        ? reply.code(409).send({ error: `There is no ${body.product} left.` })
        : reply.code(201).send(placed)
    } catch (error) {
      if (!isGamificationError(error) || error.code !== 'out_of_points') throw error
      return reply.code(409).send({ error: error.message })
    }
  })
  return app
}

/** Answers requests under way, and asks clients to close their connections, because the server waits for open ones. */
async function stop(app: FastifyInstance): Promise<void> {
  isStopping = true
  await app.close()
}

/** The key that the first start made; null at later starts. */
async function firstKey({ adminKeys }: Gamification<typeof game>): Promise<string | null> {
  return (await adminKeys.list()).length > 0 ? null : (await adminKeys.create()).key
}

function welcome(address: string, key: string | null): string {
  return `laurels answers at ${address}/v1 and ${address}/admin/v1

${key === null ? 'The admin key was shown at the first start.' : `The admin key, made now and not shown again: ${key}`}
Place an order, which is recorded with it:

  curl -X POST ${address}/orders \\
    -H 'Content-Type: application/json' \\
    -d '{ "customer": "18", "product": "teapot" }'

`
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
