// A console behind a one-time link: on a developer's own machine, without sign-in.

import { describe, expect, onTestFinished, test } from 'vitest'
import { startConsole } from '../../../adapters/cli/console.ts'
import { type OneTimeLink, oneTimeLink } from '../../../adapters/console/one-time-link.ts'
import { openGamification } from '../../http/hosts.ts'
import { ask, type RawAnswer } from '../../http/raw.ts'
import { useConsoleFiles } from '../../support/console-files.ts'
import { DIFFERENT_MOUNTS, serveAt } from '../../support/consoles.ts'

const directory = useConsoleFiles()

const cookieOf = ({ head }: RawAnswer): string => /\r\nset-cookie: ([^;\r]*)/i.exec(head)?.[1] ?? ''
const below = (link: string): string => new URL(link).pathname + new URL(link).search

describe('A one-time link', () => {
  const base = 'http://localhost:3000/console'
  const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? ''
  const withCookie = (cookie: string) => ({ header: (name: string) => (name === 'cookie' ? cookie : undefined) })
  const pairOf = (cookie: string | null): string => (cookie ?? '').split(';')[0] ?? ''

  test('has a token of 32 random bytes', () => {
    const link = oneTimeLink()
    const urls = new Set(Array.from({ length: 100 }, () => link.url(base)))
    expect(urls.size).toBe(100)
    for (const url of urls) expect(url).toMatch(/^http:\/\/localhost:3000\/console\/\?token=[\w-]{43}$/)
    expect(link.url('http://localhost:3000')).toMatch(/^http:\/\/localhost:3000\/\?token=/)
    expect(link.url('http://localhost:3000/console/?x=1#y')).toMatch(/^http:\/\/localhost:3000\/console\/\?token=/)
  })

  test('opens once, and what it opened stays open', () => {
    const link = oneTimeLink({ access: 'write' })
    const token = tokenOf(link.url(base))
    const cookie = link.open(token)
    expect(cookie).toMatch(/^laurels_console_[\da-f]{8}=[\w-]{43}; HttpOnly; SameSite=Strict$/)
    expect(link.open(token)).toBeNull()
    expect(link.access(withCookie(`a=b; ${pairOf(cookie)}; c=d`))).toBe('write')
    expect(link.access(withCookie(pairOf(cookie)))).toBe('write')
  })

  test('opens for ten minutes, and what it opened is open for twelve hours', () => {
    let now = 0
    const link = oneTimeLink({}, () => now)
    const late = tokenOf(link.url(base))
    now = 600_000
    expect(link.open(late)).toBeNull()
    const token = tokenOf(link.url(base))
    now += 599_999
    const cookie = pairOf(link.open(token))
    now += 12 * 3_600_000 - 1
    expect(link.access(withCookie(cookie))).toBe('read')
    now += 1
    expect(link.access(withCookie(cookie))).toBeNull()
  })

  test('takes the place of the one before', () => {
    const link = oneTimeLink()
    const first = tokenOf(link.url(base))
    const second = tokenOf(link.url(base))
    expect(link.open(first)).toBeNull()
    expect(link.open(second)).not.toBeNull()
  })

  test('is opened by nothing else', () => {
    const link = oneTimeLink()
    const token = tokenOf(link.url(base))
    for (const guess of ['', 'x', `${token}x`, token.slice(1), token.toUpperCase(), oneTimeLink().url(base)]) {
      expect(link.open(guess)).toBeNull()
    }
    const cookie = link.open(token)
    const [name = ''] = pairOf(cookie).split('=')
    for (const other of ['', `${name}=`, `${name}=${token}`, `x${pairOf(cookie)}`, `${pairOf(cookie)}x`, name]) {
      expect(link.access(withCookie(other))).toBeNull()
    }
    expect(link.access({ header: () => undefined })).toBeNull()
  })

  test('of another console does not disturb the cookie of this one', () => {
    const [one, other] = [oneTimeLink(), oneTimeLink({ access: 'write' })]
    const cookies = [one, other].map((link) => pairOf(link.open(tokenOf(link.url(base)))))
    // A browser keeps one of each name.
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0])).size).toBe(2)
    expect([one, other].map((link) => link.access(withCookie(cookies.join('; '))))).toEqual(['read', 'write'])
  })

  test('to a server over HTTPS has a cookie that is sent over that alone', () => {
    const link = oneTimeLink()
    expect(link.open(tokenOf(link.url('https://example.com/console')))).toMatch(/; SameSite=Strict; Secure$/)
  })

  test('keeps as many sessions as people have', () => {
    const link = oneTimeLink()
    const cookies = Array.from({ length: 21 }, () => pairOf(link.open(tokenOf(link.url(base)))))
    expect(link.access(withCookie(cookies[0] ?? ''))).toBeNull()
    expect(link.access(withCookie(cookies[1] ?? ''))).toBe('read')
  })

  test.each([
    [{ access: 'admin' }, "Invalid access: must be 'read' or 'write', not 'admin'."],
    [{ acces: 'read' }, 'access'],
    [null, 'Invalid options: must be an object with any of access, not null.'],
  ])('is not made with %j', (options, message) => {
    expect(() => oneTimeLink(options as never)).toThrow(message)
  })

  test('leads somewhere', () => {
    expect(() => oneTimeLink().url('/console')).toThrow(
      "Invalid base: must be a URL as 'http://localhost:3000/console', not '/console'.",
    )
  })
})

