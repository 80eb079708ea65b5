import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express5 from 'express'
import express4 from 'express-4'
import { type FastifyRequest, fastify } from 'fastify'
import * as express from '../../adapters/express/index.ts'
import * as fastifyApi from '../../adapters/fastify/index.ts'
import * as fetchApi from '../../adapters/fetch/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

/** How `/v1`, `/admin/v1` and `/user/v1` are served. */
export type BindingName = 'node' | 'express' | 'express-4' | 'express-parsed' | 'fastify' | 'fetch'

export const BINDINGS: readonly BindingName[] = ['node', 'express', 'express-4', 'express-parsed', 'fastify', 'fetch']

interface Options extends express.HttpOptions {
  /** Options of pages that use a session. */
  readonly origins?: readonly string[]
}

/** The session of a request is in its cookie: `user=ann; tenant=acme`. */
function readCookie(cookie: string | null | undefined, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(cookie ?? '')?.[1]
}

/** Options of the three APIs; `cookieOf` finds the cookie of a request of the binding. */
function optionsOf<Request>(
  gamification: Gamification<DefinedGame>,
  { origins, ...rest }: Options,
  cookieOf: (request: Request) => string | null | undefined,
) {
  const user = async (request: Request): Promise<string | undefined> => {
    const found = readCookie(cookieOf(request), 'user')
    if (found === 'broken') throw new Error('The store of sessions is broken.')
    return found
  }
  const tenant = (request: Request): string => readCookie(cookieOf(request), 'tenant') ?? ''
  const session = {
    user,
    ...(gamification.game.rules.multiTenant ? { tenant } : {}),
    ...(origins === undefined ? {} : { origins }),
    ...(rest.bodyLimit === undefined ? {} : { bodyLimit: rest.bodyLimit }),
    ...(rest.rateLimit === undefined ? {} : { rateLimit: rest.rateLimit }),
    ...(rest.wholeNumbers === undefined ? {} : { wholeNumbers: rest.wholeNumbers }),
  }
  return { keys: rest, session }
}

const cookieOfNode = ({ headers }: IncomingMessage): string | undefined => headers.cookie

/** A server of `/v1`, `/admin/v1` and `/user/v1` that does not listen yet. */
type Build = (gamification: Gamification<DefinedGame>, options: Options) => Promise<Server>

const onNode: Build = async (gamification, options) => {
  const { keys, session } = optionsOf(gamification, options, cookieOfNode)
  const application = express.applicationApi(gamification, keys)
  const admin = express.adminApi(gamification, keys)
  const user = express.userApi(gamification, session)
  return createServer((request, response) => {
    // As a plain server would without any router.
    user(request, response, () => application(request, response, () => admin(request, response)))
  })
}

type Application = { use(...parts: unknown[]): unknown }

const onExpress =
  (create: () => Application & RequestListener, parser: unknown[]): Build =>
  async (gamification, options) => {
    const app = create()
    if (parser.length > 0) app.use(...parser)
    const { keys, session } = optionsOf(gamification, options, cookieOfNode)
    app.use('/v1', express.applicationApi(gamification, keys))
    app.use('/admin/v1', express.adminApi(gamification, keys))
    app.use('/user/v1', express.userApi(gamification, session))
    return createServer(app)
  }

const onFastify: Build = async (gamification, options) => {
  const app = fastify()
  const { keys, session } = optionsOf(gamification, options, ({ headers }: FastifyRequest) => headers.cookie)
  await app.register(fastifyApi.applicationApi, { gamification, prefix: '/v1', ...keys })
  await app.register(fastifyApi.adminApi, { gamification, prefix: '/admin/v1', ...keys })
  await app.register(fastifyApi.userApi, { gamification, prefix: '/user/v1', ...session })
  await app.ready()
  return app.server
}

const onFetch: Build = async (gamification, options) => {
  const { keys, session } = optionsOf(gamification, options, ({ headers }: Request) => headers.get('cookie'))
  const application = fetchApi.applicationApi(gamification, keys)
  const admin = fetchApi.adminApi(gamification, keys)
  const user = fetchApi.userApi(gamification, session)
  return createServer(async (request, response) => {
    const url = `http://${request.headers.host ?? 'localhost'}${request.url}`
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    const headers = new Headers()
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      headers.append(request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? '')
    }
    const init = { method: request.method ?? 'GET', headers, duplex: 'half' as const }
    let answer: Response
    try {
      const body = hasBody ? { body: Readable.toWeb(request) as ReadableStream } : {}
      const asked = new Request(url, { ...init, ...body })
      const { url: path = '' } = request
      answer = await (path.startsWith('/admin') ? admin : path.startsWith('/user') ? user : application)(asked)
    } catch {
      // Methods that a Request cannot have, such as TRACE.
      response.writeHead(405, { 'content-type': 'application/json' }).end('{"error":"","code":"method_not_allowed"}')
      return
    }
    try {
      if (answer.headers.get('content-type')?.startsWith('application/x-ndjson') && answer.body !== null) {
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        // As servers of requests and responses do: where the client has gone, the body is cancelled.
        await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response)
        return
      }
      const text = await answer.text()
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
    } catch {
      response.destroy()
    }
  })
}

const BUILDS: Record<BindingName, Build> = {
  node: onNode,
  express: onExpress(() => express5(), []),
  'express-4': onExpress(() => express4(), []),
  'express-parsed': onExpress(() => express5(), [express5.json()]),
  fastify: onFastify,
  fetch: onFetch,
}

interface Listening {
  readonly base: string
  readonly port: number
  close(): Promise<void>
}

export async function listen(
  binding: BindingName,
  gamification: Gamification<DefinedGame>,
  options: Options = {},
): Promise<Listening> {
  const server = await BUILDS[binding](gamification, options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { base: `http://127.0.0.1:${port}`, port, close }
}

/** Sends bytes unchanged and reads until the other side closes, or until nothing comes for `idle` milliseconds. */
export function sendRaw(port: number, bytes: string | Uint8Array, idle = 200): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setTimeout(idle, () => socket.end())
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })
}
