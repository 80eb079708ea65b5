import { createServer, type IncomingMessage } from 'node:http'
import express5 from 'express'
import express4 from 'express-4'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import * as express from '../../adapters/express/index.ts'
import * as fastifyApi from '../../adapters/fastify/index.ts'
import { EVENT, EVENT_PATH, listenOn, openGamification, wordsOf } from './hosts.ts'

/** The work of a logger, a meter or a tracer on a request before the API gets it. */
const tap = (request: IncomingMessage): void => {
  request.on('data', () => undefined)
}

const VERSIONS = [
  ['Express 5', express5],
  ['Express 4', express4 as unknown as typeof express5],
] as const

test.each(VERSIONS)('On %s a middleware that listens to the body does not take it away', async (_, create) => {
  const { gamification, key } = await openGamification()
  const app = create()
  app.use((request, _response, next) => {
    tap(request)
    next()
  })
  app.use('/v1', express.applicationApi(gamification))
  const { ask } = await listenOn(createServer(app))
  for (let count = 0; count < 10; count += 1)
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201 })
  expect(await wordsOf(gamification)).toBe(10 * EVENT.value)
})

test('On Fastify neither, where a hook listens to it', async () => {
  const { gamification, key } = await openGamification()
  const app = fastify()
  app.addHook('onRequest', (request, _reply, done) => {
    tap(request.raw)
    done()
  })
  await app.register(fastifyApi.applicationApi, { gamification, prefix: '/v1' })
  await app.ready()
  const { ask } = await listenOn(app.server)
  for (let count = 0; count < 10; count += 1)
    expect(await ask(EVENT_PATH, { key, body: EVENT })).toMatchObject({ status: 201 })
  await app.close()
})

test('A body that something has read to its end and dropped is missed by name', async () => {
  const { gamification, key } = await openGamification()
  const app = express5()
  app.use((request, _response, next) => {
    request.on('end', () => next()).resume()
  })
  app.use('/v1', express.applicationApi(gamification))
  const { ask } = await listenOn(createServer(app))
  const { status, body } = await ask(EVENT_PATH, { key, body: EVENT })
  expect([status, body]).toEqual([
    400,
    {
      code: 'malformed_request',
      error:
        'The header Content-Length announces a body, and none arrived: something on the server may have read it before laurels did.',
    },
  ])
  const empty = await ask(EVENT_PATH, { key, method: 'POST', headers: { 'Content-Type': 'application/json' } })
  expect(empty.body.error).toBe('The body is empty: send a JSON object.')
})
