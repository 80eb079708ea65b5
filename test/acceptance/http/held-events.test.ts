import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: {
    steps: {
      name: 'Steps',
      limits: [
        { value: 100, per: { days: 1 }, then: 'hold' },
        { value: 200, per: { days: 1 }, then: 'refuse' },
      ],
    },
  },
}

const event = (server: Server, value: number, headers: { readonly [name: string]: string } = {}) =>
  server.call('POST', '/v1/metrics/steps/event', { body: { user: { id: 'ann' }, value }, headers })

describe('A limit, over HTTP', () => {
  test('holds an event back with 201, and refuses one with 422', async () => {
    const server = await serve(game)
    const first = await event(server, 90)
    expectStatus(first, 201)
    expect(first.body).not.toHaveProperty('held')
    const held = await event(server, 20, { 'idempotency-key': 'evening' })
    expectStatus(held, 201)
    expect(held.body).toMatchObject({ held: true, total: 90, idempotentReplayed: false })
    expectProblem(await event(server, 201), 422, 'limit_exceeded')
  })

  test('has its events listed and approved with admin keys', async () => {
    const server = await serve(game)
    const held = await event(server, 101, { 'idempotency-key': 'evening' })
    const listed = await server.call('GET', '/admin/v1/events/held?userId=ann&limit=5')
    expectStatus(listed, 200)
    const { eventId } = held.body as { readonly eventId: string }
    expect(listed.body).toMatchObject([{ eventId, userId: 'ann', metric: 'steps', value: 101, attributes: {} }])
    expect((await server.call('GET', '/admin/v1/events/held?userId=bob')).body).toEqual([])
    expect((await server.call('GET', `/admin/v1/events/held?after=${eventId}`)).body).toEqual([])
    expectProblem(await server.call('GET', '/admin/v1/events/held?after=nothing'), 404, 'unknown_event')
    expectInvalid(await server.call('GET', '/admin/v1/events/held?limit=101'), 'limit')

    const approve = (body: object) => server.call('POST', '/admin/v1/events/approve', { body })
    const byKey = { userId: 'ann', metric: 'steps', idempotencyKey: 'evening' }
    const approved = await approve(byKey)
    expectStatus(approved, 200)
    expect(approved.body).toMatchObject({ eventId, userId: 'ann', total: 101, alreadyApproved: false })
    expect((await approve({ eventId })).body).toMatchObject({ alreadyApproved: true, total: 101 })
    expectInvalid(await approve({ ...byKey, eventId }), '')
    expectStatus(await server.call('POST', '/admin/v1/events/void', { body: { eventId } }), 200)
    expectProblem(await approve({ eventId }), 422, 'event_not_held')
  })
})