describe.each(DIFFERENT_MOUNTS)('Through $name a link', (mount) => {
  async function open(authorize: OneTimeLink) {
    const { gamification } = await openGamification()
    const port = await serveAt(mount, { gamification, authorize, settings: { directory } })
    const get = (target: string, cookie = '', method = 'GET'): Promise<RawAnswer> =>
      ask(port, method, target, { headers: cookie === '' ? [] : [['Cookie', cookie]] })
    return { get, port }
  }

  test('lets in who opens it first, and goes on without the token', async () => {
    const link = oneTimeLink()
    const { get, port } = await open(link)
    expect(await get(`${mount.path}/`)).toMatchObject({ status: 401 })
    const url = below(link.url(`http://127.0.0.1:${port}${mount.path}`))
    expect(await get(url, '', 'HEAD')).toMatchObject({ status: 401 })
    const entered = await get(url)
    expect(entered).toMatchObject({ status: 303, text: '' })
    expect(entered.head).toMatch(/\r\nlocation: \.\/\r/i)
    expect(entered.head).toMatch(/\r\ncache-control: no-store\r/i)
    expect(entered.head).toMatch(/\r\nreferrer-policy: no-referrer(?:\r|$)/im)
    expect(entered.head).toMatch(/\r\nset-cookie: laurels_console_\w{8}=[\w-]{43}; HttpOnly; SameSite=Strict(?:\r|$)/im)
    const cookie = cookieOf(entered)
    expect(await get(`${mount.path}/users/18`, cookie)).toMatchObject({ status: 200 })
    expect(await get(`${mount.path}/api/console.json`, cookie)).toMatchObject({ status: 200 })
    expect(await get(`${mount.path}/api/console.json`)).toMatchObject({ status: 401 })

    const again = await get(url)
    expect(again).toMatchObject({ status: 401, text: expect.stringMatching(/no longer valid/) })
    expect(again.head).not.toMatch(/set-cookie/i)
    // A person who has opened it may open it again, without another cookie.
    const known = await get(url, cookie)
    expect(known).toMatchObject({ status: 303 })
    expect(known.head).not.toMatch(/set-cookie/i)
  })

  test('opens nothing with another token, nor anywhere but at the mount', async () => {
    const link = oneTimeLink()
    const { get, port } = await open(link)
    const { search } = new URL(link.url(`http://127.0.0.1:${port}${mount.path}`))
    expect(await get(`${mount.path}/?token=${'A'.repeat(43)}`)).toMatchObject({ status: 401 })
    expect(await get(`${mount.path}/?token=`)).toMatchObject({ status: 401 })
    expect(await get(`${mount.path}/users${search}`)).toMatchObject({ status: 401 })
    expect(await get(`${mount.path}/api/console.json${search}`)).toMatchObject({ status: 401 })
    // At the mount itself, without a slash behind.
    const entered = await get(`${mount.path}${search}`)
    expect(entered.head).toMatch(/\r\nlocation: \.\/console\/\r/i)
  })
})

