import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['plan', 'role'],
}

const ANN_WITH_EVERYTHING = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann',
  tz: 'Europe/London',
  deviceTokens: ['token-1', 'token-2'],
  subscribedToEmails: false,
  attributes: { plan: 'pro' },
}

onEachStorage('2.1 the fields of a user', () => {
  test('4.4 POST /users answers 201 with every field, and 4.5 GET /users/{id} answers 200 with the same', async () => {
    const server = await serve(game)
    const expected = {
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Europe/London',
      deviceTokens: ['token-1', 'token-2'],
      subscribedToEmails: false,
      subscribeToEmails: false,
      attributes: { plan: 'pro' },
      control: false,
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-10T12:00:00.000Z',
    }
    const created = await server.call('POST', '/v1/users', { body: ANN_WITH_EVERYTHING })
    expectStatus(created, 201)
    expect(created.body).toEqual(expected)

    const read = await server.call('GET', '/v1/users/ann')
    expectStatus(read, 200)
    expect(read.body).toEqual(expected)
  })

  test('are all there, null where unset, when only the required id was sent', async () => {
    const server = await serve(game)
    const { status, body } = await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: 'bob',
        email: null,
        name: null,
        tz: null,
        deviceTokens: null,
        subscribedToEmails: false,
        subscribeToEmails: false,
        attributes: {},
        control: false,
        created: '2026-03-10T12:00:00.000Z',
        updated: '2026-03-10T12:00:00.000Z',
      },
    })
  })

  test('created stays and updated moves, both with milliseconds in UTC', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    server.engine.at('2026-03-11T08:30:00.250Z')
    const { body } = await server.call('PATCH', '/v1/users/ann', { body: { name: 'Ann' } })
    expect(body.created).toBe('2026-03-10T12:00:00.000Z')
    expect(body.updated).toBe('2026-03-11T08:30:00.250Z')
  })

  test('subscribedToEmails is true by default when an email is known, else false', async () => {
    const server = await serve(game)
    const ann = await server.call('POST', '/v1/users', { body: { id: 'ann', email: 'ann@example.com' } })
    expect(ann.body).toMatchObject({ subscribedToEmails: true, subscribeToEmails: true })
    const bob = await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    expect(bob.body).toMatchObject({ subscribedToEmails: false, subscribeToEmails: false })
  })

  test('subscribedToEmails is also accepted as subscribeToEmails, and answers carry both', async () => {
    const server = await serve(game)
    const body = { id: 'ann', email: 'ann@example.com', subscribeToEmails: false }
    expect((await server.call('POST', '/v1/users', { body })).body).toMatchObject({
      subscribedToEmails: false,
      subscribeToEmails: false,
    })
  })
})

onEachStorage('4.4 POST /users', () => {
  test('of a known user updates it and answers 201', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: ANN_WITH_EVERYTHING })
    server.engine.at('2026-03-12T00:00:00.000Z')
    const { status, body } = await server.call('POST', '/v1/users', { body: { id: 'ann', name: 'Anna' } })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: 'ann',
        email: 'ann@example.com',
        name: 'Anna',
        tz: 'Europe/London',
        deviceTokens: ['token-1', 'token-2'],
        subscribedToEmails: false,
        subscribeToEmails: false,
        attributes: { plan: 'pro' },
        control: false,
        created: '2026-03-10T12:00:00.000Z',
        updated: '2026-03-12T00:00:00.000Z',
      },
    })
  })

  test('ignores unknown fields', async () => {
    const server = await serve(game)
    const sent = { id: 'ann', shoeSize: 38, created: '2020-01-01T00:00:00.000Z', control: true }
    const { status, body } = await server.call('POST', '/v1/users', { body: sent })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: 'ann', created: '2026-03-10T12:00:00.000Z', control: false })
    expect(body).not.toHaveProperty('shoeSize')
  })

  test.each([
    ['no id', 'id', { email: 'ann@example.com' }],
    ['an id that is a number', 'id', { id: 7 }],
    ['an id that is null', 'id', { id: null }],
    ['an empty id', 'id', { id: '' }],
    ['an id of one dot', 'id', { id: '.' }],
    ['an id of two dots', 'id', { id: '..' }],
    ['an id of 256 characters', 'id', { id: 'x'.repeat(256) }],
    ['an id with U+0000', 'id', { id: 'a\u0000' }],
    ['an id with half a surrogate pair', 'id', { id: 'a\ud83e' }],
    ['an email that is a number', 'email', { id: 'ann', email: 7 }],
    ['a tz that is a number', 'tz', { id: 'ann', tz: 1 }],
    ['a name that is an object', 'name', { id: 'ann', name: {} }],
    ['device tokens that are a string', 'deviceTokens', { id: 'ann', deviceTokens: 'token' }],
    ['subscribedToEmails that is a string', 'subscribedToEmails', { id: 'ann', subscribedToEmails: 'true' }],
    ['subscribeToEmails that is a number', 'subscribeToEmails', { id: 'ann', subscribeToEmails: 1 }],
    ['attributes that are a list', 'attributes', { id: 'ann', attributes: ['pro'] }],
    ['an attribute that is a number', 'attributes.plan', { id: 'ann', attributes: { plan: 1 } }],
    ['an attribute that is null', 'attributes.plan', { id: 'ann', attributes: { plan: null } }],
    ['an attribute of 1,025 characters', 'attributes.plan', { id: 'ann', attributes: { plan: 'x'.repeat(1025) } }],
  ])('422: %s, and the issues name %s', async (_, path, body) => {
    const server = await serve(game)
    expectInvalid(await server.call('POST', '/v1/users', { body }), path)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test.each([
    ['an unknown attribute', 'unknown_attribute', { attributes: { plan: 'pro', colour: 'red' } }],
    ['an unknown time zone', 'unknown_time_zone', { tz: 'Mars/Olympus_Mons' }],
    ['a subscription without an email', 'email_required', { subscribedToEmails: true }],
  ])('422: %s, and nothing is stored', async (_, code, rest) => {
    const server = await serve(game)
    const answer = await server.call('POST', '/v1/users', { body: { id: 'ann', ...rest } })
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 422, body: { code } })
    expect(answer.body.error).toMatch(/\S+ \S+/)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: the message names the unknown attribute', async () => {
    const server = await serve(game)
    const { body } = await server.call('POST', '/v1/users', { body: { id: 'ann', attributes: { colour: 'red' } } })
    expect(body.error).toContain('colour')
  })
})

