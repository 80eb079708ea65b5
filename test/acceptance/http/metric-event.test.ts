import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectProblem, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, sources: { name: 'Sources', aggregation: 'distinct', of: 'source' } },
  eventAttributes: ['source'],
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}

const event = (server: Server, metric: string, value: number, rest: object = {}) =>
  server.call('POST', `/v1/metrics/${metric}/event`, { body: { user: { id: 'ann' }, value, ...rest } })

describe('4.3 POST /metrics/{key}/event', () => {
  test('a metric that counts different values takes an event with the attribute and the value 1', async () => {
    const server = await serve(game)
    const counted = await event(server, 'sources', 1, { attributes: { source: 'web' } })
    expect([counted.status, counted.body.total]).toEqual([201, 1])
    expectProblem(await event(server, 'sources', 1), 422, 'attribute_required')
    expectProblem(await event(server, 'sources', 3, { attributes: { source: 'app' } }), 422, 'value_out_of_range')
  })

  test('occurredAt in the body is ignored, whatever it is', async () => {
    const server = await serve(game)
    const past = await event(server, 'words', 1, { occurredAt: '2020-01-01T00:00:00.000Z' })
    expect(past.status).toBe(201)
    expect(past.body.currentStreak).toMatchObject({ length: 1, started: '2026-03-10' })
    for (const occurredAt of ['2999-01-01T00:00:00.000Z', 'yesterday', 7, null, {}]) {
      expect((await event(server, 'words', 1, { occurredAt })).status).toBe(201)
    }
    const range = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
    const { body } = await server.call('GET', `/v1/users/ann/metrics/words/event-summary?${range}`)
    expect(body).toEqual([
      { date: '2026-03-09', total: 0, change: 0 },
      { date: '2026-03-10', total: 6, change: 6 },
    ])
  })

  test('an idempotency key in the body is ignored: only the header counts', async () => {
    const server = await serve(game)
    const first = await event(server, 'words', 1, { idempotencyKey: 'k' })
    const second = await event(server, 'words', 1, { idempotencyKey: 'k' })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.total).toBe(2)
    expect(second.body).not.toHaveProperty('idempotencyKey')
    expect(second.body).not.toHaveProperty('idempotentReplayed')
  })

  test('422: every mistake is among the issues', async () => {
    const server = await serve(game)
    const { body } = await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 7 }, value: 'x' } })
    expect(body.issues.map(({ path }: { path: string }) => path).sort()).toEqual(['user.id', 'value'])
  })
})
