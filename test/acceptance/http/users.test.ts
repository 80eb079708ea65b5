import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, serve } from './serve.ts'

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

describe('2.1 the fields of a user', () => {
  test('subscribedToEmails is also accepted as subscribeToEmails, and answers carry both', async () => {
    const server = await serve(game)
    const body = { id: 'ann', email: 'ann@example.com', subscribeToEmails: false }
    expect((await server.call('POST', '/v1/users', { body })).body).toMatchObject({
      subscribedToEmails: false,
      subscribeToEmails: false,
    })
  })
})

describe('4.4 POST /users', () => {
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
})

describe('4.6 PUT /users/{id}', () => {
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

describe('4.7 PATCH /users/{id}', () => {
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
