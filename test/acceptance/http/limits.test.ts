import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, onEachStorage, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { one: { name: 'One', trigger: 'metric', metric: 'words', value: 1 } },
}

/** `value` as it stands in the JSON. */
const event = (server: Server, value: string, id = 'ann') =>
  send(server, 'POST', '/v1/metrics/words/event', { body: `{"user":{"id":"${id}"},"value":${value}}` })

onEachStorage('section 2: user ids in a path', () => {
  test.each([
    ['an emoji', '%F0%9F%A6%89', '\u{1f989}'],
    ['a slash', 'team%2Fann', 'team/ann'],
    ['a lower-case %2f', 'team%2fann', 'team/ann'],
    ['a space', 'ann%20b', 'ann b'],
    ['spaces around', '%20ann%20', ' ann '],
    ['a plus, which stays one', 'ann+b', 'ann+b'],
    ['a percent sign', '100%25', '100%'],
    ['what looks encoded once decoded', '%252F', '%2F'],
    ['a question mark', 'ann%3Fx=1', 'ann?x=1'],
    ['a hash', 'ann%23x', 'ann#x'],
    ['a semicolon and a colon', 'ann;v=1:2', 'ann;v=1:2'],
    ['an at sign', 'ann@example.com', 'ann@example.com'],
    ['a backslash', 'a%5Cb', 'a\\b'],
    ['three dots', '...', '...'],
    ['a line break', 'a%0Ab', 'a\nb'],
    ['__proto__', '__proto__', '__proto__'],
    ['constructor', 'constructor', 'constructor'],
    ['toString', 'toString', 'toString'],
    ['undefined', 'undefined', 'undefined'],
    ['preferences', 'preferences', 'preferences'],
    ['a composed accent', 'jos%C3%A9', 'jos\u00e9'],
    ['a combining accent', 'jose%CC%81', 'jose\u0301'],
    ['a character in its own encoding', '%61nn', 'ann'],
    ['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
  ])('%s is kept as sent', async (_, path, id) => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', `/v1/users/${path}`), 404, 'unknown_user')
    const put = await send(server, 'PUT', `/v1/users/${path}`, { body: '{"name":"X"}' })
    expect({ status: put.status, id: put.body.id }).toEqual({ status: 200, id })
    const { status, body } = await send(server, 'POST', '/v1/metrics/words/event', {
      body: JSON.stringify({ user: { id }, value: 3 }),
    })
    expect({ status, total: body.total }).toEqual({ status: 201, total: 3 })
    expect((await send(server, 'GET', `/v1/users/${path}/metrics/words`)).body.current).toBe(3)
    expect((await send(server, 'GET', `/v1/users/${path}`)).body).toMatchObject({ id, name: 'X' })
  })

  test('are neither trimmed, folded nor normalised', async () => {
    const server = await serve(game)
    const paths = ['ann', '%20ann%20', 'Ann', 'ANN', 'jos%C3%A9', 'jose%CC%81']
    for (const [index, path] of paths.entries()) {
      await send(server, 'PUT', `/v1/users/${path}`, { body: `{"name":"n${index}"}` })
    }
    const names: string[] = []
    for (const path of paths) names.push((await send(server, 'GET', `/v1/users/${path}`)).body.name)
    expect(names).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5'])
  })

  test.each([
    ['256 characters', 'x'.repeat(256)],
    ['256 encoded characters', '%C3%A9'.repeat(256)],
  ])('422: %s', async (_, path) => {
    const server = await serve(game)
    expectInvalid(await send(server, 'GET', `/v1/users/${path}`))
    expectInvalid(await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' }))
    expectInvalid(await send(server, 'GET', `/v1/users/${path}/metrics/words`))
  })

  test.each([
    ['%zz', '%zz'],
    ['a lone %', '%'],
    ['half an escape', 'ann%2'],
    ['U+0000', '%00'],
    ['U+0000 among others', 'ann%00b'],
    ['a byte that is no UTF-8', '%ff'],
    ['a cut sequence of UTF-8', '%F0%9F%A6'],
    ['an overlong sequence of UTF-8', '%C0%AF'],
    ['a surrogate in UTF-8', '%ED%A0%80'],
  ])('400: %s', async (_, path) => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', `/v1/users/${path}`), 400)
    expectProblem(await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' }), 400)
    expectProblem(await send(server, 'GET', `/v1/users/${path}/metrics/words`), 400)
    expectProblem(await send(server, 'GET', `/v1/users/ann/metrics/${path}`), 400)
  })

  test.each(['.', '..', '%2E', '%2e%2E'])('%s never names a user', async (path) => {
    const server = await serve(game)
    const { status } = await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' })
    expect([404, 405, 422]).toContain(status)
  })

  test('255 characters are counted in code units or points, so that an id of 128 emojis is one way or the other', async () => {
    const server = await serve(game)
    const id = '\u{1f989}'.repeat(127)
    const { status, body } = await server.call('PUT', `/v1/users/${encodeURIComponent(id)}`, { body: {} })
    expect({ status, id: body.id }).toEqual({ status: 200, id })
    const longer = encodeURIComponent('\u{1f989}'.repeat(256))
    expectInvalid(await server.call('PUT', `/v1/users/${longer}`, { body: {} }))
  })
})

onEachStorage('section 2: strings in a query', () => {
  test.each(['plan:%zz', '%', 'plan:%ff', 'plan:%ED%A0%80'])('400: bad percent-encoding as %s', async (query) => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', `/v1/achievements?userAttributes=${query}`), 400)
  })

  test('422: U+0000', async () => {
    const server = await serve(game)
    const { status } = await send(server, 'GET', '/v1/achievements?userAttributes=plan:%00')
    expect(status).toBe(422)
  })
})

