import { expect, test, vi } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf, UUID_7 } from '../../support/engine.ts'
import { expectProblem, expectStatus, onEachStorage, type Server, send, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }

const ADMIN_KEY: string = expect.stringMatching(/^[^.]{8}\.[A-Za-z0-9_-]{43}$/)
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** A user that is there for every valid admin key. */
const serveAnn = async (): Promise<Server> => {
  const server = await serve(game)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  return server
}

const statusWith = async (server: Server, key: string) => (await server.call('GET', '/v1/users/ann', { key })).status

/** Another body that decodes to the same 32 bytes, since the last character of 43 carries four bits only. */
const alias = (key: string): string => `${key.slice(0, -1)}${BASE64URL[BASE64URL.indexOf(key.slice(-1)) + 1]}`

onEachStorage('5.7 a missing or invalid key is 401', () => {
  test('with the same bytes, whatever is wrong with it, on both APIs', async () => {
    const server = await serveAnn()
    const { adminKey } = server
    const [prefix, secret] = adminKey.split('.') as [string, string]
    const applicationKey = await server.applicationKey('ann')
    const rotated = await server.engine.adminKeys.create()
    const { key: valid } = await server.engine.adminKeys.rotate(rotated.id)
    const revoked = await server.engine.adminKeys.create()
    await server.engine.adminKeys.revoke(revoked.id)
    const keys = [
      '',
      'x',
      '.',
      prefix,
      `${prefix}.`,
      `.${secret}`,
      secret,
      `${prefix}${secret}`,
      `${prefix}.${secret}.`,
      `${prefix}.${secret}x`,
      `${prefix}.${secret.slice(0, -1)}`,
      `${prefix}.${'A'.repeat(43)}`,
      `AAAAAAAA.${secret}`,
      `${prefix.toLowerCase()}.${secret.toUpperCase()}`,
      alias(adminKey),
      `Bearer ${adminKey}`,
      `${adminKey}, ${adminKey}`,
      `${applicationKey.split('.')[0]}.${secret}`,
      `${prefix}.${applicationKey.split('.')[1]}`,
      'x'.repeat(5000),
      '__proto__.x',
      'cl\u00e9.x',
      rotated.key,
      revoked.key,
    ]

    const missing = await send(server, 'GET', '/v1/users/ann', { key: null })
    expectProblem(missing, 401)
    for (const key of keys) {
      for (const path of ['/v1/users/ann', '/v1/users/nobody', '/v1/achievements']) {
        const { status, text } = await send(server, 'GET', path, { key })
        expect({ key, path, status, text }).toEqual({ key, path, status: 401, text: missing.text })
      }
      const { status, text } = await send(server, 'POST', '/admin/v1/application-api-keys', { key, body: '[]' })
      expect({ key, status, text }).toEqual({ key, status: 401, text: missing.text })
    }
    expect(await statusWith(server, valid)).toBe(200)
  })

  test('an admin key with whitespace inside or another case of the header name', async () => {
    const server = await serveAnn()
    const [prefix, secret] = server.adminKey.split('.')
    expectProblem(await send(server, 'GET', '/v1/users/ann', { key: `${prefix} .${secret}` }), 401)
    const headers = { 'X-Api-Key': server.adminKey }
    expectStatus(await server.call('GET', '/v1/users/ann', { key: null, headers }), 200)
  })

  test('a key in a query or another header does not count', async () => {
    const server = await serveAnn()
    const { adminKey } = server
    expectProblem(await server.call('GET', `/v1/users/ann?X-API-KEY=${adminKey}`, { key: null }), 401)
    const headers = { Authorization: `Bearer ${adminKey}` }
    expectProblem(await server.call('GET', '/v1/users/ann', { key: null, headers }), 401)
  })

  test('a key sent twice is not accepted', async () => {
    const server = await serveAnn()
    const headers = { 'X-API-KEY': [server.adminKey, server.adminKey] }
    const answer = await send(server, 'GET', '/v1/users/ann', { key: null, headers })
    expect([400, 401]).toContain(answer.status)
  })

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

onEachStorage('5.6 admin keys', () => {
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

  test('section 8: at most 3 exist when ten are created at once', async () => {
    const server = await serve(game)
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => server.engine.adminKeys.create()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await server.engine.adminKeys.list()).toHaveLength(3)
  })

  test('section 8: at most 3 exist when two processes create at once', async () => {
    const server = await serve(game)
    const other = await server.engine.redefine(game)
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? server.engine : other).adminKeys.create()),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await other.adminKeys.list()).toHaveLength(3)
  })

  test('rotation changes prefix and body, and the old key is invalid at once', async () => {
    const server = await serveAnn()
    const old = await server.engine.adminKeys.create()
    expect(await statusWith(server, old.key)).toBe(200)
    const rotated = await server.engine.adminKeys.rotate(old.id)
    expect(rotated).toMatchObject({ id: old.id, status: 'active', key: ADMIN_KEY })
    expect(rotated.prefix).toBe(rotated.key.slice(0, 8))
    expect(rotated.prefix).not.toBe(old.prefix)
    expect(rotated.key.slice(9)).not.toBe(old.key.slice(9))
    expect(await statusWith(server, old.key)).toBe(401)
    expect(await statusWith(server, rotated.key)).toBe(200)
    expect(await server.engine.adminKeys.list()).toHaveLength(2)
  })

  test('revocation holds at once, and reactivation makes the same key valid again', async () => {
    const server = await serveAnn()
    const made = await server.engine.adminKeys.create()
    expect(await statusWith(server, made.key)).toBe(200)
    await server.engine.adminKeys.revoke(made.id)
    expect(await statusWith(server, made.key)).toBe(401)
    const revoked = (await server.engine.adminKeys.list()).find(({ id }) => id === made.id)
    expect(revoked?.status).not.toBe('active')
    expect(revoked?.prefix).toBe(made.prefix)
    await server.engine.adminKeys.reactivate(made.id)
    expect(await statusWith(server, made.key)).toBe(200)
    const active = (await server.engine.adminKeys.list()).find(({ id }) => id === made.id)
    expect(active).toMatchObject({ prefix: made.prefix, status: 'active' })
  })

  test('deletion is permanent', async () => {
    const server = await serveAnn()
    const made = await server.engine.adminKeys.create()
    await server.engine.adminKeys.delete(made.id)
    expect(await statusWith(server, made.key)).toBe(401)
    expect(await codeOf(server.engine.adminKeys.reactivate(made.id))).toBe('unknown_admin_key')
    expect(await codeOf(server.engine.adminKeys.rotate(made.id))).toBe('unknown_admin_key')
    expect(await statusWith(server, made.key)).toBe(401)
    expect(await server.engine.adminKeys.list()).toHaveLength(1)
  })

  test('what another process did holds for the next request', async () => {
    const server = await serveAnn()
    const other = await server.engine.redefine(game)
    const made = await other.adminKeys.create()
    expect(await statusWith(server, made.key)).toBe(200)
    await other.adminKeys.revoke(made.id)
    expect(await statusWith(server, made.key)).toBe(401)
    await other.adminKeys.reactivate(made.id)
    expect(await statusWith(server, made.key)).toBe(200)
    const rotated = await other.adminKeys.rotate(made.id)
    expect(await statusWith(server, made.key)).toBe(401)
    expect(await statusWith(server, rotated.key)).toBe(200)
    await other.adminKeys.delete(made.id)
    expect(await statusWith(server, rotated.key)).toBe(401)
  })

  test('an admin key works on both APIs', async () => {
    const server = await serveAnn()
    const { key } = await server.engine.adminKeys.create()
    expect(await statusWith(server, key)).toBe(200)
    const body = [{ userId: 'ann' }]
    expect((await server.call('POST', '/admin/v1/application-api-keys', { body, key })).status).toBe(201)
  })
})

onEachStorage('5.6 the last use of an admin key', () => {
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
