import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import express5 from 'express'
import express4 from 'express-4'
import { fastify } from 'fastify'
import * as express from '../../adapters/express/index.ts'
import * as fastifyApi from '../../adapters/fastify/index.ts'
import * as fetchApi from '../../adapters/fetch/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

/** How `/v1` and `/admin/v1` are served. */
export type BindingName = 'node' | 'express' | 'express-4' | 'express-parsed' | 'fastify' | 'fetch'

export const BINDINGS: readonly BindingName[] = ['node', 'express', 'express-4', 'express-parsed', 'fastify', 'fetch']

type Options = express.HttpOptions

/** A server of `/v1` and `/admin/v1` that does not listen yet. */
type Build = (gamification: Gamification<DefinedGame>, options: Options) => Promise<Server>

const onNode: Build = async (gamification, options) => {
  const application = express.applicationApi(gamification, options)
  const admin = express.adminApi(gamification, options)
  return createServer((request, response) => {
    // As a plain server would without any router.
    application(request, response, () => admin(request, response))
  })
}

type Application = { use(...parts: unknown[]): unknown }

const onExpress =
  (create: () => Application & RequestListener, parser: unknown[]): Build =>
  async (gamification, options) => {
    const app = create()
    if (parser.length > 0) app.use(...parser)
    app.use('/v1', express.applicationApi(gamification, options))
    app.use('/admin/v1', express.adminApi(gamification, options))
    return createServer(app)
  }

const onFastify: Build = async (gamification, options) => {
  const app = fastify()
  await app.register(fastifyApi.applicationApi, { gamification, prefix: '/v1', ...options })
  await app.register(fastifyApi.adminApi, { gamification, prefix: '/admin/v1', ...options })
  await app.ready()
  return app.server
}

const onFetch: Build = async (gamification, options) => {
  const application = fetchApi.applicationApi(gamification, options)
  const admin = fetchApi.adminApi(gamification, options)
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
      answer = await (request.url?.startsWith('/admin') ? admin(asked) : application(asked))
    } catch {
      // Methods that a Request cannot have, such as TRACE.
      response.writeHead(405, { 'content-type': 'application/json' }).end('{"error":"","code":"method_not_allowed"}')
      return
    }
    try {
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

export interface Listening {
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

/** Sends bytes as they are and reads what comes until the other side closes, or `idle` milliseconds nothing comes. */
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
