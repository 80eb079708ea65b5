// @heavy: It takes more than three seconds.
// Keys that are not valid, and keys that cease to be: through every binding, and from other connections and processes.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { runChild } from '../crash/child.ts'
import { compiled } from '../support/compiled.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { game } from './authorization-table.ts'
import { openWorld } from './authorization-world.ts'
import { ask, type RawCall } from './raw.ts'

const nextFile = useDatabaseFiles()

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const ZEROS = 'A'.repeat(43)

/** Another text with the same 32 bytes: two bits of the last of 43 characters say nothing. */
const alias = (key: string): string => `${key.slice(0, -1)}${BASE64URL.charAt(BASE64URL.indexOf(key.slice(-1)) ^ 1)}`
const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
const partsOf = (key: string): readonly [prefix: string, body: string] => {
  const dot = key.indexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

/** Variants of one valid key and another that is not valid. */
function spoilt(key: string, other: string): { readonly [what: string]: string } {
  const [prefix, body] = partsOf(key)
  const [otherPrefix, otherBody] = partsOf(other)
  return {
    'the prefix alone': prefix,
    'the body alone': body,
    'no dot': prefix + body,
    'the parts exchanged': `${body}.${prefix}`,
    'a last character that decodes to the same bytes': alias(key),
    'a last character too few': key.slice(0, -1),
    'a character too many': `${key}A`,
    'padding of base64': `${key}=`,
    'another first character of the body': `${prefix}.${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`,
    'a body of zeros': `${prefix}.${ZEROS}`,
    'another case of the body': `${prefix}.${swapCase(body)}`,
    'another case of all': swapCase(key),
    'the prefix of another key': `${otherPrefix}.${body}`,
    'the body of another key': `${prefix}.${otherBody}`,
    'the prefix of the other kind of key': prefix.startsWith('app_')
      ? `adm_${prefix.slice(4, 8)}.${body}`
      : `app_${prefix.slice(4)}00000000.${body}`,
    'an unknown prefix': `${prefix.startsWith('app_') ? 'app_000000000000' : 'adm_0000'}.${body}`,
    'a space inside': `${prefix}. ${body}`,
    'two keys with a space': `${key} ${key}`,
    'a scheme before it': `Bearer ${key}`,
    'percent-encoding': `${prefix}%2E${body}`,
    'a wildcard for the body': `${prefix}.%`,
    'a quote of SQL': `${prefix}' or '1'='1.${body}`,
    'a prototype': `__proto__.${body}`,
    '10 kB of junk': 'x'.repeat(10_000),
  }
}

const EVENT = '{"user":{"id":"ann"},"value":1}'
const CALLS: readonly (readonly [method: string, target: string, body?: string])[] = [
  ['GET', '/v1/users/ann'],
  ['POST', '/v1/metrics/words/event', EVENT],
  ['POST', '/admin/v1/application-api-keys', '[{"userId":"ann"}]'],
]

describe.each(BINDINGS)('Through %s a key that is not valid', (binding) => {
  test('is answered with the same bytes as none, whatever is wrong with it, and writes nothing', async () => {
    const { server, keys, tables } = await openWorld(binding)
    const { key: other } = await server.engine.adminKeys.create()
    const made: readonly (readonly [string, RawCall])[] = [
      ...Object.entries(keys.bad).map(([kind, key]) => [kind, { key }] as const),
      ...Object.entries(spoilt(keys.admin, other)).map(([what, key]) => [`admin key: ${what}`, { key }] as const),
      ...Object.entries(spoilt(keys.ofAnn, keys.ofBob)).map(([what, key]) => [`ann's key: ${what}`, { key }] as const),
      ['twice', { key: keys.admin, headers: [['X-API-KEY', keys.admin]] }],
      ['twice, in another case', { key: keys.admin, headers: [['x-api-key', keys.ofAnn]] }],
      ['a wrong one and a right one', { key: 'junk', headers: [['X-API-KEY', keys.admin]] }],
      ['a right one and a wrong one', { key: keys.admin, headers: [['X-API-KEY', 'junk']] }],
      ['a right one and an empty one', { key: keys.admin, headers: [['X-API-KEY', '']] }],
      ['in another header', { headers: [['Authorization', `Bearer ${keys.admin}`]] }],
      ['in a header with an underscore', { headers: [['X_API_KEY', keys.admin]] }],
      ['in a cookie', { headers: [['Cookie', `X-API-KEY=${keys.admin}`]] }],
    ]
    const before = tables()
    // Elsewhere one call does: who asks is settled before anything that differs between them.
    for (const [method, target, body] of binding === 'node' ? CALLS : CALLS.slice(0, 1)) {
      const answers = new Map<string, string>()
      for (const [what, call] of made) {
        const { head, text } = await ask(server.port, method, target, { ...call, body })
        answers.set(`${head}\r\n\r\n${text}`, what)
      }
      expect([method, target, [...answers.values()]]).toEqual([method, target, [expect.any(String)]])
      expect([...answers.keys()][0]).toMatch(/^HTTP\/1.1 401 .*"code":"unauthorized"\}$/s)
    }
    expect(tables()).toEqual(before)
    const queried = await ask(server.port, 'GET', `/v1/users/ann?X-API-KEY=${keys.admin}&api_key=${keys.admin}`)
    expect(queried.status).toBe(401)
  })

  test('may have blanks around it, which are none of its own', async () => {
    const { server, keys } = await openWorld(binding)
    for (const key of [` ${keys.ofAnn}`, `${keys.ofAnn} \t `, `\t${keys.admin}`]) {
      expect(await ask(server.port, 'GET', '/v1/users/ann', { key })).toMatchObject({ status: 200 })
    }
  })
})

