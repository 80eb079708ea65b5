// @heavy: It takes more than three seconds.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, type Server, serve } from './serve.ts'

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

  test('an event counts when it happened, if an admin key says so', async () => {
    const server = await serve(game)
    const past = await event(server, 'words', 1, { occurredAt: '2026-03-09T23:00:00.000Z' })
    expect(past.status).toBe(201)
    const range = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
    const { body } = await server.call('GET', `/v1/users/ann/metrics/words/event-summary?${range}`)
    expect(body).toEqual([
      { date: '2026-03-09', total: 1, change: 1 },
      { date: '2026-03-10', total: 1, change: 0 },
    ])
  })

  test.each(['yesterday', 7, null, {}])('422: occurredAt %j is no instant', async (occurredAt) => {
    const { status, body } = await event(await serve(game), 'words', 1, { occurredAt })
    expect([status, body.issues[0].path]).toEqual([422, 'occurredAt'])
  })

  test('403: the holder of an application key must not choose when an event happened', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const key = await server.applicationKey('ann')
    const body = { user: { id: 'ann' }, value: 1 }
    const denied = await server.call('POST', '/v1/metrics/words/event', {
      key,
      body: { ...body, occurredAt: '2026-03-09T23:00:00.000Z' },
    })
    expectProblem(denied, 403, 'forbidden')
    expect((await server.call('POST', '/v1/metrics/words/event', { key, body })).body.total).toBe(1)
  })

  test('422: it cannot happen in the future', async () => {
    const server = await serve(game)
    expectProblem(
      await event(server, 'words', 1, { occurredAt: '2999-01-01T00:00:00.000Z' }),
      422,
      'occurred_at_out_of_range',
    )
  })

  test('an event that is sent twice with an idempotency key in the body counts once', async () => {
    const server = await serve(game)
    const first = await event(server, 'words', 1, { idempotencyKey: 'k' })
    const second = await event(server, 'words', 1, { idempotencyKey: 'k' })
    expect([first.status, second.status]).toEqual([201, 202])
    expect(second.body).toMatchObject({ total: 1, idempotentReplayed: true, idempotencyKey: 'k' })
  })

  test('a key in the body and a key in the header are one if they are equal, and 422 if they differ', async () => {
    const server = await serve(game)
    const send = (inHeader: string, inBody: string) =>
      server.call('POST', '/v1/metrics/words/event', {
        headers: { 'Idempotency-Key': inHeader },
        body: { user: { id: 'ann' }, value: 1, idempotencyKey: inBody },
      })
    expect((await send('k', 'k')).status).toBe(201)
    expect((await event(server, 'words', 1, { idempotencyKey: 'k' })).status).toBe(202)
    const differs = await send('k', 'l')
    expectProblem(differs, 422, 'invalid_request')
    expect(differs.body.error).toContain('The header Idempotency-Key and idempotencyKey in the body differ')
    expectInvalid(await event(server, 'words', 1, { idempotencyKey: 'two words' }), 'idempotencyKey')
  })

  test('lists the three nearest achievements, and all if the body asks for them, also by an application key', async () => {
    const badge = (value: number) => ({ name: `${value}`, trigger: 'metric', metric: 'words', value }) as const
    const achievements = { far: badge(90), first: badge(20), second: badge(30), third: badge(40) }
    const server = await serve({ ...game, achievements })
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const key = await server.applicationKey('ann')
    const listed = async (more: object) => {
      const body = { user: { id: 'ann' }, value: 1, ...more }
      const answer = await server.call('POST', '/v1/metrics/words/event', { key, body })
      return answer.body.progressed.map((each: { key: string }) => each.key)
    }
    expect(await listed({})).toEqual(['first', 'second', 'third'])
    expect(await listed({ progress: 'all' })).toEqual(['first', 'second', 'third', 'far'])
    const { status, body } = await event(server, 'words', 1, { progress: 'none' })
    expect([status, body.issues[0].path]).toEqual([422, 'progress'])
  })

  test('422: every mistake is among the issues', async () => {
    const server = await serve(game)
    const { body } = await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 7 }, value: 'x' } })
    expect(body.issues.map(({ path }: { path: string }) => path).sort()).toEqual(['user.id', 'value'])
  })
})
