import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from 'laurels/sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { addAdminKey, loadAdminKeys, removeAdminKey, updateAdminKey } from '../../src/sql/api-keys.ts'
import { useCompiledPackage } from '../support/compiled-package.ts'
import { type ExampleServer, useExamples } from '../support/example-server.ts'

const packaged = useCompiledPackage()
const files = mkdtempSync(join(tmpdir(), 'laurels-servers-'))
const { start, run } = useExamples(packaged, files)
afterAll(() => rmSync(files, { recursive: true, force: true }))

const GIVEN = 'adm_abcd.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Differences between two starts. */
function masked({ printed, address, key }: ExampleServer): string {
  const known = printed.replaceAll(address, '<address>').replaceAll(key || '<no key>', '<key>')
  return known.replace(/\?token=[\w-]{43}$/m, '?token=<token>')
}

async function adminKeys(database: string): Promise<readonly string[]> {
  const storage = sqlite(join(files, database))
  try {
    return (await loadAdminKeys(storage)).map(({ prefix }) => prefix)
  } finally {
    await storage.close()
  }
}

describe('examples/express-sqlite', () => {
  test('is what npm start builds and starts', () => {
    expect(manifest.scripts.start).toBe('npm run build && node dist/examples/express-sqlite/main.js')
  })

  test('makes an admin key at its first start, and none later; what it prints works when pasted', async () => {
    const first = await start('express-sqlite')
    expect(first.key).toMatch(/^adm_[0-9a-z]{4}\.[A-Za-z0-9_-]{43}$/)
    expect(masked(first)).toBe(`laurels answers at <address>/v1 and <address>/admin/v1
The console, by a link that opens once, within ten minutes: <address>/console/?token=<token>
The page of a reader, who is signed in there: <address>/

The admin key, made now and not shown again: <key>
Try it:

  curl -X POST <address>/v1/metrics/pages/event \\
    -H 'X-API-KEY: <key>' -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": 40 }'

`)
    expect(await first.paste()).toEqual({ status: 201, total: 40 })
    expect(await first.paste()).toEqual({ status: 201, total: 80 })
    expect(await first.stop('SIGTERM')).toEqual([0, null])
    expect(await adminKeys('laurels.db')).toEqual([first.key.slice(0, 8)])

    const second = await start('express-sqlite')
    expect(masked(second)).toBe(`laurels answers at <address>/v1 and <address>/admin/v1
The console, by a link that opens once, within ten minutes: <address>/console/?token=<token>
The page of a reader, who is signed in there: <address>/

The admin key was shown at the first start. To make another: npx laurels keys create --db laurels.db
Try it with yours:

  curl -X POST <address>/v1/metrics/pages/event \\
    -H 'X-API-KEY: <admin key>' -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": 40 }'

`)
    expect(await second.get(first.key)).toBe(200)
    expect(await second.get(GIVEN)).toBe(401)
    expect(await second.stop('SIGINT')).toEqual([0, null])
    expect(await adminKeys('laurels.db')).toEqual([first.key.slice(0, 8)])
  })

  test('takes the first admin key from the environment, as often as it starts', async () => {
    const variables = { DATABASE: 'given.db', LAURELS_ADMIN_KEY: GIVEN }
    for (const total of [40, 80]) {
      const server = await start('express-sqlite', variables)
      expect(server.printed).toContain('\n\nThe admin key is that of LAURELS_ADMIN_KEY. Try it:\n\n  curl ')
      expect(server.printed).not.toContain(GIVEN.slice(9))
      expect(await server.paste()).toEqual({ status: 201, total })
      expect(await server.stop('SIGTERM')).toEqual([0, null])
    }
    expect(await adminKeys('given.db')).toEqual(['adm_abcd'])
  })

  test('does not let a key back in that was revoked or deleted while there is another', async () => {
    const variables = { DATABASE: 'revoked.db', LAURELS_ADMIN_KEY: GIVEN }
    const first = await start('express-sqlite', variables)
    await first.stop('SIGTERM')
    const storage = sqlite(join(files, 'revoked.db'))
    const [key] = await loadAdminKeys(storage)
    if (key === undefined) throw new Error('There is no key')
    const other = { ...key, id: 'other', prefix: 'otherkey' }
    await addAdminKey(storage, other, 3)

    for (const takeAway of [
      () => updateAdminKey(storage, key.id, { status: 'revoked' }),
      () => removeAdminKey(storage, key.id),
    ]) {
      await takeAway()
      const server = await start('express-sqlite', variables)
      expect(server.printed).toContain(
        'LAURELS_ADMIN_KEY is no key of this database, which has others. To make another: npx laurels keys create --db revoked.db\n',
      )
      expect(await server.get(GIVEN)).toBe(401)
      await server.stop('SIGTERM')
    }
    await storage.close()
    expect(await adminKeys('revoked.db')).toEqual(['otherkey'])
  })

  test.each([['secret'], [`adm_ABCD.${GIVEN.slice(9)}`], [`${GIVEN}=`], [`app_abcdefghijkl.${GIVEN.slice(9)}`]])(
    'refuses %j as a key, without repeating it or making anything',
    async (given) => {
      const ended = await run('express-sqlite', { DATABASE: 'malformed.db', LAURELS_ADMIN_KEY: given })
      expect(ended).toEqual({
        code: 1,
        out: '',
        err: 'LAURELS_ADMIN_KEY is no admin key: adm_, 4 of 0-9a-z, a dot, and 32 random bytes as base64url.\n',
      })
      expect(existsSync(join(files, 'malformed.db'))).toBe(false)
    },
  )

  test('makes no key that nobody sees where it cannot listen', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, resolve))
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('It does not listen')
    const ended = await run('express-sqlite', { DATABASE: 'taken.db', PORT: String(address.port) })
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('EADDRINUSE') })
    expect(await adminKeys('taken.db')).toEqual([])
    other.close()
  })
})

