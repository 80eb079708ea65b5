import { createServer } from 'node:http'
import express5, { type Express, type RequestHandler } from 'express'
import express4 from 'express-4'
import { describe, expect, test } from 'vitest'
import { adminApi, applicationApi, type RequestListener } from '../../adapters/express/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import { EVENT, EVENT_PATH, type Listening, listenOn, listenWith, openGamification, wordsOf } from './hosts.ts'

const ELSEWHERE: RequestHandler = (request, response) => {
  response.status(418).json({ host: request.originalUrl, body: request.body })
}

interface Host extends Listening {
  readonly gamification: Gamification<DefinedGame>
  readonly key: string
}

const json = { 'Content-Type': 'application/json' }

// Both are set up alike, and `express()` of both is a listener of node:http.
const VERSIONS = [
  ['Express 5', express5],
  ['Express 4', express4 as unknown as typeof express5],
] as const

test.each([
  ['Hono, with a Request alone', [new Request('http://localhost/v1/users/ann')]],
  ["Fastify's register", [{}, { prefix: '/v1' }, () => undefined]],
])('called as by %s it says which binding there is for it', async (_, given) => {
  const { gamification } = await openGamification()
  const call: (...given: readonly unknown[]) => unknown = untyped(applicationApi(gamification))
  const refusal = {
    code: 'invalid_request',
    message: expect.stringContaining('laurels/fastify for Fastify, and laurels/fetch for a Request'),
  }
  expect(() => call(...given)).toThrow(expect.objectContaining(refusal))
})