onEachStorage('section 2: strings in a body', () => {
  test.each([
    ['U+0000', '"a\\u0000"'],
    ['half a surrogate pair', '"a\\ud83e"'],
    ['the other half', '"\\udd89a"'],
  ])('422: %s, wherever it stands', async (_, text) => {
    const server = await serve(game)
    for (const body of [
      `{"id":${text}}`,
      `{"id":"ann","name":${text}}`,
      `{"id":"ann","email":${text}}`,
      `{"id":"ann","deviceTokens":[${text}]}`,
      `{"id":"ann","attributes":{"plan":${text}}}`,
    ]) {
      expectInvalid(await send(server, 'POST', '/v1/users', { body }))
    }
    const event = `{"user":{"id":"ann"},"value":1,"attributes":{"source":${text}}}`
    expectInvalid(await send(server, 'POST', '/v1/metrics/words/event', { body: event }), 'attributes.source')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('attribute values: 1,024 characters are accepted, 1,025 are 422', async () => {
    const server = await serve(game)
    const of = (length: number) => ({ id: 'ann', attributes: { plan: 'x'.repeat(length) } })
    const accepted = await server.call('POST', '/v1/users', { body: of(1024) })
    expect({ status: accepted.status, attributes: accepted.body.attributes }).toEqual({
      status: 201,
      attributes: { plan: 'x'.repeat(1024) },
    })
    expectInvalid(await server.call('POST', '/v1/users', { body: of(1025) }), 'attributes.plan')
    const event = (length: number) => ({ user: { id: 'ann' }, value: 1, attributes: { source: 'x'.repeat(length) } })
    expect((await server.call('POST', '/v1/metrics/words/event', { body: event(1024) })).status).toBe(201)
    expectInvalid(await server.call('POST', '/v1/metrics/words/event', { body: event(1025) }), 'attributes.source')
  })

  test('__proto__, constructor and toString are ordinary names where the game has them', async () => {
    const server = await serve({
      metrics: { ['__proto__']: { name: 'Proto' }, constructor: { name: 'Constructor' } },
      userAttributes: ['__proto__', 'constructor', 'toString'],
      eventAttributes: ['__proto__'],
      points: {
        ['__proto__']: { name: 'P', triggers: [{ type: 'metric', metric: '__proto__', threshold: 1, points: 1 }] },
      },
    })
    const user = await send(server, 'POST', '/v1/users', {
      body: '{"id":"ann","attributes":{"__proto__":"a","toString":"b"}}',
    })
    expect(user.status).toBe(201)
    expect(user.text).toContain('"attributes":{"__proto__":"a","toString":"b"}')
    const body = '{"user":{"id":"ann","attributes":{"constructor":"c"}},"value":5,"attributes":{"__proto__":"x"}}'
    const event = await send(server, 'POST', '/v1/metrics/__proto__/event', { body })
    expect({ status: event.status, total: event.body.total }).toEqual({ status: 201, total: 5 })
    expect(Object.keys(event.body.points)).toEqual(['__proto__'])
    expect((await send(server, 'GET', '/v1/users/ann/points/__proto__')).body.total).toBe(5)
    expect((await send(server, 'GET', '/v1/users/ann/metrics/constructor')).body.current).toBe(0)
    const read = await send(server, 'GET', '/v1/users/ann')
    expect(Object.entries(read.body.attributes).sort()).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'c'],
      ['toString', 'b'],
    ])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is unknown where the game does not name it',
    async (name) => {
      const server = await serve(game)
      const answer = await send(server, 'POST', '/v1/users', { body: `{"id":"ann","attributes":{"${name}":"x"}}` })
      expect(answer).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
      expectProblem(await event(server, '1').then(() => send(server, 'GET', `/v1/users/${name}`)), 404, 'unknown_user')
    },
  )

  test('a field that is only inherited is missing', async () => {
    const server = await serve(game)
    const body = '{"__proto__":{"user":{"id":"ann"}},"value":1}'
    expectInvalid(await send(server, 'POST', '/v1/metrics/words/event', { body }), 'user')
    expectInvalid(await send(server, 'POST', '/v1/users', { body: '{"__proto__":{"id":"ann"}}' }), 'id')
  })
})

