import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from '../support/engine.ts'
import { BINDINGS, openServer, type Server } from '../support/http.ts'
import { shareOf } from '../support/share.ts'
import { type Connection, type Outcome, openConnection, type RawRequest, toBytes } from './raw-connection.ts'

/*
 * Cases that only a socket can produce: requests cut short, sent before the last was answered, or not of HTTP at all.
 */

const EVENT = '/v1/metrics/words/event'
const JSON_TYPE = ['Content-Type', 'application/json'] as const

describe.each(BINDINGS)('through %s', (binding) => {
  let server: Server

  beforeAll(async () => {
    server = await openServer({ binding, definition: { metrics: { words: { name: 'Words' } } } })
    await server.engine.users.create({ id: 'ann' })
  })
  afterAll(() => server.close())

  const key = (): readonly [string, string] => ['X-API-KEY', server.adminKey]
  const get = (path: string): RawRequest => ({ method: 'GET', path, headers: [key()] })
  const add = (user: string, rest: Partial<RawRequest> = {}): RawRequest => ({
    method: 'POST',
    path: EVENT,
    headers: [key(), JSON_TYPE],
    body: JSON.stringify({ user: { id: user }, value: 1 }),
    ...rest,
  })

  async function converse(talk: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await openConnection(server.port)
    try {
      await talk(connection)
    } finally {
      connection.destroy()
    }
  }

  async function expectAlive(connection?: Connection): Promise<void> {
    const ask = async (open: Connection): Promise<void> => {
      open.write(toBytes(get('/v1/users/ann')))
      expect(await open.next({ patience: 2_000 })).toMatchObject({ status: 200 })
    }
    await (connection === undefined ? converse(ask) : ask(connection))
  }

  const isKnown = async (user: string): Promise<boolean> => (await codeOf(server.engine.users.get(user))) === 'accepted'

  describe('a request target in the absolute form', () => {
    // The host of the tests makes `http://host` + target of it.
    const isMangled = binding === 'fetch'

    test.skipIf(isMangled).each([
      ['http://127.0.0.1/v1/users/ann', 200],
      ['http://other.example:8080/v1/users/ann', 200],
      ['https://ann:secret@other.example/v1/users/ann', 200],
      ['http://other.example/v1/nothing', 404],
      ['http://other.example/v1/users/http:%2F%2Fother.example', 404],
    ])('%s is answered with %i', async (path, status) => {
      await converse(async (connection) => {
        connection.write(toBytes(get(path)))
        expect(await connection.next()).toMatchObject({ status })
        await expectAlive(connection)
      })
    })
  })

  describe('a body that breaks off', () => {
    const whole = JSON.stringify({ user: { id: 'cut' }, value: 1 })
    const head = (framing: string): string =>
      `POST ${EVENT} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${server.adminKey}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`

    const CUT: readonly (readonly [string, () => string])[] = [
      ['a chunk', () => `${head('Transfer-Encoding: chunked')}${whole.length.toString(16)}\r\n${whole.slice(0, 9)}`],
      // All of the JSON is there, and its end is not.
      [
        'before the last chunk',
        () => `${head('Transfer-Encoding: chunked')}${whole.length.toString(16)}\r\n${whole}\r\n`,
      ],
      ['a body with a length', () => `${head(`Content-Length: ${whole.length}`)}${whole.slice(0, -1)}`],
      ['before the body', () => head(`Content-Length: ${whole.length}`)],
      ['the headers', () => head(`Content-Length: ${whole.length}`).slice(0, -2)],
    ]

    test.each(CUT)('in %s, when the client goes away, stores nothing', async (_, bytes) => {
      const connection = await openConnection(server.port)
      connection.write(bytes())
      await new Promise((resolve) => setTimeout(resolve, 15))
      connection.destroy()
      await expectAlive()
      expect(await isKnown('cut')).toBe(false)
    })

    test.each(CUT)('in %s, when the client says that it is done, stores nothing', async (_, bytes) => {
      await converse(async (connection) => {
        connection.write(bytes())
        connection.end()
        expect(await connection.next()).toSatisfy((told: Outcome) => told === 'closed' || isStatus(told, 400))
      })
      await expectAlive()
      expect(await isKnown('cut')).toBe(false)
    })
  })

  describe('a body that takes its time', () => {
    test('byte for byte is an event like another', async () => {
      await converse(async (connection) => {
        for (const byte of toBytes(add('ann', { chunk: 1 }))) connection.write(Buffer.of(byte))
        expect(await connection.next()).toMatchObject({ status: 201 })
        await expectAlive(connection)
      })
    })

    test('with trailers is an event like another', async () => {
      await converse(async (connection) => {
        const bytes = toBytes(add('ann', { chunk: 10 }))
          .toString()
          .replace(/0\r\n\r\n$/, '0\r\nX-Trailer: 1\r\n\r\n')
        connection.write(bytes)
        expect(await connection.next()).toMatchObject({ status: 201 })
        await expectAlive(connection)
      })
    })

    // express.json() waits for the body.
    test.skipIf(binding === 'express-parsed')('is answered before it is there, where it is not asked for', async () => {
      await converse(async (connection) => {
        const bytes = toBytes(add('ann', { headers: [['X-API-KEY', 'none'], JSON_TYPE] }))
        const end = bytes.indexOf('\r\n\r\n') + 4
        connection.write(bytes.subarray(0, end))
        expect(await connection.next()).toMatchObject({ status: 401 })
        connection.write(bytes.subarray(end))
        await expectAlive(connection)
      })
    })
  })

  describe('requests sent before the last was answered', () => {
    test('all count when there are 200 of them', async () => {
      await converse(async (connection) => {
        connection.write(Buffer.concat(Array.from({ length: 200 }, () => toBytes(add('many')))))
        for (let count = 0; count < 200; count += 1) expect(await connection.next()).toMatchObject({ status: 201 })
      })
      expect(await server.engine.users.singleMetric('many', 'words')).toMatchObject({ current: 200 })
    })
  })

  describe('what is no request', () => {
    const ODD: readonly (readonly [string, string])[] = [
      ['junk', 'junk\r\n\r\n'],
      ['no host', 'GET /v1/users/ann HTTP/1.1\r\n\r\n'],
      ['U+0000 in a header', 'GET /v1/users/ann HTTP/1.1\r\nHost: x\r\nX-API-KEY: a\0b\r\n\r\n'],
      ['20,000 characters in a header', `GET /v1/users/ann HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['two lengths', `POST ${EVENT} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
      [
        'a length and chunks',
        `POST ${EVENT} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      ['a tunnel', 'CONNECT 127.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ]

    test.each(shareOf(binding, ODD))('%s is refused by Node, and the server lives', async (_, bytes) => {
      await converse(async (connection) => {
        connection.write(Buffer.from(bytes, 'latin1'))
        const told = await connection.next({ patience: 2_000 })
        expect(typeof told === 'string' ? told : told.status).toBeOneOf(['closed', 400, 431, 505])
      })
      await expectAlive()
    })
  })
})

function isStatus(told: Outcome, status: number): boolean {
  return typeof told !== 'string' && told.status === status
}
