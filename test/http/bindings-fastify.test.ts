import { PassThrough, type Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { consolePlugin } from '../../adapters/console/index.ts'
import { adminApi, applicationApi, userApi } from '../../adapters/fastify/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import { EVENT, EVENT_PATH, type Listening, listenOn, openGamification, wordsOf } from './hosts.ts'

interface Host extends Listening {
  readonly gamification: Gamification<DefinedGame>
  readonly key: string
}

type Set = (app: FastifyInstance, register: (prefix?: string) => Promise<void>) => unknown

/** A Fastify application that `set` makes; `register` puts the application API under a prefix, `/v1` unless it says. */
async function open(set: Set, options: FastifyServerOptions = {}): Promise<Host> {
  const { gamification, key } = await openGamification()
  const app = fastify(options)
  await set(app, async (prefix = '/v1') => {
    await app.register(applicationApi, { gamification, prefix })
  })
  await app.ready()
  onTestFinished(() => app.close())
  return { ...(await listenOn(app.server)), gamification, key }
}

/** The error that would have ended the process. */
async function uncaughtDuring(work: () => Promise<void>): Promise<readonly unknown[]> {
  const uncaught: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  try {
    await work()
    await new Promise((resolve) => setTimeout(resolve, 30))
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
  return uncaught
}

const refusal = (status: number, code: string) => ({ status, body: { code } })
const jsonType = { 'Content-Type': 'application/json' }

test.each([
  ['applicationApi', applicationApi],
  ['adminApi', adminApi],
  ['userApi', userApi],
  ['consolePlugin', consolePlugin],
])('%s that is called by hand, as for Express, says how it is registered', async (name, plugin) => {
  const { gamification } = await openGamification()
  const app = fastify()
  onTestFinished(() => app.close())
  app.register(untyped<(given: unknown) => never>(plugin)(gamification))
  await expect(app.ready()).rejects.toMatchObject({
    code: 'invalid_request',
    message: `${name} is a plugin of Fastify: register it, as app.register(${name}, { gamification, prefix: '/…' }).`,
  })
})

test('a list of content types is refused as by every other binding', async () => {
  const { ask, key } = await open((_, register) => register())
  const headers = { 'Content-Type': 'application/json, application/json' }
  expect(await ask(EVENT_PATH, { key, body: EVENT, headers })).toMatchObject({
    status: 400,
    body: { code: 'malformed_request', error: 'Send the header Content-Type once.' },
  })
})

describe('a prefix', () => {
  test('of the host’s own is where it answers', async () => {
    const { ask, key } = await open((_, register) => register('/gamification/api'))
    expect(await ask('/gamification/api/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    expect(await ask('/gamification/api/nothing', { key })).toMatchObject(refusal(404, 'unknown_path'))
    expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 404, body: { statusCode: 404 } })
  })

  test('without a slash before it is the same', async () => {
    const { ask, key } = await open((_, register) => register('v1'))
    expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    expect(await ask('/v1/nothing', { key })).toMatchObject(refusal(404, 'unknown_path'))
  })

  test('may be left out: it answers at the root', async () => {
    const { gamification, key } = await openGamification()
    const app = fastify()
    app.get('/health', async () => ({ isWell: true }))
    await app.register(applicationApi, { gamification })
    await app.ready()
    onTestFinished(() => app.close())
    const { ask } = await listenOn(app.server)
    expect(await ask('/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    expect(await ask('/metrics/words/event', { key, body: EVENT })).toMatchObject({ status: 201 })
    expect(await ask('/users/ann', { key, method: 'DELETE' })).toMatchObject({ status: 405 })
    expect(await ask('/nothing', { key })).toMatchObject(refusal(404, 'unknown_path'))
    expect(await ask('/health')).toMatchObject({ status: 200, body: { isWell: true } })
    expect(await ask('/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
  })

  test('of ours does not change what the host answers elsewhere to what cannot be decoded', async () => {
    const { ask } = await open((_, register) => register())
    expect(await ask('/host/%zz')).toMatchObject({ status: 400, body: { statusCode: 400 } })
    expect(await ask('/v1x/%zz')).toMatchObject({ status: 400, body: { statusCode: 400 } })
  })
})

describe('what the host has of its own stays as it is', () => {
  /** Before and after the host has set its own up. */
  const TIMES = ['before', 'after'] as const

  const openBeside = (time: (typeof TIMES)[number], set: (app: FastifyInstance) => void): Promise<Host> =>
    open(async (app, register) => {
      if (time === 'before') await register()
      set(app)
      if (time === 'after') await register()
    })

  test.each(TIMES)('content type parsers, registered %s them', async (time) => {
    const { ask, key } = await openBeside(time, (app) => {
      app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => done(null, { text }))
      app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_, text, done) =>
        done(null, String(text).split(',')),
      )
      app.post('/host', async (request) => ({ was: request.body }))
    })
    expect(await ask('/host', { body: { a: 1 } })).toMatchObject({ body: { was: { text: '{"a":1}' } } })
    expect(await ask('/host', { body: 'a,b', headers: { 'Content-Type': 'text/csv' } })).toMatchObject({
      body: { was: ['a', 'b'] },
    })
    expect(await ask('/host', { body: 'a', headers: { 'Content-Type': 'image/png' } })).toMatchObject({ status: 415 })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201 })
    expect(await ask(EVENT_PATH, { key, body: 'a,b', headers: { 'Content-Type': 'text/csv' } })).toMatchObject(
      refusal(415, 'unsupported_media_type'),
    )
  })

  test.each(TIMES)('its error handler, set %s', async (time) => {
    const { ask, key } = await openBeside(time, (app) => {
      app.setErrorHandler((error: Error, _, reply) => reply.code(418).send({ host: error.message }))
      app.get('/host', async () => {
        throw new Error('of the host')
      })
    })
    expect(await ask('/host')).toMatchObject({ status: 418, body: { host: 'of the host' } })
    expect(await ask('/v1/users/nobody', { key })).toMatchObject(refusal(404, 'unknown_user'))
    expect(await ask('/v1/users/ann', { key, method: 'PUT', body: '{', headers: jsonType })).toMatchObject(
      refusal(400, 'malformed_request'),
    )
  })
})

describe('hooks of the host', () => {
  test('run once for each of our requests, the refused and unknown ones too', async () => {
    const ran: string[] = []
    const { ask, key } = await open(async (app, register) => {
      for (const name of ['onRequest', 'preValidation', 'preHandler', 'onResponse'] as const) {
        app.addHook(name, async (request: { url: string }) => {
          ran.push(`${name} ${request.url}`)
        })
      }
      app.addHook('onSend', async (request, reply, payload) => {
        ran.push(`onSend ${request.url}`)
        reply.header('x-host', 'was here')
        return payload
      })
      await register()
    })
    for (const [path, status] of [
      ['/v1/users/ann', 200],
      ['/v1/users/nobody', 404],
      ['/v1/nothing', 404],
      [`/v1/users/${'x'.repeat(255)}`, 404],
    ] as const) {
      ran.length = 0
      const told = await ask(path, { key })
      expect(told.status).toBe(status)
      expect(told.headers.get('x-host')).toBe('was here')
      await expect
        .poll(() => ran)
        .toEqual(['onRequest', 'preValidation', 'preHandler', 'onSend', 'onResponse'].map((name) => `${name} ${path}`))
    }
  })

  test('see the URL as it came, with a query that cannot be read too', async () => {
    const seen: string[] = []
    const { ask, key } = await open(async (app, register) => {
      app.addHook('onRequest', async ({ url, routeOptions }) => {
        seen.push(`${url} of ${routeOptions.url}`)
      })
      await register()
    })
    await ask('/v1/users/ann?x=1', { key })
    expect(await ask('/v1/users/ann?x=%zz', { key })).toMatchObject(refusal(400, 'malformed_request'))
    expect(seen).toEqual(['/v1/users/ann?x=1 of /v1/users/:id', '/v1/users/ann?x=%zz of /v1/users/:id'])
  })

  const REFUSING = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const

  test.each(REFUSING)('that refuse by an answer in %s are obeyed', async (name) => {
    const { ask, key, gamification } = await open(async (app, register) => {
      app.addHook(name as 'onRequest', async (_, reply) => reply.code(429).send({ host: 'too many' }))
      await register()
    })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 429, body: { host: 'too many' } })
    expect(await wordsOf(gamification)).toBe(0)
  })

  // As @fastify/rate-limit and most authentication does.
  test.each(REFUSING)('that refuse by an error in %s are obeyed', async (name) => {
    const { ask, key, gamification } = await open(async (app, register) => {
      app.addHook(name as 'onRequest', async () => {
        throw Object.assign(new Error('Too many requests.'), { statusCode: 429 })
      })
      await register()
    })
    const told = await ask(EVENT_PATH, { key, body: EVENT })
    expect(await wordsOf(gamification)).toBe(0)
    expect(told.status).toBe(429)
  })

  test('that fail in onSend do not make what was done happen again, or look undone', async () => {
    const { ask, key, gamification } = await open(async (app, register) => {
      app.addHook('onSend', async () => {
        throw new Error('The host cannot send.')
      })
      await register()
    })
    const told = await ask(EVENT_PATH, { key, body: EVENT }).catch(() => null)
    expect(await wordsOf(gamification)).toBe(1)
    // It was recorded. A caller who gets an error would correct the request and send it again.
    expect([null, 500]).toContain(told?.status ?? null)
  })
})