describe('laurels console', () => {
  async function start(access: 'read' | 'write') {
    const { gamification } = await openGamification()
    const server = await startConsole(gamification, { port: 0, access, tenant: null, directory })
    onTestFinished(() => server.close())
    const own = `127.0.0.1:${server.port}`
    const get = (target: string, headers: readonly (readonly [string, string])[], method = 'GET', body?: string) =>
      ask(server.port, method, target, { headers, body })
    return { gamification, server, own, get }
  }

  test.each([
    ['read', 403],
    ['write', 201],
  ] as const)('with %s access', async (access, status) => {
    const { server, own, get } = await start(access)
    expect(server.link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/\\?token=[\\w-]{43}$`))
    const cookie = ['Cookie', cookieOf(await get(below(server.link), [['Host', own]]))] as const
    const info = await get('/api/console.json', [['Host', own], cookie])
    expect(JSON.parse(info.text)).toMatchObject({ access, multiTenant: false, tenant: null })
    const event = '{"user":{"id":"ann"},"value":5}'
    const origin = ['Origin', `http://${own}`] as const
    const sent = await get('/api/v1/metrics/words/event', [['Host', own], cookie, origin], 'POST', event)
    expect(sent).toMatchObject({ status })
    // A page on the same host under another port counts as another site.
    const other = ['Origin', 'http://127.0.0.1:1'] as const
    expect(await get('/api/v1/metrics/words/event', [['Host', own], cookie, other], 'POST', event)).toMatchObject({
      status: 403,
    })
  })

  test('is there under its own names alone, whoever has a link or a cookie', async () => {
    const { server, own, get } = await start('read')
    const cookie = ['Cookie', cookieOf(await get(below(server.link), [['Host', own]]))] as const
    expect(await get('/', [['Host', own], cookie])).toMatchObject({ status: 200 })
    expect(await get('/', [['Host', `LOCALHOST:${server.port}`], cookie])).toMatchObject({ status: 200 })
    for (const host of [
      `evil.example:${server.port}`,
      'evil.example',
      '127.0.0.1',
      'localhost',
      `127.0.0.1:${server.port}.evil.example`,
      `evil.example:127.0.0.1:${server.port}`,
      `user@127.0.0.1:${server.port}`,
      `127.0.0.2:${server.port}`,
      `[::1]:${server.port}`,
      '',
    ]) {
      for (const path of ['/', '/api/console.json', '/index-AbCd_-12.js', below(server.link)]) {
        const answer = await get(path, [['Host', host], cookie])
        expect({ host, path, answer }).toMatchObject({ answer: { status: 403 } })
        expect(answer.head).toMatch(/x-frame-options: DENY/i)
      }
    }
  })

  test('is reached from this machine alone', async () => {
    const { server } = await start('read')
    const { networkInterfaces } = await import('node:os')
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    for (const { address, internal, family } of others.filter(({ internal: own }) => !own)) {
      const host = family === 'IPv6' ? `[${address}]` : address
      await expect(fetch(`http://${host}:${server.port}/`)).rejects.toThrow()
      expect(internal).toBe(false)
    }
  })

  test('says why it cannot listen', async () => {
    const { gamification, server } = await start('read')
    const options = { port: server.port, access: 'read', tenant: null, directory } as const
    await expect(startConsole(gamification, options)).rejects.toThrow(
      `The console cannot listen on 127.0.0.1:${server.port}: it is taken: give another --port, or 0 for any free one.`,
    )
  })
})