onEachStorage('section 2: numbers', () => {
  test.each([
    ['1e15', 1_000_000_000_000_000],
    ['-1e15', -1_000_000_000_000_000],
    ['1000000000000000', 1_000_000_000_000_000],
    ['0', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['0.25', 0.25],
    ['1e-7', 1e-7],
    ['5E2', 500],
  ])('a value of %s is accepted', async (value, total) => {
    const server = await serve(game)
    const { status, body, text } = await event(server, value)
    expect({ status, total: body.total }).toEqual({ status: 201, total })
    expect(text).not.toContain(':-0')
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(total)
  })

  test.each(['1000000000000001', '-1000000000000001', '1e16', '-1e308'])(
    '422: a value of %s is out of range, and nothing is written',
    async (value) => {
      const server = await serve(game)
      expectProblem(await event(server, value), 422, 'value_out_of_range')
      expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
    },
  )

  test.each(['1e400', '-1e400', `1${'0'.repeat(400)}`])('422: %s is not finite', async (value) => {
    const server = await serve(game)
    expect((await event(server, value)).status).toBe(422)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test.each(['NaN', 'Infinity', '0x10', '01', '+1', '1.', '.5', '1n'])('400: %s is no JSON', async (value) => {
    const server = await serve(game)
    expectProblem(await event(server, value), 400)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: a total above 1e15, and nothing is written', async () => {
    const server = await serve(game)
    await event(server, '1e15')
    expectProblem(await event(server, '10'), 422, 'total_out_of_range')
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(1_000_000_000_000_000)
    expect((await event(server, '-1e15')).body.total).toBe(0)
  })

  test('ten events of 0.1 total 1 and complete an achievement at 1', async () => {
    const server = await serve(game)
    const totals: number[] = []
    for (let count = 1; count <= 9; count += 1) totals.push((await event(server, '0.1')).body.total)
    expect(totals).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    expect((await event(server, '0.1')).body).toMatchObject({ total: 1, achievements: [{ key: 'one' }] })
  })

  test('totals have 15 significant digits', async () => {
    const server = await serve(game)
    expect((await event(server, '123456789012345')).body.total).toBe(123_456_789_012_345)
    expect((await event(server, '0.4')).body.total).toBe(123_456_789_012_345)
    expect((await event(server, '0.6')).body.total).toBe(123_456_789_012_346)
  })
})

onEachStorage('section 2: time zones', () => {
  test.each(['UTC', 'Europe/London', 'America/Argentina/Buenos_Aires', 'america/new_york'])(
    '%s is stored as sent',
    async (tz) => {
      const server = await serve(game)
      expect((await server.call('PUT', '/v1/users/ann', { body: { tz } })).body.tz).toBe(tz)
    },
  )

  test.each(['EST', 'utc', '+02:00', 'Mars/Olympus_Mons', 'London', ''])('422: %s', async (tz) => {
    const server = await serve(game)
    const { status, body } = await server.call('PUT', '/v1/users/ann', { body: { tz } })
    expect({ status, body }).toMatchObject({ status: 422, body: { error: expect.any(String) } })
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })
})