describe.each(VERSIONS)('on %s', (_, express) => {
  async function open(set: (app: Express, gamification: Gamification<DefinedGame>) => void): Promise<Host> {
    const { gamification, key } = await openGamification()
    const app = express()
    set(app, gamification)
    return { ...(await listenOn(createServer(app))), gamification, key }
  }

  describe('mounted', () => {
    test('under a path', async () => {
      const { ask, key } = await open((app, gamification) => {
        app.use('/gamification/v1', applicationApi(gamification))
        app.use('/gamification/admin', adminApi(gamification))
        app.use(ELSEWHERE)
      })
      expect(await ask('/gamification/v1/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
      expect(await ask('/gamification/v1/users/ann?x=1', { key })).toMatchObject({ status: 200 })
      expect(await ask('/gamification/v1', { key })).toMatchObject({ status: 404, body: { code: 'unknown_path' } })
      expect(await ask('/gamification/v1/v1/users/ann', { key })).toMatchObject({ status: 404 })
      expect(await ask('/gamification/v1x', { key })).toMatchObject({
        status: 418,
        body: { host: '/gamification/v1x' },
      })
      expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 418 })
      const keys = '/gamification/admin/application-api-keys'
      expect(await ask(keys, { key, body: [{ userId: 'ann' }] })).toMatchObject({ status: 201 })
    })

    test('under a path with a parameter', async () => {
      const { ask, key } = await open((app, gamification) => app.use('/:region/v1', applicationApi(gamification)))
      expect(await ask('/eu/v1/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    })

    test.each([
      ['without a path', (app: Express, api: RequestListener) => app.use(api)],
      ['under /', (app: Express, api: RequestListener) => app.use('/', api)],
      [
        'on a router without a path',
        (app: Express, api: RequestListener) => {
          const router = express.Router()
          router.use(api)
          app.use(router)
        },
      ],
    ])('%s: other paths go on to the next', async (_, mount) => {
      const { ask, key } = await open((app, gamification) => {
        mount(app, applicationApi(gamification))
        mount(app, adminApi(gamification))
        app.use(ELSEWHERE)
      })
      expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
      expect(await ask('/v1/nothing', { key })).toMatchObject({ status: 404, body: { code: 'unknown_path' } })
      expect(await ask('/v1?x=1', { key })).toMatchObject({ status: 404, body: { code: 'unknown_path' } })
      expect(await ask('/admin/v1/application-api-keys', { key, body: [{ userId: 'ann' }] })).toMatchObject({
        status: 201,
      })
      for (const path of [
        '/',
        '/other',
        '/v1x/users/ann',
        '/v10',
        '/admin',
        '/admin/v1x',
        '//v1/users/ann',
        '/x/v1/users/ann',
      ]) {
        expect({ path, ...(await ask(path, { key })) }).toMatchObject({ path, status: 418, body: { host: path } })
      }
    })

    test('without a path, under a prefix of its own', async () => {
      const { ask, key } = await open((app, gamification) => {
        app.use(applicationApi(gamification, { prefix: '/game/api' }))
        app.use(ELSEWHERE)
      })
      expect(await ask('/game/api/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
      expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 418 })
    })

    test('after a middleware of the host that rewrites the URL', async () => {
      const { ask, key } = await open((app, gamification) => {
        app.use((request, _, next) => {
          request.url = request.url.replace('/old/', '/v1/')
          next()
        })
        app.use('/v1', applicationApi(gamification))
      })
      expect(await ask('/old/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    })

    test('a middleware of the host that refuses is obeyed', async () => {
      const { ask, key, gamification } = await open((app, engine) => {
        app.use('/v1', (_, response) => void response.status(429).json({ host: 'too many' }))
        app.use('/v1', applicationApi(engine))
      })
      expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 429, body: { host: 'too many' } })
      expect(await wordsOf(gamification)).toBe(0)
    })
  })

  const PARSERS = {
    'express.json()': () => [express.json()],
    'express.text()': () => [express.text()],
    'express.raw()': () => [express.raw()],
    'express.urlencoded()': () => [express.urlencoded({ extended: true })],
    'all of them': () => [express.json(), express.text(), express.raw(), express.urlencoded({ extended: true })],
  }

  describe.each(Object.entries(PARSERS))('beside %s', (name, parsers) => {
    const openBeside = (time: 'before' | 'after'): Promise<Host> =>
      open((app, gamification) => {
        if (time === 'after') app.use(...parsers())
        app.use('/v1', applicationApi(gamification))
        app.use('/admin/v1', adminApi(gamification))
        if (time === 'before') app.use(...parsers())
        app.use(ELSEWHERE)
      })

    test.each(['before', 'after'] as const)('%s it', async (time) => {
      const { ask, key, gamification } = await openBeside(time)
      expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201, body: { total: 1 } })
      expect(await ask('/v1/users/bob', { key, method: 'PUT', body: { name: 'Bob' } })).toMatchObject({
        status: 200,
        body: { id: 'bob', name: 'Bob' },
      })
      expect(await ask('/admin/v1/application-api-keys', { key, body: [{ userId: 'ann' }] })).toMatchObject({
        status: 201,
      })
      expect(await ask(EVENT_PATH, { key, body: { user: {} } })).toMatchObject({
        status: 422,
        body: { code: 'invalid_request' },
      })
      expect(await ask(EVENT_PATH, { key: 'none', body: EVENT })).toMatchObject({ status: 401 })
      for (const type of ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded', 'image/png']) {
        const told = await ask(EVENT_PATH, { key, body: JSON.stringify(EVENT), headers: { 'Content-Type': type } })
        expect({ type, ...told }).toMatchObject({ type, status: 415, body: { code: 'unsupported_media_type' } })
      }
      expect(await wordsOf(gamification)).toBe(1)
    })

    test('the host’s own routes have its bodies', async () => {
      const { ask } = await openBeside('before')
      if (name === 'express.json()' || name === 'all of them') {
        expect(await ask('/other', { body: { a: 1 } })).toMatchObject({ status: 418, body: { body: { a: 1 } } })
      }
      if (name === 'express.text()' || name === 'all of them') {
        expect(await ask('/other', { body: 'text' })).toMatchObject({ status: 418, body: { body: 'text' } })
      }
    })
  })

  describe('after a parser that takes everything', () => {
    const everything = { type: () => true, limit: '1mb' } as const

    test.each([
      ['express.json()', () => express.json({ ...everything, strict: false })],
      ['express.text()', () => express.text(everything)],
      ['express.raw()', () => express.raw(everything)],
    ])('%s: what can be told is told', async (_, parser) => {
      const { ask, key, gamification } = await open((app, engine) => {
        app.use(parser())
        app.use('/v1', applicationApi(engine))
      })
      expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201, body: { total: 1 } })
      expect(await ask(EVENT_PATH, { key, body: null })).toMatchObject({ status: 422 })
      expect(await ask(EVENT_PATH, { key, body: 5 })).toMatchObject({ status: 422 })
      expect(await ask(EVENT_PATH, { key, body: [] })).toMatchObject({ status: 422 })
      expect(await ask(EVENT_PATH, { key, body: '{', headers: json })).toMatchObject({ status: 400 })
      expect(await ask(EVENT_PATH, { key, body: JSON.stringify(EVENT) })).toMatchObject({ status: 415 })
      expect(await ask(EVENT_PATH, { key, body: { ...EVENT, pad: 'x'.repeat(300_000) } })).toMatchObject({
        status: 413,
      })
      expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 200 })
      expect(await wordsOf(gamification)).toBe(1)
    })
  })

  test('after a middleware that has read the body and kept it to itself there is none', async () => {
    const { ask, key } = await open((app, gamification) => {
      app.use(async (request, _, next) => {
        for await (const _chunk of request) {
          // Dropped.
        }
        next()
      })
      app.use('/v1', applicationApi(gamification))
    })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({
      status: 400,
      body: { code: 'malformed_request' },
    })
    expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 200 })
  })
})

describe('on node:http', () => {
  test('alone it answers everything', async () => {
    const { gamification, key } = await openGamification()
    const { ask } = await listenWith(applicationApi(gamification))
    expect(await ask('/v1/users/ann', { key })).toMatchObject({ status: 200, body: { id: 'ann' } })
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201 })
    for (const path of ['/', '/other', '/v1', '/v1x', '/admin/v1/application-api-keys']) {
      expect(await ask(path, { key })).toMatchObject({ status: 404, body: { code: 'unknown_path' } })
    }
  })

  test.each(['v1', '/v1/', '/', 'http://localhost/v1'])('the prefix %s is refused at once', async (prefix) => {
    const { gamification } = await openGamification()
    expect(() => applicationApi(gamification, { prefix })).toThrow(/^The prefix .* must /)
    expect(() => adminApi(gamification, { prefix })).toThrow(/^The prefix .* must /)
  })
})
