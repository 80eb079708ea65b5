import { describe, expect, test } from 'vitest'
import { createSender, type Post } from '../../../src/messages/webhooks/send.ts'
import { openReceiver } from './receiver.ts'

const BRIEF_MS = 1_000
const send = createSender({ timeoutMs: BRIEF_MS })

const post = (url: string, given: Partial<Post> = {}): Post => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'm-1' },
  body: '{"name":"Ännchen"}',
  allowInternal: true,
  ...given,
})

describe('a receiver that answers', () => {
  test('gets the body byte for byte, with its length and its headers', async () => {
    const { address, received } = await openReceiver()
    const answer = await send(post(`${address}/hooks?a=b`))
    expect(answer).toEqual({ status: 200, error: null, retryAfter: undefined, text: 'thanks' })
    expect(received).toEqual([
      {
        method: 'POST',
        path: '/hooks?a=b',
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'content-length': '19',
          'webhook-id': 'm-1',
        }),
        body: '{"name":"Ännchen"}',
      },
    ])
  })

  test('after ten informational answers is heard', async () => {
    const { address } = await openReceiver((_, response) => {
      for (let sent = 0; sent < 10; sent += 1) response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(204).end()
    })
    expect(await send(post(address))).toEqual({ status: 204, error: null, retryAfter: undefined, text: '' })
  })

  test.each([204, 400, 404, 410, 429, 500, 503])('with %i is heard', async (status) => {
    const { address } = await openReceiver((_, response) => response.writeHead(status, { 'retry-after': '7' }).end())
    expect(await send(post(address))).toEqual({ status, error: null, retryAfter: '7', text: '' })
  })

  test.each([301, 302, 303, 307, 308])('with %i is not followed', async (status) => {
    const other = await openReceiver()
    const { address, received } = await openReceiver((_, response) =>
      response.writeHead(status, { location: `${other.address}/there` }).end(),
    )
    expect(await send(post(address))).toMatchObject({ status, error: null })
    expect(received).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })

  test('with a text without end is read for 64 KB, and then the connection is closed', async () => {
    let written = 0
    let isClosed = false
    const { address } = await openReceiver((_, response) => {
      response.on('close', () => {
        isClosed = true
      })
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384
      }
      response.on('drain', more)
      more()
    })
    const { status, error } = await createSender({ timeoutMs: 5_000 })(post(address))
    expect([status, error]).toEqual([200, null])
    await expect.poll(() => isClosed).toBe(true)
    expect(written).toBeLessThan(16_000_000)
  })
})

describe('a receiver that does not', () => {
  test('answer at all', async () => {
    const { address } = await openReceiver(() => new Promise(() => undefined))
    expect(await send(post(address))).toEqual({
      status: null,
      error: 'no whole answer within 1 s',
      retryAfter: undefined,
      text: '',
    })
  })

  test('answer beyond ten informational answers', async () => {
    let written = 0
    const { address } = await openReceiver((_, response) => {
      const timer = setInterval(() => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' })
        written += 1
      }, 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(await send(post(address))).toEqual({
      status: null,
      error: 'there were too many informational answers',
      retryAfter: undefined,
      text: '',
    })
    expect(written).toBeGreaterThan(10)
  })

  test('come to an end has no answer, however often it writes', async () => {
    const { address } = await openReceiver((_, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const { status, error } = await send(post(address))
    expect([status, error]).toEqual([200, 'no whole answer within 1 s'])
  })
})

describe('a name', () => {
  const named = (...addresses: readonly string[]) =>
    createSender({
      timeoutMs: BRIEF_MS,
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    })

  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['::1', ['::1']],
    ['169.254.169.254', ['169.254.169.254']],
    ['10.1.2.3', ['10.1.2.3']],
    ['two addresses, the second of which is inside', ['93.184.215.14', '127.0.0.1']],
    ['two addresses, the first of which is inside', ['fd00::1', '93.184.215.14']],
  ])('that leads to %s is not connected to', async (_, addresses) => {
    const { port, connections } = await openReceiver()
    const answer = await named(...addresses)(post(`http://example.com:${port}/`, { allowInternal: false }))
    expect(answer).toEqual({
      status: null,
      error: 'the URL leads to an internal address, which is not allowed',
      retryAfter: undefined,
      text: '',
    })
    expect(connections()).toBe(0)
  })

  test('that leads there is connected to where that is allowed', async () => {
    const { port, received } = await openReceiver()
    const answer = await named('127.0.0.1')(post(`http://example.com:${port}/`))
    expect(answer.status).toBe(200)
    expect(received[0]?.headers.host).toBe(`example.com:${port}`)
  })

  test('is asked for its addresses each time: one that moves inside is refused from then on', async () => {
    const answers = ['127.0.0.1', '10.0.0.1']
    let asked = 0
    const sender = createSender({
      timeoutMs: BRIEF_MS,
      resolve: async () => [{ address: answers[asked++] ?? '', family: 4 }],
    })
    const { port } = await openReceiver()
    expect((await sender(post(`http://example.com:${port}/`))).status).toBe(200)
    expect((await sender(post(`http://example.com:${port}/`, { allowInternal: false }))).status).toBe(null)
    expect(asked).toBe(2)
  })

  test('without an address, and one whose addresses nobody tells, fail', async () => {
    expect(await named()(post('http://example.com/'))).toMatchObject({ status: null, error: 'the request failed' })
    const failing = createSender({
      resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
    })
    expect(await failing(post('http://example.com/'))).toMatchObject({ error: 'the request failed (ENOTFOUND)' })
    const hanging = createSender({ timeoutMs: 100, resolve: () => new Promise(() => undefined) })
    expect(await hanging(post('http://example.com/'))).toMatchObject({ error: 'no whole answer within 0.1 s' })
  })
})

test.each(['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
  'The address %s in the URL itself is not connected to either',
  async (host) => {
    const { port, connections } = await openReceiver()
    const answer = await send(post(`http://${host}:${port}/`, { allowInternal: false }))
    expect(answer).toMatchObject({ status: null, error: 'the URL leads to an internal address, which is not allowed' })
    expect(connections()).toBe(0)
  },
)
