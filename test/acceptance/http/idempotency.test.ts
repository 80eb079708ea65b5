import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { ANY_CODE, expectProblem, expectStatus, onEachStorage, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' }, spent: { name: 'Spent' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: { hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 } },
  points: {
    xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }] },
    coins: {
      name: 'Coins',
      triggers: [
        { type: 'metric', metric: 'pages', threshold: 1, points: 1 },
        { type: 'metric', metric: 'spent', threshold: 1, points: -1, blockIfOutOfPoints: true },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}

const event = (server: Server, metric: string, value: number, key: string | null, user: object = { id: 'ann' }) =>
  server.call('POST', `/v1/metrics/${metric}/event`, {
    body: { user, value },
    ...(key === null ? {} : { headers: { 'Idempotency-Key': key } }),
  })

onEachStorage('4.3.1 idempotency', () => {
  test('rule 1: a key that the user has not used for the metric is processed with 201, and stored', async () => {
    const server = await serve(game)
    const first = await event(server, 'words', 5, 'a')
    expectStatus(first, 201)
    expect(first.body).toMatchObject({ total: 5, idempotentReplayed: false, idempotencyKey: 'a' })
    const second = await event(server, 'words', 5, 'b')
    expectStatus(second, 201)
    expect(second.body).toMatchObject({ total: 10, idempotentReplayed: false, idempotencyKey: 'b' })
    expectStatus(await event(server, 'words', 5, 'a'), 202)
  })

  test('rules 2 and 4: a used key answers 202 with the original eventId and the current state', async () => {
    const server = await serve(game)
    const first = await event(server, 'words', 250, 'a')
    server.engine.at('2026-03-11T12:00:00.000Z')
    await event(server, 'words', 30, null)

    server.engine.at('2026-03-11T18:00:00.000Z')
    const replay = await event(server, 'words', 250, 'a')
    expectStatus(replay, 202)
    expect(replay.body).toEqual({
      metricId: first.body.metricId,
      eventId: first.body.eventId,
      total: 280,
      achievements: [],
      currentStreak: {
        length: 2,
        frequency: 'daily',
        started: '2026-03-10',
        periodStart: '2026-03-11',
        periodEnd: '2026-03-11',
        expires: '2026-03-12',
        extended: false,
      },
      points: {},
      leaderboards: {},
      idempotentReplayed: true,
      idempotencyKey: 'a',
    })
  })

  test("rule 2: a replay does not change the user's total, achievements, points, streak or profile", async () => {
    const server = await serve(game)
    await event(server, 'words', 250, 'a')
    const paths = ['', '/metrics', '/achievements', '/points/xp', '/streak', '/preferences']
    const state = () => Promise.all(paths.map(async (path) => (await server.call('GET', `/v1/users/ann${path}`)).body))
    const before = await state()
    const user = { id: 'ann', name: 'Anna', tz: 'Asia/Tokyo', attributes: { plan: 'pro' } }
    expect((await event(server, 'words', 250, 'a', user)).status).toBe(202)
    expect(await state()).toEqual(before)
    expect(before[0]).toMatchObject({ name: null, tz: null, attributes: {} })
    expect(before[3]).toMatchObject({ total: 20 })
  })

  test('rule 2: another value under a used key is still a replay', async () => {
    const server = await serve(game)
    const { body } = await event(server, 'words', 5, 'a')
    const replay = await event(server, 'words', 700, 'a')
    expect(replay.status).toBe(202)
    expect(replay.body).toMatchObject({ eventId: body.eventId, total: 5, idempotentReplayed: true })
  })

  test('rule 2: a used key comes before the rules: what would now be refused is a replay', async () => {
    const server = await serve(game)
    await event(server, 'pages', 10, null)
    const first = await event(server, 'spent', 10, 'a')
    expectProblem(await event(server, 'spent', 10, null), 422, 'out_of_points')
    const replay = await event(server, 'spent', 10, 'a')
    expect(replay.status).toBe(202)
    expect(replay.body).toMatchObject({ eventId: first.body.eventId, total: 10, idempotentReplayed: true })
  })

  test('rule 3: keys are isolated per metric', async () => {
    const server = await serve(game)
    const words = await event(server, 'words', 5, 'a')
    const pages = await event(server, 'pages', 7, 'a')
    expect(pages.status).toBe(201)
    expect(pages.body).toMatchObject({ total: 7, idempotentReplayed: false, idempotencyKey: 'a' })
    const ofWords = await event(server, 'words', 5, 'a')
    expect({ status: ofWords.status, eventId: ofWords.body.eventId }).toEqual({
      status: 202,
      eventId: words.body.eventId,
    })
    const ofPages = await event(server, 'pages', 5, 'a')
    expect({ status: ofPages.status, eventId: ofPages.body.eventId }).toEqual({
      status: 202,
      eventId: pages.body.eventId,
    })
  })

  test('rules 1 and 2 are per user, and keys differ by case', async () => {
    const server = await serve(game)
    await event(server, 'words', 5, 'a')
    const bob = await event(server, 'words', 5, 'a', { id: 'bob' })
    expect({ status: bob.status, total: bob.body.total }).toEqual({ status: 201, total: 5 })
    const upper = await event(server, 'words', 5, 'A')
    expect({ status: upper.status, total: upper.body.total }).toEqual({ status: 201, total: 10 })
  })

  test('rule 4: without a key there is neither idempotentReplayed nor idempotencyKey', async () => {
    const server = await serve(game)
    const { status, body } = await event(server, 'words', 5, null)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('idempotentReplayed')
    expect(body).not.toHaveProperty('idempotencyKey')
  })

  test('rule 5: another hundred keys and thirty years later a key is still known', async () => {
    const server = await serve(game)
    const { body } = await event(server, 'words', 5, 'a')
    await Promise.all(Array.from({ length: 100 }, (_, index) => event(server, 'words', 1, `k${index}`)))
    server.engine.at('2056-03-10T12:00:00.000Z')
    const replay = await event(server, 'words', 5, 'a')
    expect(replay.status).toBe(202)
    expect(replay.body).toMatchObject({ eventId: body.eventId, total: 105, idempotentReplayed: true })
  })

  test('one key sent twenty times at once: one 201, nineteen 202, one event', async () => {
    const server = await serve(game)
    const answers = await Promise.all(Array.from({ length: 20 }, () => event(server, 'words', 5, 'a')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(19)
    expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(1)
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(5)
  })
})

onEachStorage('a request that failed does not use its key up', () => {
  const path = '/v1/metrics/pages/event'
  const headers = { 'Idempotency-Key': 'k' }

  const expectUnused = async (server: Server) => {
    const { status, body } = await event(server, 'pages', 5, 'k')
    expect(status).toBe(201)
    expect(body).toMatchObject({ total: 5, idempotentReplayed: false, idempotencyKey: 'k' })
  }

  test("403: another user's application key", async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    const key = await server.applicationKey('bob')
    expectProblem(await server.call('POST', path, { body: { user: { id: 'ann' }, value: 5 }, headers, key }), 403)
    await expectUnused(server)
  })

  test('422: no value', async () => {
    const server = await serve(game)
    expect((await server.call('POST', path, { body: { user: { id: 'ann' } }, headers })).status).toBe(422)
    await expectUnused(server)
  })

  test('422: a value out of range', async () => {
    const server = await serve(game)
    expectProblem(await event(server, 'pages', 1e16, 'k'), 422, 'value_out_of_range')
    await expectUnused(server)
  })

  test('422: an unknown event attribute', async () => {
    const server = await serve(game)
    const body = { user: { id: 'ann' }, value: 5, attributes: { colour: 'red' } }
    expect((await server.call('POST', path, { body, headers })).body.code).toBe('unknown_attribute')
    await expectUnused(server)
  })

  test('422: too few points', async () => {
    const server = await serve(game)
    expectProblem(await event(server, 'spent', 5, 'k'), 422, 'out_of_points')
    await event(server, 'pages', 5, null)
    const { status, body } = await event(server, 'spent', 5, 'k')
    expect({ status, total: body.total }).toEqual({ status: 201, total: 5 })
  })
})

onEachStorage('the Idempotency-Key itself', () => {
  test.each([
    ['1 character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['visible characters of ASCII, quotes and commas too', '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~'],
  ])('of %s is accepted and comes back as sent', async (_, key) => {
    const server = await serve(game)
    const first = await event(server, 'words', 1, key)
    expect({ status: first.status, idempotencyKey: first.body.idempotencyKey }).toEqual({
      status: 201,
      idempotencyKey: key,
    })
    const replay = await event(server, 'words', 1, key)
    expect({ status: replay.status, idempotencyKey: replay.body.idempotencyKey }).toEqual({
      status: 202,
      idempotencyKey: key,
    })
  })

  test.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['outside ASCII', 'cl\u00e9'],
    ['sent twice', ['a', 'b']],
    ['sent twice with the same value', ['a', 'a']],
  ])('%s is 400, and nothing is written', async (_, key) => {
    const server = await serve(game)
    const body = '{"user":{"id":"ann"},"value":1}'
    const headers = { 'Idempotency-Key': key }
    const answer = await send(server, 'POST', '/v1/metrics/words/event', { body, headers })
    expectProblem(answer, 400, typeof key === 'string' ? 'invalid_idempotency_key' : ANY_CODE)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })
})
