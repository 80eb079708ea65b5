import { describe, expect, onTestFinished, test } from 'vitest'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { openServer, type Server } from '../support/http.ts'

const DEFINITION: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  leaderboards: { secret: { name: 'Secret', rankBy: 'metric', metric: 'words', start: '2026-01-01', private: true } },
}

async function open(): Promise<Server> {
  const server = await openServer({ definition: DEFINITION })
  onTestFinished(server.close)
  return server
}

describe('A path with nothing at it names the one that was probably meant', () => {
  test.each([
    ['/v1/users/', 'There is nothing at this path: leave out the slash at its end.'],
    ['/v1/users/18/streak/', 'There is nothing at this path: leave out the slash at its end.'],
    ['/v1/user/18', 'There is nothing at this path; did you mean /users/18?'],
    ['/v1/Metrics/words/events', 'There is nothing at this path; did you mean /metrics/words/event?'],
    ['/v1/user/a%2Fb', 'There is nothing at this path; did you mean /users/a%2Fb?'],
    ['/v1/webhooks', 'There is nothing at this path: it is a path of the admin API.'],
    ['/admin/v1/users/18/streak', 'There is nothing at this path: it is a path of the application API.'],
    ['/v1/nothing', 'There is nothing at this path.'],
    ['/v1', 'There is nothing at this path.'],
    ['/v1/', 'There is nothing at this path.'],
  ])('%s', async (path, error) => {
    expect(await (await open()).call('GET', path)).toMatchObject({ status: 404, body: { code: 'unknown_path', error } })
  })
})

test('A change of the configuration says that the game is code', async () => {
  const server = await open()
  const change = await server.call('POST', '/admin/v1/points', { body: [] })
  expect(change).toMatchObject({
    status: 405,
    body: { error: 'This path takes GET, HEAD only. The game is code here: change its definition, and deploy it.' },
  })
  expect(change.headers.get('allow')).toBe('GET, HEAD')
  const other = await server.call('POST', '/v1/users/ann/streak', { body: {} })
  expect(other.body.error).toBe('This path takes GET, HEAD only.')
})

test('The first twenty wrong attributes of an event are counted, and the first three named', async () => {
  const server = await open()
  const attributes = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`number-${index}`, index]))
  const event = await server.call('POST', '/v1/metrics/words/event', {
    body: { user: { id: 'ann' }, value: 1, attributes },
  })
  expect(event).toMatchObject({
    status: 422,
    body: {
      error:
        'Invalid body: attributes["number-0"]: must be a string; attributes["number-1"]: must be a string; ' +
        'attributes["number-2"]: must be a string; and 17 more',
    },
  })
})

const OWN = 'An application key may only be used for its own user, and for what that user may see.'

test('A single user is refused by what is wrong with the call', async () => {
  const server = await open()
  await server.engine.users.create({ id: 'ann' })
  const key = await server.applicationKey('ann')
  const errorOf = async (path: string) => (await server.call('GET', path, { key })).body.error
  expect(await errorOf('/v1/users/bob')).toBe(OWN)
  expect(await errorOf('/admin/v1/users')).toBe('An application key may not make this call: use an admin key.')
  expect(await errorOf('/v1/leaderboards/secret')).toBe(OWN)
})

describe('The OpenAPI documents', () => {
  test('say what they describe, and who makes it', async () => {
    const server = await open()
    const infoOf = async (path: string) => (await server.call('GET', `${path}/openapi.json`)).body.info
    const contact = { name: 'laurels', url: 'https://github.com/laurels-dev/laurels' }
    expect(await infoOf('/v1')).toMatchObject({
      description: 'Users and their data: metric events, achievements, points, streaks and leaderboards.',
      contact,
    })
    expect(await infoOf('/admin/v1')).toMatchObject({
      description: 'Administration: keys, users, boosts, webhooks, and reads of the configuration.',
      contact,
    })
    expect(await infoOf('/user/v1')).toMatchObject({
      description: 'The data of one signed-in user, for the pages of an app.',
      contact,
    })
  })

  test('declare the tags that they use, describe every operation, and have no parameter that none uses', async () => {
    const server = await open()
    for (const path of ['/v1', '/admin/v1', '/user/v1']) {
      const { body } = await server.call('GET', `${path}/openapi.json`)
      const operations = Object.values<Record<string, { tags: string[]; description?: string }>>(body.paths).flatMap(
        ({ parameters: _, ...each }) => Object.values(each),
      )
      const used = [...new Set(operations.flatMap(({ tags }) => tags))]
      expect(body.tags.map(({ name }: { readonly name: string }) => name)).toEqual(used)
      expect(operations.filter(({ description }) => description === undefined)).toEqual([])
      expect(body.tags.filter(({ description }: { readonly description?: string }) => !description)).toEqual([])
      const text = JSON.stringify(body.paths)
      const unused = Object.keys(body.components.parameters).filter(
        (name) => !text.includes(`"#/components/parameters/${name}"`),
      )
      expect([path, unused]).toEqual([path, []])
    }
  })

  test('show a body for each route that takes one, which the route accepts', () => {
    const routes = [...applicationApi.routes, ...adminApi.routes].filter(({ bodySchema }) => bodySchema !== null)
    const without = routes.filter(({ example }) => example === undefined).map(({ operationId }) => operationId)
    expect(without).toEqual([])
    for (const { operationId, bodySchema, example } of routes) {
      expect([operationId, bodySchema?.safeParse(example).error]).toEqual([operationId, undefined])
    }
  })
})
