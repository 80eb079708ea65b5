import { describe, expect, test, vi } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf, UUID_7 } from '../../support/engine.ts'
import { type Server, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }

const ADMIN_KEY: string = expect.stringMatching(/^[^.]{8}\.[A-Za-z0-9_-]{43}$/)

/** A user that is there for every valid admin key. */
const serveAnn = async (): Promise<Server> => {
  const server = await serve(game)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  return server
}

const statusWith = async (server: Server, key: string) => (await server.call('GET', '/v1/users/ann', { key })).status

describe('5.7 a missing or invalid key is 401', () => {
  test('answers never carry the key', async () => {
    const server = await serveAnn()
    const applicationKey = await server.applicationKey('ann')
    const [, secret] = server.adminKey.split('.')
    const [, ownSecret] = applicationKey.split('.')
    for (const path of ['/v1/users/ann', '/v1/nothing', '/v1/users/bob', '/admin/v1/nothing']) {
      for (const key of [server.adminKey, applicationKey, `AAAAAAAA.${secret}`]) {
        const { text } = await server.call('GET', path, { key })
        expect(text).not.toContain(secret)
        expect(text).not.toContain(ownSecret)
      }
    }
  })
})

describe('5.6 admin keys', () => {
  test('are created with id, prefix, status, created, lastUsed and the full key', async () => {
    const server = await serveAnn()
    const made = await server.engine.adminKeys.create()
    expect(made).toEqual({
      id: UUID_7,
      prefix: made.key.slice(0, 8),
      status: 'active',
      created: '2026-03-10T12:00:00.000Z',
      lastUsed: null,
      key: ADMIN_KEY,
    })
    expect(await statusWith(server, made.key)).toBe(200)
  })

  test('are listed without the full key', async () => {
    const server = await serve(game)
    const made = await server.engine.adminKeys.create()
    const keys = await server.engine.adminKeys.list()
    expect(keys).toHaveLength(2)
    expect(keys.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      prefix: made.prefix,
      status: 'active',
      created: '2026-03-10T12:00:00.000Z',
      lastUsed: null,
    })
    expect(JSON.stringify(keys)).not.toContain(made.key.slice(9))
  })

  test('section 8: at most 3 exist', async () => {
    const server = await serve(game)
    const second = await server.engine.adminKeys.create()
    await server.engine.adminKeys.create()
    expect(await codeOf(server.engine.adminKeys.create())).toBe('too_many_admin_keys')
    expect(await server.engine.adminKeys.list()).toHaveLength(3)
    await server.engine.adminKeys.delete(second.id)
    await server.engine.adminKeys.create()
    expect(await server.engine.adminKeys.list()).toHaveLength(3)
  })

  test('section 8: a revoked key is one of the 3', async () => {
    const server = await serve(game)
    const second = await server.engine.adminKeys.create()
    await server.engine.adminKeys.create()
    await server.engine.adminKeys.revoke(second.id)
    expect(await codeOf(server.engine.adminKeys.create())).toBe('too_many_admin_keys')
  })
})

describe('5.6 the last use of an admin key', () => {
  const lastUse = async (server: Server, id: string) =>
    (await server.engine.adminKeys.list()).find((key) => key.id === id)?.lastUsed

  test('is tracked to the minute, on both APIs, whatever the status after the key', async () => {
    const server = await serveAnn()
    const { id, key } = await server.engine.adminKeys.create()
    expect(await lastUse(server, id)).toBe(null)

    server.engine.at('2026-03-10T12:34:56.789Z')
    await server.call('GET', '/v1/users/ann', { key })
    await vi.waitFor(async () => expect(await lastUse(server, id)).toBe('2026-03-10T12:34:00.000Z'))

    server.engine.at('2026-03-10T12:40:10.000Z')
    await server.call('POST', '/admin/v1/application-api-keys', { key, body: [] })
    await vi.waitFor(async () => expect(await lastUse(server, id)).toBe('2026-03-10T12:40:00.000Z'))

    server.engine.at('2026-03-10T12:50:10.000Z')
    await server.call('GET', '/v1/users/nobody', { key })
    await vi.waitFor(async () => expect(await lastUse(server, id)).toBe('2026-03-10T12:50:00.000Z'))
  })

  test('is not touched by a failed authentication', async () => {
    const server = await serveAnn()
    const { id, prefix, key } = await server.engine.adminKeys.create()
    await server.call('GET', '/v1/users/ann', { key: `${prefix}.${'A'.repeat(43)}` })
    await server.call('GET', '/v1/nothing', { key })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await lastUse(server, id)).toBe(null)
  })
})
