import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, old: { name: 'Old', status: 'archived' } },
}

const addAt = (server: Server, instant: string, value: number, user: object = { id: 'ann' }) => {
  server.engine.at(instant)
  return server.call('POST', '/v1/metrics/words/event', { body: { user, value } })
}

const summary = (server: Server, query: string) =>
  server.call('GET', `/v1/users/ann/metrics/words/event-summary?${query}`)

onEachStorage('4.12 GET /users/{id}/metrics/{key}/event-summary', () => {
  test('daily: 200 with date, total and change of every date, zero-filled, both ends included', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-01T09:00:00.000Z', 5)
    await addAt(server, '2026-03-03T09:00:00.000Z', 3)
    await addAt(server, '2026-03-03T23:59:59.999Z', -1)
    await addAt(server, '2026-03-05T00:00:00.000Z', 10)
    const answer = await summary(server, 'aggregation=daily&startDate=2026-03-01&endDate=2026-03-05')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      { date: '2026-03-01', total: 5, change: 5 },
      { date: '2026-03-02', total: 5, change: 0 },
      { date: '2026-03-03', total: 7, change: 2 },
      { date: '2026-03-04', total: 7, change: 0 },
      { date: '2026-03-05', total: 17, change: 10 },
    ])
  })

  test('weekly: the first date may lie before startDate, change counts only inside the range', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-02T12:00:00.000Z', 1)
    await addAt(server, '2026-03-04T12:00:00.000Z', 2)
    await addAt(server, '2026-03-10T12:00:00.000Z', 4)
    await addAt(server, '2026-03-18T12:00:00.000Z', 8)
    const { status, body } = await summary(server, 'aggregation=weekly&startDate=2026-03-04&endDate=2026-03-17')
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { date: '2026-03-02', total: 3, change: 2 },
        { date: '2026-03-09', total: 7, change: 4 },
        { date: '2026-03-16', total: 7, change: 0 },
      ],
    })
  })

  test('monthly: the first date may lie before startDate, change counts only inside the range', async () => {
    const server = await serve(game)
    await addAt(server, '2026-01-10T12:00:00.000Z', 1)
    await addAt(server, '2026-01-20T12:00:00.000Z', 2)
    await addAt(server, '2026-03-05T12:00:00.000Z', 4)
    await addAt(server, '2026-03-20T12:00:00.000Z', 8)
    const { status, body } = await summary(server, 'aggregation=monthly&startDate=2026-01-15&endDate=2026-03-10')
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { date: '2026-01-01', total: 3, change: 2 },
        { date: '2026-02-01', total: 3, change: 0 },
        { date: '2026-03-01', total: 7, change: 4 },
      ],
    })
  })

  test("an event counts on the user's local date", async () => {
    const server = await serve(game)
    const user = { id: 'ann', tz: 'America/New_York' }
    await addAt(server, '2026-03-10T03:59:59.999Z', 1, user)
    await addAt(server, '2026-03-10T04:00:00.000Z', 2, user)
    const { body } = await summary(server, 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10')
    expect(body).toEqual([
      { date: '2026-03-09', total: 1, change: 1 },
      { date: '2026-03-10', total: 3, change: 2 },
    ])
  })

  test('section 8: 400 days are accepted and have 401 dates, 401 days are 422', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 5)
    const { status, body } = await summary(server, 'aggregation=daily&startDate=2025-02-03&endDate=2026-03-10')
    expect(status).toBe(200)
    expect(body).toHaveLength(401)
    expect(body[0]).toEqual({ date: '2025-02-03', total: 0, change: 0 })
    expect(body[400]).toEqual({ date: '2026-03-10', total: 5, change: 5 })
    expectInvalid(await summary(server, 'aggregation=daily&startDate=2025-02-03&endDate=2026-03-11'))
    expectInvalid(await summary(server, 'aggregation=daily&startDate=2025-02-02&endDate=2026-03-10'))
  })

  test('section 8: startDate must be before endDate', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 5)
    expectInvalid(await summary(server, 'aggregation=daily&startDate=2026-03-10&endDate=2026-03-10'))
    expectInvalid(await summary(server, 'aggregation=daily&startDate=2026-03-10&endDate=2026-03-09'))
    expectStatus(await summary(server, 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'), 200)
  })

  test.each(['2024-02-30', '2023-02-29', '2024-13-01', '2024-2-3', '2024-02-03T00:00:00Z', '20240203', 'today', ''])(
    '422: the date "%s"',
    async (date) => {
      const server = await serve(game)
      await addAt(server, '2026-03-10T12:00:00.000Z', 5)
      expectInvalid(await summary(server, `aggregation=daily&startDate=${date}&endDate=2024-03-10`), 'startDate')
      expectInvalid(await summary(server, `aggregation=daily&startDate=2024-02-01&endDate=${date}`), 'endDate')
    },
  )

  test.each([
    ['no startDate', 'startDate', 'aggregation=daily&endDate=2026-03-10'],
    ['no endDate', 'endDate', 'aggregation=daily&startDate=2026-03-09'],
    ['no aggregation', 'aggregation', 'startDate=2026-03-09&endDate=2026-03-10'],
    ['aggregation yearly', 'aggregation', 'aggregation=yearly&startDate=2026-03-09&endDate=2026-03-10'],
    ['aggregation DAILY', 'aggregation', 'aggregation=DAILY&startDate=2026-03-09&endDate=2026-03-10'],
    ['an empty aggregation', 'aggregation', 'aggregation=&startDate=2026-03-09&endDate=2026-03-10'],
  ])('422: %s, and the issues name %s', async (_, path, query) => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 5)
    expectInvalid(await summary(server, query), path)
  })

  test('2024-02-29 is a date', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 5)
    const { body } = await summary(server, 'aggregation=daily&startDate=2024-02-28&endDate=2024-03-01')
    expect(body).toEqual([
      { date: '2024-02-28', total: 0, change: 0 },
      { date: '2024-02-29', total: 0, change: 0 },
      { date: '2024-03-01', total: 0, change: 0 },
    ])
  })

  test('404: an unknown user, an unknown or archived metric', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const query = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
    const of = (id: string, metric: string) =>
      server.call('GET', `/v1/users/${id}/metrics/${metric}/event-summary?${query}`)
    expectProblem(await of('bob', 'words'), 404, 'unknown_user')
    expectProblem(await of('ann', 'swims'), 404, 'unknown_metric')
    expectProblem(await of('ann', 'old'), 404, 'unknown_metric')
  })

  test('422 comes before 404: a bad range for an unknown user', async () => {
    const server = await serve(game)
    expectInvalid(await summary(server, 'aggregation=daily&startDate=2026-03-10&endDate=2026-03-09'))
  })
})
