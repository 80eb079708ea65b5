import { createServer } from 'node:http'
import express5 from 'express'
import express4 from 'express-4'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import * as express from '../../adapters/express/index.ts'
import * as fastifyApi from '../../adapters/fastify/index.ts'
import * as fetchApi from '../../adapters/fetch/index.ts'
import { listenOn, listenWith, openGamification } from './hosts.ts'

const VERSIONS = [
  ['Express 5', express5],
  ['Express 4', express4 as unknown as typeof express5],
] as const

test.each(VERSIONS)('On %s the OpenAPI document names the path under which it is served', async (_, create) => {
  const { gamification } = await openGamification()
  const app = create()
  const router = create.Router()
  router.use('/v9', express.applicationApi(gamification))
  app.use('/api/game', express.applicationApi(gamification))
  app.use('/admin/v1', express.adminApi(gamification))
  app.use('/orgs/:org', router)
  app.use(express.userApi(gamification, { user: () => 'ann', prefix: '/me' }))
  const { ask } = await listenOn(createServer(app))
  const serversOf = async (path: string) => (await ask(`${path}/openapi.json`)).body.servers
  expect(await serversOf('/api/game')).toEqual([{ url: '/api/game' }])
  expect(await serversOf('/admin/v1')).toEqual([{ url: '/admin/v1' }])
  expect(await serversOf('/orgs/7/v9')).toEqual([{ url: '/orgs/7/v9' }])
  expect(await serversOf('/me')).toEqual([{ url: '/me' }])
})

test('On node:http it names the prefix', async () => {
  const { gamification } = await openGamification()
  const { ask } = await listenWith(express.applicationApi(gamification, { prefix: '/game/v1' }))
  expect((await ask('/game/v1/openapi.json')).body.servers).toEqual([{ url: '/game/v1' }])
})

test('On Fastify it names the prefix, and the folder of the document without one', async () => {
  const { gamification } = await openGamification()
  const app = fastify()
  await app.register(fastifyApi.applicationApi, { gamification, prefix: '/x/v9' })
  await app.register(async (inner) => inner.register(fastifyApi.adminApi, { gamification, prefix: '/admin' }), {
    prefix: '/outer',
  })
  await app.register(fastifyApi.userApi, { gamification, user: () => 'ann' })
  await app.ready()
  const serversOf = async (url: string) => (await app.inject({ url })).json().servers
  expect(await serversOf('/x/v9/openapi.json')).toEqual([{ url: '/x/v9' }])
  expect(await serversOf('/outer/admin/openapi.json')).toEqual([{ url: '/outer/admin' }])
  expect(await serversOf('/openapi.json')).toEqual([{ url: '.' }])
  await app.close()
})

test('With a Request it names the prefix, and the folder of the document where a router has taken it off', async () => {
  const { gamification } = await openGamification()
  const serversOf = async (prefix: string) => {
    const answer = await fetchApi.applicationApi(gamification, { prefix })(
      new Request(`http://localhost${prefix}/openapi.json`),
    )
    return ((await answer.json()) as { readonly servers: unknown }).servers
  }
  expect(await serversOf('/h/v1')).toEqual([{ url: '/h/v1' }])
  expect(await serversOf('')).toEqual([{ url: '.' }])
})
