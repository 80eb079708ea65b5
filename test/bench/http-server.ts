import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { applicationApi as toExpress } from '../../adapters/express/index.ts'
import { applicationApi as toFastify } from '../../adapters/fastify/index.ts'
import { applicationApi as toFetch } from '../../adapters/fetch/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { type BenchEvent, events, FLOODER, game } from './game.ts'
import { measureFor } from './measure.ts'
import { openPool, SCHEMAS } from './postgres-contestants.ts'

/** What a server says when it is ready: where it listens, and the keys to use. */
export interface Ready {
  readonly port: number
  /** Of an admin. */
  readonly key: string
  /** The application key of the user `FLOODER`. */
  readonly userKey: string
}

/** What the server `in-process`, which has no port, is told to do. */
export interface Calls {
  readonly callers: number
  readonly seconds: number
  readonly users: number
  readonly seed: number
  /** Callers beside them, not measured, that send events of one user. */
  readonly flood?: number
}

type Engine = Gamification<DefinedGame>
type FetchHandler = (request: Request) => Promise<Response>

// Express has no types of its own.
const express = createRequire(import.meta.url)('express')

const ROUTE = '/v1/metrics/:key/event'

/** What an empty route answers: as long as the library's answers are on average. */
const ANSWER = {
  metricId: 'c0b1c5d2-6a36-5c41-8f0a-3c0a1f5a7d10',
  eventId: '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  total: 42,
  achievements: [],
  currentStreak: {
    length: 2,
    frequency: 'daily',
    started: '2026-03-01',
    periodStart: '2026-03-02',
    periodEnd: '2026-03-02',
    expires: '2026-03-03',
    extended: false,
  },
  points: {},
  leaderboards: {},
  idempotentReplayed: false,
  idempotencyKey: '5f0c7a52-3b0e-4d55-9a4e-6f3f0f6c2b1d',
}

function listenOn(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** The plainest bridge from node:http to fetch. */
function bridge(handle: FetchHandler): RequestListener {
  return async (incoming, outgoing) => {
    const url = `http://${incoming.headers.host}${incoming.url}`
    const headers = incoming.headers as Record<string, string>
    const body = await readBody(incoming)
    const response = await handle(new Request(url, { method: incoming.method ?? 'GET', headers, body }))
    const answer = Buffer.from(await response.arrayBuffer())
    outgoing.writeHead(response.status, [...response.headers, ['content-length', String(answer.length)]].flat())
    outgoing.end(answer)
  }
}

const LIBRARY: { readonly [name: string]: (engine: Engine) => Promise<number> } = {
  'laurels-node': (engine) => {
    const handle = toExpress(engine)
    return listenOn((request, response) => handle(request, response))
  },
  'laurels-express': (engine) => {
    const app = express()
    app.use('/v1', toExpress(engine))
    return listenOn(app)
  },
  'laurels-fastify': async (engine) => {
    const app = fastify()
    await app.register(toFastify, { gamification: engine, prefix: '/v1' })
    await app.listen({ host: '127.0.0.1', port: 0 })
    return (app.server.address() as AddressInfo).port
  },
  'laurels-fetch': (engine) => listenOn(bridge(toFetch(engine))),
}

/** A route of the same framework that parses the body and answers, and nothing else. */
const EMPTY: { readonly [name: string]: () => Promise<number> } = {
  'empty-node': () =>
    listenOn(async (request, response) => {
      JSON.parse((await readBody(request)).toString())
      const answer = Buffer.from(JSON.stringify(ANSWER))
      response.writeHead(201, { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length })
      response.end(answer)
    }),
  'empty-express': () => {
    const app = express()
    app.post(ROUTE, express.json(), (_request: unknown, response: ExpressResponse) => response.status(201).json(ANSWER))
    return listenOn(app)
  },
  'empty-fastify': async () => {
    const app = fastify()
    app.post(ROUTE, (_request, reply) => reply.code(201).send(ANSWER))
    await app.listen({ host: '127.0.0.1', port: 0 })
    return (app.server.address() as AddressInfo).port
  },
  'empty-fetch': () =>
    listenOn(
      bridge(async (request) => {
        await request.json()
        return Response.json(ANSWER, { status: 201 })
      }),
    ),
}

interface ExpressResponse {
  status(code: number): ExpressResponse
  json(body: unknown): void
}

/** Calls the library without HTTP whenever it is told to. */
function serveInProcess(engine: Engine): void {
  process.on('message', async ({ callers, seconds, users, seed, flood = 0 }: Calls) => {
    const source = events(users, seed)
    let isOver = false
    const flooding = Array.from({ length: flood }, async () => {
      while (!isOver) {
        await engine.metrics.event('words', { user: { id: FLOODER }, value: 1, idempotencyKey: randomUUID() })
      }
    })
    const result = await measureFor(callers, seconds, () => {
      const { user, metric, value } = source.next().value as BenchEvent
      return engine.metrics.event(metric, { user: { id: user }, value, idempotencyKey: randomUUID() })
    })
    isOver = true
    await Promise.all(flooding)
    process.send?.({ result })
  })
}

async function start(name: string, file: string, synchronous: 'NORMAL' | 'FULL'): Promise<Ready> {
  const empty = EMPTY[name]
  if (empty !== undefined) return { port: await empty(), key: '', userKey: '' }
  const isPostgres = file.startsWith('postgres')
  const storage = isPostgres ? postgres(openPool(file, 32), { schema: SCHEMAS.library }) : sqlite(file, { synchronous })
  const engine: Engine = createGamification({ game, storage })
  await engine.migrate()
  const { key } = await engine.adminKeys.create()
  await engine.users.identify(FLOODER, {})
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: FLOODER }])
  const keys = { key, userKey: created[0]?.key ?? '' }
  const serve = LIBRARY[name]
  if (serve !== undefined) return { port: await serve(engine), ...keys }
  serveInProcess(engine)
  return { port: 0, ...keys }
}

const [name = '', file = '', synchronous = 'NORMAL'] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
process.send?.(await start(name, file, synchronous as 'NORMAL' | 'FULL'))
