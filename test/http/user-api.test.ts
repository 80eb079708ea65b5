// @heavy: It takes more than three seconds.
// The routes of one user behind the app's own session: the allowed callers, the allowed pages, and each answer.

import { describe, expect, onTestFinished, test } from 'vitest'
import { userApi as onExpress } from '../../adapters/express/index.ts'
import { userApi as onFetch } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { userApi } from '../../src/http/apis.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { BINDINGS, openServer, type Server } from '../support/http.ts'
import { APPLICATION_API, game, type Operation } from './authorization-table.ts'
import { EVERYTHING, openWorld, TENANT, type World } from './authorization-world.ts'
import { fetchAsPage, headerOf } from './browser.ts'
import { ask, type RawAnswer, type RawCall } from './raw.ts'

const OWN_PAGE = ['Origin', 'http://127.0.0.1'] as const
const cookie = (text: string) => ['Cookie', text] as const

const USER_API = Object.values(APPLICATION_API).filter(({ applicationKeys }) => applicationKeys !== 'no')
const ACROSS_USERS = Object.values(APPLICATION_API).filter(({ applicationKeys }) => applicationKeys === 'no')
const callsOf = (...allowed: readonly Operation['applicationKeys'][]) =>
  USER_API.filter(({ applicationKeys }) => allowed.includes(applicationKeys))

interface Signed {
  readonly cookie: string
  readonly user?: string
  readonly headers?: RawCall['headers']
}

function call({ server }: World, operation: Operation, { cookie: text, user = 'ann', headers = [] }: Signed) {
  const body = operation.body === undefined ? undefined : JSON.stringify(operation.body(user))
  return ask(server.port, operation.method, `/user${operation.target(user)}`, {
    headers: [cookie(text), OWN_PAGE, ...headers],
    body,
  })
}

