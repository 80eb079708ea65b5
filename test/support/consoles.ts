import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import express5 from 'express'
import express4 from 'express-4'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { type Authorize, type ConsoleOverrides, createConsole } from '../../adapters/console/console.ts'
import { type FastifyApp, onFastify, onFetch, onNode } from '../../adapters/console/index.ts'
import type { OneTimeLink } from '../../adapters/console/one-time-link.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

/** The part of a request of any framework that identifies the sender. */
type Visitor = { readonly headers: IncomingMessage['headers'] | Headers }

interface Mounting {
  readonly gamification: Gamification<DefinedGame>
  readonly authorize: Authorize<Visitor> | OneTimeLink
  readonly origins?: readonly string[]
  readonly settings: ConsoleOverrides
}

export interface Mount {
  readonly name: string
  /** If it is, as a browser asks for it. */
  readonly path: string
  build(mounting: Mounting): Promise<Server>
}

const consoleOf = ({ gamification, authorize, origins, settings }: Mounting) =>
  createConsole<Visitor, DefinedGame>(gamification, { authorize, ...(origins && { origins }) }, [], settings)

const onNodeAt = (path: string): Mount => ({
  name: `node:http, ${path === '' ? 'at the root' : `prefix ${path}`}`,
  path,
  build: async (mounting) => createServer(onNode(consoleOf(mounting), path)),
})

type Application = { use(...parts: unknown[]): unknown }

const onExpress = (
  name: string,
  path: string,
  create: (listener: unknown) => Application & RequestListener,
  prefix = '/console',
): Mount => ({ name, path, build: async (mounting) => createServer(create(onNode(consoleOf(mounting), prefix))) })

function used(app: Application & RequestListener, ...parts: readonly unknown[]): Application & RequestListener {
  app.use(...parts)
  return app
}

const onFastifyAt = (path: string, prefixes: readonly string[]): Mount => ({
  name: `Fastify, ${prefixes.join(' and ')}`,
  path,
  build: async (mounting) => {
    const app = fastify()
    const plugin = async (below: FastifyApp): Promise<void> => onFastify(below, consoleOf(mounting))
    const [outer = '', inner] = prefixes
    if (inner === undefined) await app.register(plugin, { prefix: outer })
    else await app.register(async (below) => void (await below.register(plugin, { prefix: inner })), { prefix: outer })
    await app.ready()
    return app.server
  },
})

type Fetch = (request: Request) => Promise<Response>

/** Servers of `Request` and `Response`, such as Hono's. */
function serveFetch(handle: Fetch): Server {
  return createServer(async (request, response) => {
    const headers = new Headers()
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      headers.append(request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? '')
    }
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    const body = hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {}
    const init = { method: request.method ?? 'GET', headers, ...body }
    const answer = await handle(new Request(`http://${request.headers.host}${request.url}`, init))
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes)
  })
}

const onFetchAt = (path: string): Mount => ({
  name: `fetch, prefix ${path}`,
  path,
  build: async (mounting) => serveFetch(onFetch(consoleOf(mounting), path)),
})

const onHono: Mount = {
  name: 'Hono',
  path: '/console',
  build: async (mounting) => {
    const handle = onFetch(consoleOf(mounting), '/console')
    const app = new Hono().all('/console/*', ({ req }) => handle(req.raw))
    return serveFetch(async (request) => app.fetch(request))
  },
}

/** Every way to mount the console. */
export const MOUNTS: readonly Mount[] = [
  onNodeAt('/console'),
  onNodeAt(''),
  onNodeAt('/a%20b/c"d&e'),
  onExpress('Express 5', '/console', (listener) => used(express5(), '/console', listener)),
  onExpress('Express 4', '/console', (listener) => used(express4(), '/console', listener)),
  onExpress('Express 5, after express.json()', '/console', (listener) =>
    used(used(express5(), express5.json()), '/console', listener),
  ),
  onExpress('Express 5, without a path', '/console', (listener) => used(express5(), listener)),
  onExpress('Express 5, at the root', '', (listener) => used(express5(), listener), ''),
  onExpress('Express 5, below a router', '/team/admin/console', (listener) =>
    used(
      express5(),
      '/team',
      used(express5.Router() as never, '/admin', used(express5.Router() as never, '/console', listener)),
    ),
  ),
  onExpress('Express 4, below a router', '/team/console', (listener) =>
    used(express4(), '/team', used(express4.Router() as never, '/console', listener)),
  ),
  onExpress('Express 5, below a parameter', '/a"><b>&', (listener) => used(express5(), '/:team', listener)),
  onFastifyAt('/console', ['/console']),
  onFastifyAt('/team/console', ['/team', '/console']),
  onFetchAt('/console'),
  onFetchAt('/a%20b/console'),
  onHono,
]

/** The servers whose bindings differ. */
export const DIFFERENT_MOUNTS: readonly Mount[] = MOUNTS.filter(({ name }) =>
  ['node:http, prefix /console', 'Express 5', 'Express 4', 'Fastify, /console', 'Hono'].includes(name),
)

/** Serves it on a port of its own until the test is over. */
export async function serveAt(mount: Mount, mounting: Mounting): Promise<number> {
  const server = await mount.build(mounting)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A sender with the cookie `access=read` may read, and so on; `access=broken` breaks the host. */
export const byCookie: Authorize<Visitor> = async ({ headers }) => {
  const cookie = headers instanceof Headers ? headers.get('cookie') : headers.cookie
  const access = /(?:^|; )access=([^;]*)/.exec(cookie ?? '')?.[1]
  if (access === 'broken') throw new Error('The store of sessions is broken.')
  return access === 'read' || access === 'write' ? access : null
}