describe.each([
  ['fastify', 'lessons', 3],
  ['fetch', 'rides', 2],
])('examples/%s', (name, metric, value) => {
  test('prints an admin key, and what works when pasted', async () => {
    const server = await start(name)
    expect(masked(server)).toBe(`laurels answers at <address>/v1 and <address>/admin/v1

The admin key, made now and not shown again: <key>
Try it:

  curl -X POST <address>/v1/metrics/${metric}/event \\
    -H 'X-API-KEY: <key>' -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": ${value} }'

`)
    expect(await server.paste()).toEqual({ status: 201, total: value })
    expect(await server.stop('SIGTERM')).toEqual([0, null])
  })
})

describe.each([
  ['express-sqlite', 'pages'],
  ['fastify', 'lessons'],
  ['fetch', 'rides'],
])('examples/%s', (name, metric) => {
  test('serves the admin API too, and says in its own words what there is not', async () => {
    const server = await start(name, { DATABASE: 'admin.db' })
    const call = async (method: string, path: string, body?: string) => {
      const headers = { 'X-API-KEY': server.key, 'Content-Type': 'application/json' }
      const response = await fetch(server.address + path, { method, headers, ...(body === undefined ? {} : { body }) })
      return [response.status, JSON.parse(await response.text())]
    }
    await call('POST', '/v1/users', '{ "id": "18" }')
    const [status, { created }] = await call('POST', '/admin/v1/application-api-keys', '[{ "userId": "18" }]')
    expect([status, created.length]).toEqual([201, 1])
    expect(await server.get(created[0].key)).toBe(200)
    expect(await call('GET', '/v1/nowhere')).toEqual([404, { error: expect.any(String), code: 'unknown_path' }])
    expect(await server.stop('SIGINT')).toEqual([0, null])
  })

  test('answers what is under way before it stops', async () => {
    const server = await start(name, { DATABASE: 'under-way.db' })
    expect(await server.stopWithin(`/v1/metrics/${metric}/event`, 'SIGTERM')).toEqual([201, 0])
  })
})
