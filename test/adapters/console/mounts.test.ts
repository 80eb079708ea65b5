// @heavy: It takes more than three seconds.
// The console as hosts mount it: what is at which address, and with which headers.

import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openGamification } from '../../http/hosts.ts'
import { ask, type RawAnswer, type RawCall } from '../../http/raw.ts'
import { SCRIPT, STYLE, useConsoleFiles } from '../../support/console-files.ts'
import { byCookie, DIFFERENT_MOUNTS, MOUNTS, type Mount, serveAt } from '../../support/consoles.ts'

const directory = useConsoleFiles()

const ORIGIN = ['Origin', 'http://127.0.0.1'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const as = (access: string) => ['Cookie', `theme=dark; access=${access}`] as const

interface Opened {
  readonly port: number
  get(path: string, headers?: RawCall['headers'], method?: string): Promise<RawAnswer>
}

async function open(mount: Mount): Promise<Opened> {
  const { gamification } = await openGamification()
  const port = await serveAt(mount, { gamification, authorize: byCookie, settings: { directory } })
  return {
    port,
    get: (path, headers = [as('read')], method = 'GET') => ask(port, method, `${mount.path}${path}`, { headers }),
  }
}

const headersOf = ({ head }: RawAnswer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

describe.each(MOUNTS)('Mounted by $name', (mount) => {
  test('its pages, files and routes lie below that', async () => {
    const { get } = await open(mount)
    expect(await get('/')).toMatchObject({ status: 200, text: expect.stringMatching('<base href="./" />') })
    expect(await get('/users')).toMatchObject({ status: 200, text: expect.stringMatching('<base href="./" />') })
    expect(await get('/users/18')).toMatchObject({ status: 200, text: expect.stringMatching('<base href="../" />') })
    expect(await get('/users/a%2Fb?tab=log')).toMatchObject({
      status: 200,
      text: expect.stringMatching('<base href="../" />'),
    })
    expect(await get('/users/18/')).toMatchObject({
      status: 200,
      text: expect.stringMatching('<base href="../../" />'),
    })
    expect(await get('/index-AbCd_-12.js')).toMatchObject({ status: 200, text: SCRIPT })
    expect(await get('/api/console.json')).toMatchObject({
      status: 200,
      text: expect.stringMatching(
        /^\{"access":"read","multiTenant":false,"hasWebhookKey":false,"version":"\d+\.\d+\.\d+","tenant":null\}$/,
      ),
    })
    expect(await get('/api/v1/users/ann')).toMatchObject({ status: 200, text: expect.stringMatching('"id":"ann"') })
    expect(await get('/api/admin/v1/users')).toMatchObject({ status: 200 })
    expect(await get('/api/admin/v1/users/ann', [as('read'), ORIGIN, JSON_TYPE], 'DELETE')).toMatchObject({
      status: 403,
    })
  })

  test('every base leads a browser back to where it is', async () => {
    const { get, port } = await open(mount)
    const home = new URL(`http://127.0.0.1:${port}${mount.path}/`).pathname
    for (const path of [
      ...(mount.path === '' ? [] : ['']),
      '/',
      '/users',
      '/users/18',
      '/users/18/',
      '/a//b',
      '/?x=1',
    ]) {
      const { text } = await get(path)
      const base = /<base href="([^"]*)" \/>/.exec(text)?.[1] ?? ''
      const read = base
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
      const found = new URL(read, `http://127.0.0.1:${port}${mount.path}${path}`).pathname
      expect({ path, found }).toEqual({ path, found: home })
      expect(text.match(/<b>|<base/g)).toEqual(['<base'])
    }
  })

  test('what a proxy may say of the address is not believed', async () => {
    const { get } = await open(mount)
    const said = [
      ['X-Forwarded-Prefix', '//evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Original-URL', '/evil'],
      ['X-Forwarded-Proto', 'javascript'],
      ['Forwarded', 'host=evil.example;proto=https'],
    ] as const
    for (const path of [...(mount.path === '' ? [] : ['']), '/', '/users/18']) {
      const [plain, proxied] = [await get(path), await get(path, [as('read'), ...said])]
      expect([proxied.head, proxied.text]).toEqual([plain.head, plain.text])
    }
  })

  test('every answer has the headers that keep others out', async () => {
    const { get } = await open(mount)
    const asked = [
      await get('/'),
      await get('/', []),
      await get('/users/18'),
      await get('/nothing.js'),
      await get('/index-AbCd_-12.js'),
      await get('/api/console.json'),
      await get('/api/console.json', []),
      await get('/api/v1/users/nobody'),
      await get('/api/v1/users/ann', [as('read'), ORIGIN, JSON_TYPE], 'DELETE'),
      await get('/users', [as('read')], 'POST'),
      await get('/', [as('read')], 'HEAD'),
    ]
    expect(asked.map(({ status }) => status)).toEqual([200, 401, 200, 404, 200, 200, 401, 404, 405, 405, 200])
    for (const answer of asked) {
      expect(headersOf(answer)).toMatchObject(SECURITY)
      expect(headersOf(answer)).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('nobody else sees more than that nobody is signed in', async () => {
    const { get } = await open(mount)
    for (const path of ['/', '/users', '/index-AbCd_-12.js', '/nothing.js']) {
      const { status, head, text } = await get(path, [])
      expect({ status, head }).toMatchObject({
        status: 401,
        head: expect.stringMatching(/\r\ncache-control: no-store/i),
      })
      expect(text).toMatch(/<h1>You are not signed in<\/h1>/)
      expect(text).not.toMatch(/script|base|style/)
    }
    for (const path of ['/api', '/api/', '/api/console.json', '/api/v1/health', '/api/nothing']) {
      expect(await get(path, [])).toMatchObject({ status: 401, text: expect.stringMatching(/"code":"unauthorized"/) })
    }
  })
})

const NO_FILES = [
  '/../laurels-beside-AbCd_-12.js',
  '/%2e%2e%2flaurels-beside-AbCd_-12.js',
  '/..\\laurels-beside-AbCd_-12.js',
  '/./index-AbCd_-12.js/../../laurels-beside-AbCd_-12.js',
  '/index-AbCd_-12.js%00',
  '/%ff',
  '/secret-AbCd_-12.txt',
  '/.env',
  '/plain.js',
  '/index.html',
  '/index-AbCd_-12.js.br',
  '/index-AbCd_-12.js/',
  '/INDEX-AbCd_-12.js',
  '//index-AbCd_-12.js',
  '/__proto__',
]

const NODE = MOUNTS.filter(({ name }) => name === 'node:http, prefix /console')

describe.each(DIFFERENT_MOUNTS)('Files, through $name', (mount) => {
  test('are sent with Brotli to clients that accept it, and may be cached permanently', async () => {
    const { port } = await open(mount)
    const get = async (name: string, accepted: string) => {
      const headers = { cookie: 'access=read', 'accept-encoding': accepted }
      const answer = await new Promise<IncomingMessage>((resolve) =>
        request({ port, host: '127.0.0.1', path: `${mount.path}/${name}`, headers }, resolve).end(),
      )
      return { bytes: await buffer(answer), headers: answer.headers }
    }
    const script = 'index-AbCd_-12.js'
    const brotli = await get(script, 'gzip, deflate, br')
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT)
    for (const accepted of ['', 'identity', 'gzip', 'br;q=0', 'br; q=0.000, gzip;q=1', 'brr']) {
      const { headers, bytes } = await get(script, accepted)
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers).toMatchObject({ vary: 'Accept-Encoding' })
      expect(bytes.toString()).toBe(SCRIPT)
    }
    const style = await get('index-00000000.css', 'BR;q=0.5, gzip')
    expect(style.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/css; charset=utf-8' })
    expect(brotliDecompressSync(style.bytes).toString()).toBe(STYLE)
  })

  test('are only those that were built', async () => {
    const { get } = await open(mount)
    for (const path of NO_FILES) {
      const { status, text } = await get(path, [as('read'), ['Accept-Encoding', 'identity']])
      expect([200, 400, 404]).toContain(status)
      expect({ path, text }).not.toMatchObject({ text: expect.stringMatching(/secret|root:/i) })
      // A page, which says by itself that there is nothing, or none.
      if (status === 200)
        expect({ path, text }).toMatchObject({ text: expect.stringMatching('<title>laurels</title>') })
    }
  })

  test('and pages are for looking at', async () => {
    const { get } = await open(mount)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
      for (const path of ['/', '/users/18', '/index-AbCd_-12.js']) {
        const answer = await get(path, [as('write'), ORIGIN], method)
        expect({ path, status: answer.status }).toEqual({ path, status: 405 })
        expect(headersOf(answer)).toMatchObject({ allow: 'GET, HEAD' })
      }
    }
  })

  test('HEAD is answered as GET is, without a body', async () => {
    const { get } = await open(mount)
    for (const path of ['/', '/users/18', '/index-AbCd_-12.js', '/api/console.json', '/api/v1/users/ann']) {
      expect(await get(path, [as('read')], 'HEAD')).toMatchObject({ status: 200, text: '' })
    }
  })
})

describe.each(DIFFERENT_MOUNTS)('The host, through $name', (mount) => {
  test('who asks is the host to say, and what it throws is a fault that is not told', async () => {
    const { get } = await open(mount)
    for (const path of ['/', '/users', '/api/v1/health', '/index-AbCd_-12.js']) {
      const answer = await get(path, [as('broken')])
      expect(answer).toMatchObject({ status: 500, text: expect.not.stringMatching('store of sessions') })
      expect(headersOf(answer)).toMatchObject(SECURITY)
    }
  })
})

test('What the host throws for a page is logged, and that its logger throws too is nobody to tell', async () => {
  const logged: unknown[] = []
  for (const error of [
    (about: object) => void logged.push(about),
    () => {
      throw new Error('The logger is broken.')
    },
  ]) {
    const logger = { info: () => undefined, warn: () => undefined, error }
    const { gamification } = await openGamification(undefined, { logger })
    for (const mount of NODE) {
      const port = await serveAt(mount, { gamification, authorize: byCookie, settings: { directory } })
      expect(await ask(port, 'GET', '/console/', { headers: [as('broken')] })).toMatchObject({ status: 500 })
    }
  }
  expect(logged).toMatchObject([{ err: { message: 'The store of sessions is broken.' } }])
})

describe('Without a say who may see it', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ["'read'", 'read'],
    ['true', true],
    ['an object', { access: 'read' }],
  ])('it is not mounted: %s', async (_, authorize) => {
    const { gamification } = await openGamification()
    for (const mount of DIFFERENT_MOUNTS) {
      await expect(
        mount.build({ gamification, authorize: authorize as never, settings: { directory } }),
      ).rejects.toThrow(
        "Invalid authorize: must be a function that answers 'read', 'write', or null for no access, not",
      )
    }
  })
})