test('The user API has the routes that application keys may call, and its own description', () => {
  const paths = USER_API.map(({ method, path }) => `${method} ${path}`)
  expect(userApi.routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(paths.sort())
})

describe.each(BINDINGS)('Through %s', (binding) => {
  test.each([
    ['a game without tenants', false],
    ['a game with tenants', true],
  ])("in %s a session opens what is its user's, and what is everybody's", async (_, multiTenant) => {
    const world = await openWorld(binding, { multiTenant })
    for (const operation of callsOf('own', 'any', 'public')) {
      const { status, text } = await call(world, operation, { cookie: `user=ann; tenant=${TENANT}` })
      expect({ operation, status, text }).toMatchObject({ status: operation.status })
      expect(text).not.toMatch(/bob|Robert|77\.77|Secret/)
    }
  })

  test('nothing of another user is opened, with the same bytes whether there is such a user or not', async () => {
    const world = await openWorld(binding)
    const before = world.tables()
    const answers = new Set<string>()
    for (const operation of callsOf('own')) {
      for (const user of ['bob', 'zoe']) {
        const { head, text } = await call(world, operation, { cookie: 'user=ann', user })
        answers.add(`${head}\r\n\r\n${text}`)
      }
    }
    expect([...answers]).toEqual([
      expect.stringMatching(
        /^HTTP\/1\.1 403 [\s\S]*\{"error":"A session may only be used for its own user, and for what that user may see\.","code":"forbidden"\}$/,
      ),
    ])
    expect(world.tables()).toEqual(before)
  })

  test('in a game without `clients` a session may read, and what it would write is refused with what to do', async () => {
    const world = await openWorld(binding, { clients: null })
    const before = world.tables()
    const denied = /"A session may only read: the game has no `clients`, which names what signed-in users may write\."/
    for (const operation of callsOf('own', 'any')) {
      const { status, text } = await call(world, operation, { cookie: 'user=ann' })
      if (operation.method === 'GET') expect({ operation, status, text }).toMatchObject({ status: operation.status })
      else expect({ operation, status, text }).toMatchObject({ status: 403, text: expect.stringMatching(denied) })
    }
    expect(world.tables()).toEqual(before)
  })

  test('`me` in a path is the user of the session, and nobody else', async () => {
    const { server } = await openWorld(binding)
    const asked = async (path: string): Promise<RawAnswer> =>
      ask(server.port, 'GET', `/user/v1/users/${path}`, { headers: [cookie('user=ann'), OWN_PAGE] })
    expect(JSON.parse((await asked('me')).text)).toMatchObject({ id: 'ann' })
    for (const path of ['streak', 'achievements', 'metrics/words', 'points/xp', 'wrapped']) {
      expect(await asked(`me/${path}`)).toMatchObject({ status: 200, text: (await asked(`ann/${path}`)).text })
    }
    expect(await asked('Me')).toMatchObject({ status: 403 })
  })

  test('what looks over all users is not there', async () => {
    const world = await openWorld(binding)
    for (const operation of ACROSS_USERS) {
      expect(await call(world, operation, { cookie: 'user=ann' })).toMatchObject({ status: 404 })
    }
  })

  test('without a session everything but the description is 401, and a key does not help', async () => {
    const world = await openWorld(binding)
    const before = world.tables()
    for (const operation of callsOf('own', 'any')) {
      for (const text of ['theme=dark', 'user2=ann']) {
        const headers = [['X-API-KEY', world.keys.admin] as const]
        const answer = await call(world, operation, { cookie: text, headers })
        expect({ operation, answer }).toMatchObject({
          answer: { status: 401, text: expect.stringMatching(/"Sign in: /) },
        })
      }
    }
    expect(world.tables()).toEqual(before)
  })

  test('no header makes the user one of another tenant', async () => {
    const world = await openWorld(binding, { multiTenant: true })
    const headers = [['Tenant-ID', TENANT] as const]
    const name = async (text: string): Promise<RawAnswer> =>
      ask(world.server.port, 'GET', '/user/v1/users/ann', { headers: [cookie(text), OWN_PAGE, ...headers] })
    expect(await name(`user=ann; tenant=${TENANT}`)).toMatchObject({ status: 200 })
    // The key of `umbrella` made an ann there, too, who has no name.
    const other = await name('user=ann; tenant=umbrella')
    expect(other).toMatchObject({ status: 200 })
    expect(other.text).not.toMatch('Ann')
  })

  test('a session that the host cannot read is a fault, and the caller is not told which', async () => {
    const { server } = await openWorld(binding)
    const answer = await ask(server.port, 'GET', '/user/v1/users/ann', { headers: [cookie('user=broken'), OWN_PAGE] })
    expect(answer).toMatchObject({ status: 500, text: expect.not.stringMatching('store of sessions') })
  })
})

describe.each(BINDINGS)('A request that a page of another site makes the browser send, through %s', (binding) => {
  const EVENT = '{"user":{"id":"ann"},"value":5}'

  const post = (server: Server, headers: RawCall['headers'] = [], body = EVENT): Promise<RawAnswer> =>
    ask(server.port, 'POST', '/user/v1/metrics/words/event', { headers: [cookie('user=ann'), ...headers], body })

  test.each([
    ['from another site', 'https://evil.example'],
    ['from another site whose name begins alike', 'http://127.0.0.1.evil.example'],
    ['from another port', 'http://127.0.0.1:81'],
    ['from a frame without an origin', 'null'],
    ['with several origins', 'http://127.0.0.1, https://evil.example'],
    ['with a path behind the origin', 'http://127.0.0.1/'],
    ['with a user before the host', 'http://evil@127.0.0.1'],
    ['with an empty origin', ''],
  ])('is refused %s', async (_, origin) => {
    const world = await openWorld(binding)
    const before = world.tables()
    expect(await post(world.server, [['Origin', origin]])).toMatchObject({ status: 403 })
    expect(world.tables()).toEqual(before)
  })

  test('is refused without an origin', async () => {
    const world = await openWorld(binding)
    const before = world.tables()
    expect(await post(world.server)).toMatchObject({ status: 403, text: expect.stringMatching(/header Origin/) })
    expect(world.tables()).toEqual(before)
  })

  // A form and what JavaScript may send without asking first.
  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; charset=application/json',
    'text/json',
    'application/problem+json',
    'application/jsonp',
  ])('is refused as %s, even from a page of the app', async (type) => {
    const world = await openWorld(binding)
    const before = world.tables()
    for (const body of [EVENT, 'user[id]=ann&value=5']) {
      expect(await post(world.server, [OWN_PAGE, ['Content-Type', type]], body)).toMatchObject({ status: 415 })
    }
    expect(world.tables()).toEqual(before)
  })

  test('is carried out for a page of the app', async () => {
    const { server } = await openWorld(binding)
    expect(await post(server, [OWN_PAGE])).toMatchObject({ status: 201, text: expect.stringMatching(/"total":6/) })
  })

  test('is not looked at where the app named its pages, and the host is none of them', async () => {
    const origins = ['https://app.example.com', 'capacitor://localhost']
    const server = await openServer({ definition: { ...game, clients: EVERYTHING }, binding, origins })
    onTestFinished(() => server.close())
    const statusOf = async (origin: string): Promise<number> => (await post(server, [['Origin', origin]])).status
    expect(await statusOf('http://127.0.0.1')).toBe(403)
    expect(await statusOf('http://app.example.com')).toBe(403)
    expect(await statusOf('https://app.example.com.evil.example')).toBe(403)
    expect(await statusOf('https://app.example.com')).toBe(201)
    expect(await statusOf('capacitor://localhost')).toBe(201)
  })
})

describe.each(BINDINGS)('A page on another host than the server, through %s', (binding) => {
  const PAGE = 'https://app.example.com'

  const see = async (origin: string, origins: readonly string[] | undefined) => {
    const server = await openServer({
      definition: { ...game, clients: EVERYTHING },
      binding,
      ...(origins === undefined ? {} : { origins }),
    })
    onTestFinished(() => server.close())
    const headers = [['Content-Type', 'application/json'] as const]
    const common = { port: server.port, origin, cookie: 'user=ann' }
    return fetchAsPage({ ...common, method: 'PUT', target: '/user/v1/users/ann', headers, body: '{"name":"Ann"}' })
  }

  test('asks first, calls with its cookies and reads the answer where the app named it', async () => {
    const { preflight, answer, isReadable } = await see(PAGE, [PAGE])
    expect(preflight).toMatchObject({ status: 204 })
    expect(headerOf(preflight as RawAnswer, 'access-control-allow-credentials')).toBe('true')
    expect(answer).toMatchObject({ status: 200 })
    expect(headerOf(answer as RawAnswer, 'access-control-allow-credentials')).toBe('true')
    expect(isReadable).toBe(true)
  })

  test('is not let through its question where the app named another, or none', async () => {
    expect(await see(PAGE, ['https://other.example.com'])).toMatchObject({ answer: null, isReadable: false })
    expect(await see(PAGE, undefined)).toMatchObject({ answer: null, isReadable: false })
  })
})

describe('One user', () => {
  const open = async (): Promise<Engine> => {
    const engine = await openOn(memory(), { now: NOON }, { ...game, clients: EVERYTHING })
    onTestFinished(() => engine.close())
    await engine.users.create({ id: 'ann' })
    await engine.users.create({ id: 'bob' })
    return engine
  }

  test('has two requests handled at once, whatever the session is, and does not keep others waiting', async () => {
    const engine = await open()
    const waiting: (() => void)[] = []
    const asked: string[] = []
    const slow: Engine = {
      ...engine,
      forRequest: (arrivedAt) => {
        const api = engine.forRequest(arrivedAt)
        const get = async (id: string) => {
          asked.push(id)
          if (id === 'ann') await new Promise<void>((resolve) => waiting.push(resolve))
          return api.users.get(id)
        }
        return { ...api, users: { ...api.users, get } }
      },
    }
    const handle = onFetch(slow, { user: ({ headers }) => headers.get('x-user') })
    const get = (id: string): Promise<Response> =>
      handle(new Request(`http://app.test/user/v1/users/${id}`, { headers: { 'x-user': id } }))
    const anns = [get('ann'), get('ann'), get('ann')]
    expect((await get('bob')).status).toBe(200)
    expect(asked.filter((id) => id === 'ann')).toHaveLength(2)
    while (waiting.length > 0 || asked.length < 4) {
      waiting.shift()?.()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect((await Promise.all(anns)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test.each([
    ['a number', 17, 'The option user of userApi answered 17: an id must be a string'],
    ['an empty text', '', 'The option user of userApi answered a string: an id must not be empty.'],
    ['a text of 256 characters', 'x'.repeat(256), 'an id must have at most 255 characters.'],
    ['true', true, 'The option user of userApi answered true: '],
  ])('whom the host names by %s is a fault that the log tells', async (_, id, message) => {
    const engine = await open()
    const logged: unknown[] = []
    const error = (told: object): void => void logged.push((told as { err: Error }).err.message)
    const handle = onFetch({ ...engine, logger: { ...engine.logger, error } }, { user: () => id as string })
    expect((await handle(new Request('http://app.test/user/v1/users/17'))).status).toBe(500)
    expect(logged).toEqual([expect.stringContaining(message)])
  })
})

describe('What the user API is given', () => {
  const open = async (multiTenant: boolean): Promise<Engine> => {
    const engine = await openOn(memory(), { now: NOON }, { ...game, clients: EVERYTHING, multiTenant })
    onTestFinished(() => engine.close())
    return engine
  }
  const user = () => 'ann'

  test.each([
    [
      'no function',
      { user: 'ann' },
      "Invalid user: must be a function that answers the id of a request's user, or null, not 'ann'.",
    ],
    [
      'a tenant in a game without any',
      { user, tenant: user },
      'Invalid tenant: must be left out, for the game has no tenants, not a function.',
    ],
    ['any origin', { user, origins: ['*'] }, 'Invalid origins[0]: must be a scheme and a host'],
    ['no list of origins', { user, origins: 'https://app.example.com' }, 'Invalid origins: must be a list of origins'],
    [
      'an origin with a path',
      { user, origins: ['https://app.example.com/'] },
      'Invalid origins[0]: must be a scheme and a host',
    ],
    [
      'an origin without a scheme',
      { user, origins: ['app.example.com'] },
      'Invalid origins[0]: must be a scheme and a host',
    ],
    ['cors', { user, cors: { origins: '*' } }, 'Invalid options: '],
    ['a wrong limit', { user, bodyLimit: -1 }, 'Invalid bodyLimit: '],
  ])('is refused with %s', async (_, options, message) => {
    const engine = await open(false)
    expect(() => onFetch(engine, options as never)).toThrow(message)
    expect(() => onExpress(engine, options as never)).toThrow(message)
  })

  test('needs a tenant where the game has some', async () => {
    const engine = await open(true)
    expect(() => onFetch(engine, { user })).toThrow(
      "Invalid tenant: must be a function that answers a request's tenant, for the game has tenants, not undefined.",
    )
  })
})

test('A page over http is not a page of an app that is served over https', async () => {
  const engine = await openOn(memory(), { now: NOON }, { ...game, clients: EVERYTHING })
  onTestFinished(() => engine.close())
  const handle = onFetch(engine, { user: () => 'ann' })
  const statusFrom = async (origin: string): Promise<number> => {
    const url = 'https://app.example.com/user/v1/metrics/words/event'
    const headers = { 'Content-Type': 'application/json', Origin: origin }
    return (await handle(new Request(url, { method: 'POST', headers, body: '{"user":{"id":"ann"},"value":5}' }))).status
  }
  expect(await statusFrom('http://app.example.com')).toBe(403)
  expect(await statusFrom('https://app.example.com')).toBe(201)
})
