// @heavy: It takes more than three seconds.
// The rights from the game's `clients` and from a key: every route, with every kind of key, of the key's own user and
// of another.

import { describe, expect, onTestFinished, test } from 'vitest'
import { adminApi, applicationApi, type FetchHandler, userApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { ownUser } from '../../src/api/endpoint.ts'
import { createHandler } from '../../src/http/handler.ts'
import { routesOf } from '../../src/http/route.ts'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { ADMIN_API, APPLICATION_API, game, type Operation } from './authorization-table.ts'

interface World {
  readonly engine: Engine
  readonly storage: Storage
  /** A key of ann, which is for all of this, or `null` for all that the game lets clients do. */
  keyFor(can: readonly string[] | null, user?: string): Promise<string>
  ask(key: string, operation: Sent): Promise<Answer>
  /** The same in a session of ann. */
  askInSession(operation: Sent): Promise<Answer>
}

interface Sent {
  readonly method: string
  readonly target: string
  readonly body?: unknown
}

interface Answer {
  readonly status: number
  readonly text: string
}

const ORIGIN = 'http://app.example.com'

async function openWorld(clients?: GameDefinition['clients']): Promise<World> {
  const storage = memory()
  const definition = clients === undefined ? game : { ...game, clients }
  const engine = await openOn(storage, { now: NOON }, definition)
  onTestFinished(() => engine.close())
  for (const [id, value] of [['ann', 1] as const, ['bob', 77] as const]) {
    await engine.metrics.event('words', { user: { id, email: `${id}@example.com` }, value })
  }
  const byKey = applicationApi(engine)
  const ofAdmin = adminApi(engine)
  const bySession = userApi(engine, { user: () => 'ann', origins: [ORIGIN] })
  return {
    engine,
    storage,
    keyFor: async (can, userId = 'ann') => {
      const { created, issues } = await engine.admin.applicationApiKeys.create([
        can === null ? { userId } : { userId, can: can as never },
      ])
      expect(issues).toEqual([])
      return created[0]?.key ?? ''
    },
    ask: (key, sent) =>
      send(sent.target.startsWith('/admin') ? ofAdmin : byKey, sent.target, sent, { 'X-API-KEY': key }),
    askInSession: (sent) => send(bySession, `/user${sent.target}`, sent, { Origin: ORIGIN }),
  }
}

async function send(
  handle: FetchHandler,
  path: string,
  { method, body }: Sent,
  headers: Record<string, string>,
): Promise<Answer> {
  const json = { ...headers, 'Content-Type': 'application/json' }
  const init = body === undefined ? { method, headers: json } : { method, headers: json, body: JSON.stringify(body) }
  const response = await handle(new Request(`${ORIGIN}${path}`, init))
  return { status: response.status, text: await response.text() }
}

const sentOf = ({ method, target, body }: Operation, user: string): Sent => ({
  method,
  target: target(user),
  body: body?.(user),
})

const OPEN = Object.values(APPLICATION_API).filter(({ applicationKeys }) => ['own', 'any'].includes(applicationKeys))
const CLOSED = [...Object.values(APPLICATION_API), ...Object.values(ADMIN_API)].filter(
  ({ applicationKeys }) => applicationKeys === 'no',
)
const ALL = ['read', 'profile', 'attributes', 'events', 'achievements', 'challenges', 'redeem'] as const
const needsOf = ({ needs = ['read'] }: Operation): readonly string[] => needs

/** True if a key for these is for all that is needed, by hand. */
const isEnough = (can: readonly string[], needs: readonly string[]): boolean =>
  needs.every((need) => can.includes(need) || can.includes(need.split(':')[0] ?? ''))

const KEYS: readonly (readonly string[])[] = [
  ...ALL.map((each) => [each]),
  ...ALL.map((left) => ALL.filter((each) => each !== left)),
  [...ALL],
  ['events:words'],
  ['events:laps', 'profile'],
  ['events:words', 'profile'],
  ['achievements:tour', 'profile'],
  ['challenges:sprint'],
  ['redeem:mug'],
  ['attributes:plan', 'profile'],
  ['read', 'events:words', 'achievements:tour', 'attributes:plan'],
]

const NOT_OWN = 'may only be used for its own user'

describe('A key that is for less', () => {
  test('opens the routes that it is for, of its own user alone', async () => {
    const world = await openWorld()
    for (const can of KEYS) {
      const key = await world.keyFor(can)
      for (const operation of OPEN) {
        const own = await world.ask(key, sentOf(operation, 'ann'))
        const expected = isEnough(can, needsOf(operation)) ? operation.status : 403
        expect({ can, operation, status: own.status, text: own.text }).toMatchObject({ status: expected })
        if (expected === 403) expect(own.text).toMatch(/its key was made for less \(`can`\)\.","code":"forbidden"\}$/)
        if (operation.applicationKeys !== 'own') continue
        for (const other of ['bob', 'zoe']) {
          const { status, text } = await world.ask(key, sentOf(operation, other))
          expect({ can, operation, status, text }).toMatchObject({
            status: 403,
            text: expect.stringContaining(NOT_OWN),
          })
        }
      }
      for (const operation of CLOSED) {
        expect((await world.ask(key, sentOf(operation, 'ann'))).status).toBe(403)
      }
    }
    expect(await loadUser(world.storage, { tenant: '', user: 'zoe' })).toMatchObject({ state: null })
  })

  test('is as many keys as have been made: one that can all is not narrowed by one that can nothing', async () => {
    const world = await openWorld()
    const [little, all] = [await world.keyFor(['read']), await world.keyFor(null)]
    const update = { method: 'PATCH', target: '/v1/users/ann', body: { name: 'Ann' } }
    expect([(await world.ask(little, update)).status, (await world.ask(all, update)).status]).toEqual([403, 200])
  })
})

const WRITES = OPEN.filter(({ method }) => method !== 'GET')
/** The rights that the game has to give clients for each of these. */
const GAMES: readonly (readonly [what: string, clients: GameDefinition['clients'], allowed: readonly string[]])[] = [
  ['nothing', {}, []],
  ['one metric', { events: { words: {} } }, ['events']],
  ['one metric and the name', { events: { words: { max: 3 } }, profile: ['name'] }, ['events', 'name']],
  ['a smaller value', { events: { words: { max: 2.5 } }, profile: ['name'] }, ['name']],
  ['a larger value', { events: { words: { min: 3.5 } }, profile: ['name'] }, ['name']],
  ['another metric', { events: { laps: {} }, profile: ['name'] }, ['name']],
  ['the achievement', { achievements: ['tour'], profile: ['name'] }, ['achievement', 'name']],
  ['a challenge', { challenges: ['sprint'] }, ['sprint']],
  ['a reward', { redeem: ['mug'] }, ['mug']],
  ['the attribute', { attributes: ['plan'], profile: ['name'] }, ['attribute', 'name']],
  ['notifications', { profile: ['notifications'] }, ['notifications']],
  ['preferences', { profile: ['notifications', 'streak'] }, ['notifications', 'streak']],
]

/** The effects of the writing calls of the table, by hand. */
const DOES: { readonly [path: string]: readonly string[] } = {
  'POST /achievements/{key}/complete': ['achievement', 'name'],
  'POST /metrics/{key}/event': ['events', 'name'],
  'POST /challenges/{key}/enrol': ['sprint'],
  'POST /challenges/{key}/abandon': ['sprint'],
  'POST /challenges/{key}/claim': ['sprint'],
  'POST /challenges/{key}/reroll': ['daily'],
  'POST /rewards/{key}/redeem': ['mug'],
  'POST /users': ['name'],
  'PUT /users/{id}': ['name', 'attribute'],
  'PATCH /users/{id}': ['name'],
  'PATCH /users/{id}/preferences': ['notifications', 'streak'],
}

describe.each(GAMES)('Where the game lets clients do %s', (_, clients, allowed) => {
  test('keys and sessions do that and no more; reads, admin keys and calls in-process are as ever', async () => {
    const world = await openWorld(clients)
    const { key: admin } = await world.engine.adminKeys.create()
    const keys = [await world.keyFor(null), await world.keyFor([...ALL])]
    for (const operation of OPEN) {
      const does = DOES[`${operation.method} ${operation.path}`] ?? []
      expect(does.length > 0).toBe(WRITES.includes(operation))
      const expected = does.every((each) => allowed.includes(each)) ? operation.status : 403
      const answers = [await world.askInSession(sentOf(operation, 'ann'))]
      for (const key of keys) answers.push(await world.ask(key, sentOf(operation, 'ann')))
      for (const { status, text } of answers) {
        expect({ operation, status, text }).toMatchObject({ status: expected })
        if (status === 403) expect(text).toContain("the game's `clients` do not let it.")
      }
      if (operation.applicationKeys === 'own') {
        expect(await world.askInSession(sentOf(operation, 'bob'))).toMatchObject({ status: 403 })
        expect((await world.ask(keys[0] ?? '', sentOf(operation, 'bob'))).text).toContain(NOT_OWN)
      }
      const { status } = await world.ask(admin, sentOf(operation, 'ann'))
      expect({ operation, status }).toMatchObject({ status: operation.status })
    }
    await world.engine.metrics.event('laps', { user: { id: 'ann', attributes: { plan: 'pro' } }, value: -1e6 })
    await world.engine.achievements.complete('tour', { user: { id: 'bob' } })
  })
})

test('A call that names nothing of its user wants something that could be named', async () => {
  const patch = { method: 'PATCH', target: '/v1/users/ann', body: {} }
  const open = await openWorld()
  expect((await open.ask(await open.keyFor(null), patch)).status).toBe(200)
  expect((await open.ask(await open.keyFor(['attributes:plan']), patch)).status).toBe(200)
  const keyed = await open.ask(await open.keyFor(['read', 'events']), patch)
  expect(keyed.text).toContain('may not create or update its user: its key')
  const closed = await openWorld({ events: { words: {} } })
  const denied = await closed.askInSession({ method: 'PUT', target: '/v1/users/ann', body: {} })
  expect(denied.text).toContain("A session may not create or update its user: the game's `clients` do not let it.")
})

test('An attribute of an event that a rule filters on comes from clients only where the game lists it', async () => {
  const filtered: GameDefinition = {
    ...game,
    eventAttributes: ['source', 'mood'],
    achievements: {
      first: { name: 'First', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'verified' } },
    },
  }
  const statusesOf = async (clients: GameDefinition['clients']) => {
    const world = await openWorld()
    const engine = await world.engine.redefine({ ...filtered, ...(clients === undefined ? {} : { clients }) })
    const byKey = applicationApi(engine)
    const bySession = userApi(engine, { user: () => 'ann', origins: [ORIGIN] })
    const key = await world.keyFor(null)
    const target = '/v1/metrics/words/event'
    const statuses: number[] = []
    for (const attributes of [{ source: 'verified' }, { mood: 'good' }, {}]) {
      const sent = { method: 'POST', target, body: { user: { id: 'ann' }, value: 1, attributes } }
      statuses.push((await send(byKey, target, sent, { 'X-API-KEY': key })).status)
      statuses.push((await send(bySession, `/user${target}`, sent, { Origin: ORIGIN })).status)
    }
    return statuses
  }
  expect(await statusesOf({ events: { words: {} } })).toEqual([403, 403, 201, 201, 201, 201])
  expect(await statusesOf({ events: { words: { attributes: ['source'] } } })).toEqual([201, 201, 403, 403, 201, 201])
  expect(await statusesOf(undefined)).toEqual([201, 403, 201, 403, 201, 403])
})

test('A route that does not say what it does is closed where the game, or a key, says what clients may', async () => {
  const changing = routesOf('Users')('POST /users/{id}/new', 'new', {
    summary: '',
    applicationKeys: ownUser,
    answers: { 200: { description: '', schema: {} } },
    run: async () => ({}),
  })
  const statusOf = async (clients: GameDefinition['clients'], can: readonly string[] | null) => {
    const world = await openWorld(clients)
    const key = await world.keyFor(can)
    const answer = await createHandler(
      world.engine,
      [changing],
      {},
    )({
      method: 'POST',
      target: '/users/ann/new',
      header: (name) => ({ 'x-api-key': key })[name],
      readBody: async () => ({ type: 'brokenOff' }),
    })
    return answer?.status
  }
  expect(await statusOf(undefined, null)).toBe(200)
  expect(await statusOf({ events: { words: {} }, profile: ['name', 'streak'] }, null)).toBe(403)
  expect(await statusOf(undefined, [...ALL])).toBe(403)
})

test.each([{ email: 'e@example.com' }, { tz: null }, { deviceTokens: ['t'] }, { subscribedToEmails: false }])(
  'Where the game lets clients set the name alone, they may not set %j',
  async (profile) => {
    const world = await openWorld({ events: { words: {} }, achievements: ['tour'], profile: ['name'] })
    const user = { id: 'ann', ...profile }
    const before = await world.engine.users.get('ann')
    for (const sent of [
      { method: 'PATCH', target: '/v1/users/ann', body: profile },
      { method: 'POST', target: '/v1/users', body: user },
      { method: 'POST', target: '/v1/metrics/words/event', body: { user, value: 1 } },
      { method: 'POST', target: '/v1/achievements/tour/complete', body: { user } },
    ]) {
      expect((await world.ask(await world.keyFor(null), sent)).status).toBe(403)
      expect((await world.askInSession(sent)).status).toBe(403)
    }
    expect(await world.engine.users.get('ann')).toEqual(before)
  },
)