/** A server, and another engine on the same file, as another process would have one. */
async function openTwice(binding: BindingName): Promise<{ file: string; server: Server; other: Engine }> {
  const file = nextFile()
  const other = await openOn(sqlite(file, { synchronous: 'NORMAL' }), { now: NOON }, game)
  const server = await openServer({ definition: game, binding, storage: sqlite(file, { synchronous: 'NORMAL' }) })
  onTestFinished(async () => {
    await server.close()
    await other.close()
  })
  await server.engine.users.create({ id: 'ann' })
  return { file, server, other }
}

const statusWith = async ({ port }: Server, key: string): Promise<number> =>
  (await ask(port, 'GET', '/v1/users/ann', { key })).status

describe.each(BINDINGS)('Through %s what another connection does to a key holds for the next request', (binding) => {
  test('revoked, reactivated, rotated and deleted, an admin key', async () => {
    const { server, other } = await openTwice(binding)
    const { id, key } = await other.adminKeys.create()
    expect(await statusWith(server, key)).toBe(200)
    for (let turn = 0; turn < 3; turn += 1) {
      await other.adminKeys.revoke(id)
      expect(await statusWith(server, key)).toBe(401)
      await other.adminKeys.reactivate(id)
      expect(await statusWith(server, key)).toBe(200)
    }
    const rotated = await other.adminKeys.rotate(id)
    expect([await statusWith(server, key), await statusWith(server, rotated.key)]).toEqual([401, 200])
    const [[oldPrefix, oldBody], [newPrefix, newBody]] = [partsOf(key), partsOf(rotated.key)]
    expect(newPrefix).not.toBe(oldPrefix)
    expect(await statusWith(server, `${oldPrefix}.${newBody}`)).toBe(401)
    expect(await statusWith(server, `${newPrefix}.${oldBody}`)).toBe(401)
    await other.adminKeys.delete(id)
    expect([await statusWith(server, key), await statusWith(server, rotated.key)]).toEqual([401, 401])
    await expect(other.adminKeys.reactivate(id)).rejects.toMatchObject({ code: 'unknown_admin_key' })
    expect(await statusWith(server, rotated.key)).toBe(401)
  })
})

describe('Another process', () => {
  let directory = ''
  beforeAll(() => {
    directory = compiled()
  }, 60_000)

  test('revokes, rotates and deletes, and the next request here knows', async () => {
    const { file, server, other } = await openTwice('node')
    const [revoked, rotated] = [await other.adminKeys.create(), await other.adminKeys.create()]
    const ofAnn = await server.applicationKey('ann')
    const { created } = await other.admin.applicationApiKeys.create([{ userId: 'ann' }])
    const keys = [revoked.key, rotated.key, ofAnn, created[0]?.key ?? '']
    expect(await Promise.all(keys.map((key) => statusWith(server, key)))).toEqual([200, 200, 200, 200])
    const script = `
      const engine = createGamification({ game: defineGame(args.game), storage: sqlite(args.file) })
      await engine.adminKeys.revoke(args.revoked)
      const { key } = await engine.adminKeys.rotate(args.rotated)
      await engine.admin.applicationApiKeys.delete([args.deleted])
      say(key)
      await engine.close()`
    const args = { file, game, revoked: revoked.id, rotated: rotated.id, deleted: created[0]?.id }
    const [renewed = ''] = await runChild({ directory, script, args })
    expect(await Promise.all(keys.map((key) => statusWith(server, key)))).toEqual([401, 401, 200, 401])
    expect(await statusWith(server, renewed)).toBe(200)
  })
})

describe('A key', () => {
  test.each([
    ['43 characters of base64url that stand for 32 bytes', (body: string) => Buffer.from(body, 'base64url').length, 32],
    ['canonical', (body: string) => Buffer.from(body, 'base64url').toString('base64url') === body, true],
  ])('has a body that is %s', async (_, look, expected) => {
    const engine = await openOn(memory(), { now: NOON }, game)
    onTestFinished(() => engine.close())
    await engine.users.create({ id: 'ann' })
    const admin = await engine.adminKeys.create()
    const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
    for (const key of [admin.key, created[0]?.key ?? '']) {
      expect(key).toMatch(/^(app_[^.]{12}|[^.]{8})\.[A-Za-z0-9_-]{43}$/)
      expect(look(partsOf(key)[1])).toBe(expected)
    }
    expect(admin.prefix).toBe(admin.key.slice(0, 8))
    expect(created[0]?.prefix).toBe(created[0]?.key.slice(0, 16))
  })
})
