import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, old: { name: 'Old', status: 'archived' } },
}

const addAt = (server: Server, instant: string, value: number, user: object = { id: 'ann' }) => {
  server.engine.at(instant)
  return server.call('POST', '/v1/metrics/words/event', { body: { user, value } })
}

const summary = (server: Server, query: string) =>
  server.call('GET', `/v1/users/ann/metrics/words/event-summary?${query}`)

describe('4.12 GET /users/{id}/metrics/{key}/event-summary', () => {
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