onEachStorage('4.5 GET /users/{id}', () => {
  test('400: bad percent-encoding', async () => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', '/v1/users/%zz'), 400)
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: an id of 256 characters', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/users/${'x'.repeat(256)}`))
  })
})

onEachStorage('4.6 PUT /users/{id}', () => {
  test('creates an unknown user and answers 200 with every field', async () => {
    const server = await serve(game)
    const { id: _, ...body } = ANN_WITH_EVERYTHING
    const answer = await server.call('PUT', '/v1/users/ann', { body })
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Europe/London',
      deviceTokens: ['token-1', 'token-2'],
      subscribedToEmails: false,
      subscribeToEmails: false,
      attributes: { plan: 'pro' },
      control: false,
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-10T12:00:00.000Z',
    })
  })

  test('updates a known user and answers 200', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: ANN_WITH_EVERYTHING })
    const { status, body } = await server.call('PUT', '/v1/users/ann', { body: { attributes: { role: 'editor' } } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Ann', tz: 'Europe/London', attributes: { plan: 'pro', role: 'editor' } })
  })

  test('creates a user from {}', async () => {
    const server = await serve(game)
    const { status, body } = await server.call('PUT', '/v1/users/ann', { body: {} })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'ann', email: null, attributes: {} })
  })

  test('ignores an id in the body: the path decides', async () => {
    const server = await serve(game)
    const { status, body } = await server.call('PUT', '/v1/users/ann', { body: { id: 'bob', name: 'Ann' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'ann', name: 'Ann' })
    expectProblem(await server.call('GET', '/v1/users/bob'), 404, 'unknown_user')
  })

  test('422: a field of another type, and an unknown attribute', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('PUT', '/v1/users/ann', { body: { name: 7 } }), 'name')
    const { status, body } = await server.call('PUT', '/v1/users/ann', { body: { attributes: { colour: 'red' } } })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })
})

onEachStorage('4.7 PATCH /users/{id}', () => {
  test('updates the fields that it names, leaves the others and answers 200 with every field', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: ANN_WITH_EVERYTHING })
    server.engine.at('2026-03-11T12:00:00.000Z')
    const body = { id: 'ann', tz: 'Asia/Tokyo', attributes: { role: 'editor' } }
    const answer = await server.call('PATCH', '/v1/users/ann', { body })
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Asia/Tokyo',
      deviceTokens: ['token-1', 'token-2'],
      subscribedToEmails: false,
      subscribeToEmails: false,
      attributes: { plan: 'pro', role: 'editor' },
      control: false,
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-11T12:00:00.000Z',
    })
  })

  test('null clears email, name, tz and deviceTokens', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: ANN_WITH_EVERYTHING })
    const body = { email: null, name: null, tz: null, deviceTokens: null }
    expect((await server.call('PATCH', '/v1/users/ann', { body })).status).toBe(200)
    expect((await server.call('GET', '/v1/users/ann')).body).toMatchObject({
      email: null,
      name: null,
      tz: null,
      deviceTokens: null,
      attributes: { plan: 'pro' },
    })
  })

  test('ignores an id in the body: the path decides', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const { status, body } = await server.call('PATCH', '/v1/users/ann', { body: { id: 'bob', name: 'Ann' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'ann', name: 'Ann' })
    expectProblem(await server.call('GET', '/v1/users/bob'), 404, 'unknown_user')
  })

  test('404: an unknown user, who stays unknown', async () => {
    const server = await serve(game)
    expectProblem(await server.call('PATCH', '/v1/users/ann', { body: { name: 'Ann' } }), 404, 'unknown_user')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: a field of another type, an unknown attribute, and nothing is stored', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    expectInvalid(await server.call('PATCH', '/v1/users/ann', { body: { deviceTokens: ['a', 7] } }), 'deviceTokens[1]')
    const sent = { name: 'Ann', attributes: { colour: 'red' } }
    const { status, body } = await server.call('PATCH', '/v1/users/ann', { body: sent })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
    expect((await server.call('GET', '/v1/users/ann')).body).toMatchObject({ name: null, attributes: {} })
  })
})
