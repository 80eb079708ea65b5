/*
 * A server of /v1 and /admin/v1 from a function of a Request: `npm run build && node dist/examples/fetch/main.js`.
 *
 * PORT  where it listens; 0 takes any free port. Default: 3000
 *
 * Frameworks that work with Request and Response take `handle` unchanged:
 *
 *   Hono   app.all('/*', (context) => handle(context.req.raw))
 *   Bun    Bun.serve({ fetch: handle })
 *   Deno   Deno.serve(handle)
 *
 * Only node:http needs a translation, below. Everything is kept in memory, and each start makes an admin key.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createGamification, defineGame } from 'laurels'
import { adminApi, applicationApi } from 'laurels/fetch'
import { memory } from 'laurels/memory'

const game = defineGame({
  metrics: { rides: { name: 'Rides' } },
  achievements: { 'first-ride': { name: 'First ride', trigger: 'metric', metric: 'rides', value: 1 } },
  streak: { frequency: 'weekly', metrics: { rides: {} } },
})
const gamification = createGamification({ game, storage: memory(), logger: console })
await gamification.migrate()

const application = applicationApi(gamification)
const admin = adminApi(gamification)
const handle = (request: Request): Promise<Response> =>
  new URL(request.url).pathname.startsWith('/admin/') ? admin(request) : application(request)

function toRequest(message: IncomingMessage): Request {
  const { method = 'GET', url = '/', headersDistinct } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(message)
  return new Request(`http://localhost${url}`, { method, headers, body, duplex: 'half' })
}

async function bridge(message: IncomingMessage, response: ServerResponse): Promise<void> {
  // A Request cannot have these methods.
  if (['CONNECT', 'TRACE', 'TRACK'].includes(message.method ?? '')) {
    const problem = { error: 'There is nothing here for this method.', code: 'method_not_allowed' }
    response.writeHead(405, { 'content-type': 'application/json' }).end(JSON.stringify(problem))
    return
  }
  try {
    const answer = await handle(toRequest(message))
    const body = await answer.text()
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body)
  } catch {
    // The answer is incomplete: break the connection, so that no client takes it for a whole one.
    response.destroy()
  }
}

const server = createServer(bridge).listen(Number(process.env.PORT || 3000))
await once(server, 'listening')
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => gamification.close()))

const { key } = await gamification.adminKeys.create()
const { port } = server.address() as AddressInfo
process.stdout.write(`laurels answers at http://localhost:${port}/v1 and http://localhost:${port}/admin/v1

The admin key, made now and not shown again: ${key}
Try it:

  curl -X POST http://localhost:${port}/v1/metrics/rides/event \\
    -H 'X-API-KEY: ${key}' -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": 2 }'

`)
