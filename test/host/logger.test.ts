import { Writable } from 'node:stream'
import { fastify } from 'fastify'
import { applicationApi as fastifyApi } from 'laurels/fastify'
import { applicationApi } from 'laurels/fetch'
import { memory } from 'laurels/memory'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification, type Logger } from '../../src/index.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

/** The error of a storage, with its cause. */
const FAULT = new TypeError('the disk spoke', { cause: new Error('the cable is loose') })

/** An engine whose users cannot be read. */
async function engineWith(logger: Logger): Promise<Gamification<DefinedGame>> {
  const storage = extendStorage(
    memory(),
    aroundQuery(
      (storage) => loadUser(storage, { tenant: '', user: '' }),
      () => Promise.reject(FAULT),
    ),
  )
  const engine = createGamification<DefinedGame>({ game, storage, logger })
  await engine.migrate()
  return engine
}

/** Has a handler throw. */
async function throwInHandler(engine: Gamification<DefinedGame>): Promise<void> {
  engine.on('user.created', () => {
    throw new RangeError('no toast today', { cause: new Error('the toaster is cold') })
  })
  await engine.metrics.event('words', { user: { id: '18' }, value: 1 })
  await engine.close()
}

/** Asks for a user over HTTP. */
async function askInVain(engine: Gamification<DefinedGame>): Promise<void> {
  const { key } = await engine.adminKeys.create()
  const request = new Request('https://example.com/v1/users/18', { headers: { 'X-API-KEY': key } })
  const response = await applicationApi(engine)(request)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('disk')
}

/** Lines of JSON, as pino writes them. */
function collect(): { readonly stream: Writable; lines(): readonly { readonly [name: string]: unknown }[] } {
  const chunks: string[] = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      chunks.push(String(chunk))
      done()
    },
  })
  const lines = (): readonly { readonly [name: string]: unknown }[] =>
    chunks
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { stream, lines }
}

const HANDLER_LINE = {
  level: 50,
  msg: 'A handler of user.created failed.',
  event: 'user.created',
  err: {
    type: 'RangeError',
    message: 'no toast today: the toaster is cold',
    stack: expect.stringMatching(
      /RangeError: no toast today\n {4}at [\s\S]*caused by: Error: the toaster is cold\n {4}at /,
    ),
  },
}
const REQUEST_LINE = {
  level: 50,
  msg: 'A request failed.',
  method: 'GET',
  operation: 'users_get',
  err: {
    type: 'GamificationError',
    code: 'internal',
    message: expect.stringMatching(/^Internal error in laurels.*: the disk spoke: the cable is loose$/),
    stack: expect.stringMatching(
      /caused by: TypeError: the disk spoke\n {4}at [\s\S]*caused by: Error: the cable is loose/,
    ),
  },
}

describe('pino', () => {
  test('has the cause of what a handler throws, with its stack', async () => {
    const { stream, lines } = collect()
    await throwInHandler(createGamification<DefinedGame>({ game, storage: memory(), logger: pino(stream) }))
    expect(lines()).toEqual([
      expect.objectContaining({ ...HANDLER_LINE, err: expect.objectContaining(HANDLER_LINE.err) }),
    ])
  })
})

test("Fastify's app.log has the cause of a 500 and of what a handler throws", async () => {
  const { stream, lines } = collect()
  const app = fastify({ logger: { level: 'warn', stream } })
  const engine = await engineWith(app.log)
  await app.register(fastifyApi, { gamification: engine, prefix: '/v1' })
  const { key } = await engine.adminKeys.create()
  expect((await app.inject({ url: '/v1/users/18', headers: { 'x-api-key': key } })).statusCode).toBe(500)
  await throwInHandler(engine)
  await app.close()
  expect(lines()).toEqual([
    expect.objectContaining({ ...REQUEST_LINE, err: expect.objectContaining(REQUEST_LINE.err) }),
    expect.objectContaining({ ...HANDLER_LINE, err: expect.objectContaining(HANDLER_LINE.err) }),
  ])
})

describe('console', () => {
  afterEach(() => void vi.restoreAllMocks())

  test('prints the message first, and then the error with its stack and cause', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await throwInHandler(createGamification<DefinedGame>({ game, storage: memory(), logger: console }))
    expect(printed.mock.calls).toEqual([
      [
        'A handler of user.created failed.',
        {
          event: 'user.created',
          err: expect.objectContaining({ message: 'no toast today', cause: expect.any(Error) }),
        },
      ],
    ])
    await askInVain(await engineWith(console))
    expect(printed.mock.calls.at(-1)).toEqual([
      'A request failed.',
      { method: 'GET', operation: 'users_get', err: expect.objectContaining({ code: 'internal', cause: FAULT }) },
    ])
  })
})

test('a logger that throws disturbs nobody', async () => {
  const logger = {
    warn: () => undefined,
    error: () => {
      throw new Error('The log is full.')
    },
  }
  await throwInHandler(createGamification<DefinedGame>({ game, storage: memory(), logger }))
  await askInVain(await engineWith(logger))
})