describe('a preParsing hook that replaces the payload', () => {
  const replacing = (replace: (payload: Readable) => Readable): Promise<Host> =>
    open(async (app, register) => {
      app.addHook('preParsing', async (_request, _reply, payload) => replace(payload as Readable) as never)
      await register()
    })

  test('by another stream is heard', async () => {
    const { ask, key } = await replacing((payload) => payload.pipe(new PassThrough()))
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201, body: { total: 1 } })
    expect(await ask(EVENT_PATH, { key, body: '{', headers: jsonType })).toMatchObject({ status: 400 })
    expect(await ask(EVENT_PATH, { key: 'none', body: EVENT })).toMatchObject({ status: 401 })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201, body: { total: 2 } })
  })

  describe('that unzips it', () => {
    const openUnzipping = (): Promise<Host> =>
      open(async (app, register) => {
        app.addHook('preParsing', async (request, _reply, payload) => {
          delete request.headers['content-encoding']
          return (payload as Readable).pipe(createGunzip()) as never
        })
        await register()
      })

    const send = ({ port }: Host, key: string, zipped: Buffer): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${EVENT_PATH}`, {
        method: 'POST',
        headers: { ...jsonType, 'X-API-KEY': key, 'Content-Encoding': 'gzip' },
        body: new Uint8Array(zipped),
      })

    const zip = (body: unknown): Buffer => gzipSync(JSON.stringify(body))
    const spoil = (zipped: Buffer): Buffer => Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)])

    test('is heard', async () => {
      const host = await openUnzipping()
      expect((await send(host, host.key, zip(EVENT))).status).toBe(201)
    })

    test.each([
      ['no valid key and junk', 401, 'none', Buffer.from('no gzip')],
      ['no valid key and a wrong checksum', 401, 'none', spoil(zip(EVENT))],
      ['junk', 400, null, Buffer.from('no gzip')],
      ['a wrong checksum', 400, null, spoil(zip(EVENT))],
      ['a wrong checksum after too much', 413, null, spoil(zip({ ...EVENT, pad: 'x'.repeat(3_000_000) }))],
    ])('answers %s with %i, and the process lives', async (_, status, key, zipped) => {
      const host = await openUnzipping()
      const uncaught = await uncaughtDuring(async () => {
        expect((await send(host, key ?? host.key, zipped)).status).toBe(status)
      })
      expect(uncaught).toEqual([])
      expect(await wordsOf(host.gamification)).toBe(0)
    })
  })

  test('by a stream that breaks off is refused', async () => {
    const { ask, key, gamification } = await replacing((payload) => {
      const other = new PassThrough()
      // Once the handler has come to read it.
      payload.resume().on('end', () => setTimeout(() => other.destroy(), 20))
      return other
    })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject(refusal(400, 'malformed_request'))
    expect(await wordsOf(gamification)).toBe(0)
  })
})

describe('long ids', () => {
  const ID = '😀'.repeat(255)
  const PATH = `/v1/users/${encodeURIComponent(ID)}`

  test.each([{}, { maxParamLength: 20 }, { routerOptions: { maxParamLength: 20 } }])(
    'are served whatever the host lets a parameter be: %o',
    async (options) => {
      const { ask, key, gamification } = await open((_, register) => register(), options)
      expect(await ask(PATH, { key, method: 'PUT', body: { name: 'Ann' } })).toMatchObject({
        status: 200,
        body: { id: ID },
      })
      expect(await ask(PATH, { key })).toMatchObject({ status: 200, body: { id: ID, name: 'Ann' } })
      expect(await ask(`${PATH}/preferences`, { key, method: 'PATCH', body: {} })).toMatchObject({ status: 200 })
      expect(await ask(`${PATH}/metrics/words`, { key })).toMatchObject({ status: 200 })
      expect(await ask(PATH, { key, method: 'DELETE' })).toMatchObject({ status: 405 })
      expect(await gamification.users.get(ID)).toMatchObject({ name: 'Ann' })
    },
  )
})
