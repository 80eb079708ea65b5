/*
 * A server of /v1 and /admin/v1 with Fastify: `npm run build && node dist/examples/fastify/main.js`.
 *
 * PORT  where it listens; 0 takes any free port. Default: 3000
 *
 * It keeps everything in memory, and makes an admin key at each start. With `sqlite('app.db')` of `laurels/sqlite` instead
 * of `memory()`, it keeps both; examples/express-sqlite shows how to make the key only once.
 */
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { createGamification, defineGame } from 'laurels'
import { adminApi, applicationApi } from 'laurels/fastify'
import { memory } from 'laurels/memory'

const game = defineGame({
  metrics: { lessons: { name: 'Lessons finished' } },
  achievements: { beginner: { name: 'Beginner', trigger: 'metric', metric: 'lessons', value: 1 } },
  points: { gems: { name: 'Gems', triggers: [{ type: 'metric', metric: 'lessons', threshold: 1, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { lessons: {} } },
})
const gamification = createGamification({ game, storage: memory(), logger: console })
await gamification.migrate()

const app = fastify()
await app.register(applicationApi, { gamification, prefix: '/v1' })
await app.register(adminApi, { gamification, prefix: '/admin/v1' })
// Asks clients to close their connections after the answer, because the server waits for open ones.
let isStopping = false
app.addHook('onSend', async (_, reply) => {
  if (isStopping) reply.header('Connection', 'close')
})
// After the requests under way are answered.
app.addHook('onClose', () => gamification.close())

await app.listen({ port: Number(process.env.PORT || 3000) })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)

const { key } = await gamification.adminKeys.create()
const { port } = app.server.address() as AddressInfo
process.stdout.write(`laurels answers at http://localhost:${port}/v1 and http://localhost:${port}/admin/v1

The admin key, made now and not shown again: ${key}
Try it:

  curl -X POST http://localhost:${port}/v1/metrics/lessons/event \\
    -H 'X-API-KEY: ${key}' -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": 3 }'

`)

function stop(): void {
  isStopping = true
  void app.close()
}
