import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_7 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, serve } from './serve.ts'

const metrics = { words: { name: 'Words written' } }
const game: GameDefinition = {
  metrics,
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 2 } },
}
const FREEZES = '/admin/v1/streaks/freezes'
const PAUSES = '/admin/v1/streaks/pauses'
const RESTORE = '/admin/v1/streaks/restore'
const TEXT: string = expect.stringMatching(/\S+ \S+/)
const UNKNOWN_ID = '01956c3a-0000-7000-8000-000000000000'

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** With Ann's streak of three days, the last of them 2026-03-10. */
const serveAnn = async (definition: GameDefinition = game): Promise<Server> => {
  const server = await serve(definition)
  for (const day of ['08', '09', '10']) {
    server.engine.at(`2026-03-${day}T12:00:00.000Z`)
    await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' }, value: 1 } })
  }
  return server
}

const streakOf = async (server: Server, query = '') => (await server.call('GET', `/v1/users/ann/streak${query}`)).body

describe('/streaks/pauses', () => {
  test('POST answers 201 with the pauses; DELETE ends them, ids comma-separated or repeated', async () => {
    const server = await serveAnn()
    const pauses = ['11', '13', '15'].map((day) => {
      return { userId: 'ann', start: `2026-03-${day}`, end: `2026-03-${day}` }
    })
    const answer = await server.call('POST', PAUSES, { body: { pauses } })
    expectStatus(answer, 201)
    expect(answer.body).toEqual({
      created: [
        { id: UUID_7, userId: 'ann', start: '2026-03-11', end: '2026-03-11', status: 'active' },
        { id: UUID_7, userId: 'ann', start: '2026-03-13', end: '2026-03-13', status: 'active' },
        { id: UUID_7, userId: 'ann', start: '2026-03-15', end: '2026-03-15', status: 'active' },
      ],
      issues: [],
    })
    const [first, second, third] = answer.body.created.map(({ id }: { id: string }) => id)
    expect((await streakOf(server)).pauses).toEqual([
      { id: first, start: '2026-03-11', end: '2026-03-11' },
      { id: second, start: '2026-03-13', end: '2026-03-13' },
      { id: third, start: '2026-03-15', end: '2026-03-15' },
    ])

    const both = await server.call('DELETE', `${PAUSES}?ids=${second},${UNKNOWN_ID}`)
    expectStatus(both, 200)
    expect(both.body).toEqual({
      deleted: [{ id: second }],
      issues: [{ id: UNKNOWN_ID, severity: 'error', message: TEXT }],
    })
    const rest = await server.call('DELETE', `${PAUSES}?ids=${first}&ids=${third}`)
    expect(rest.body).toEqual({ deleted: [{ id: first }, { id: third }], issues: [] })
    expect((await streakOf(server)).pauses).toEqual([])
  })

  test('DELETE answers an issue for an id that is no UUID', async () => {
    const server = await serve(game)
    const answer = await server.call('DELETE', `${PAUSES}?ids=nothing`)
    expectStatus(answer, 200)
    expect(answer.body).toEqual({ deleted: [], issues: [{ id: 'nothing', severity: 'error', message: TEXT }] })
  })

  test('DELETE answers 422 without ids, and with more than 100', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('DELETE', PAUSES))
    const ids = Array.from({ length: 101 }, (_, index) => UNKNOWN_ID.slice(0, -3) + String(index + 100))
    expectInvalid(await server.call('DELETE', `${PAUSES}?ids=${ids.join(',')}`))
    expectStatus(await server.call('DELETE', `${PAUSES}?ids=${ids.slice(1).join(',')}`), 200)
  })
})

const LISTS = [
  [FREEZES, { freezes: [{ userId: 'ann' }] }, { freezes: times(101, { userId: 'ann' }) }, { freezes: [] }],
  [
    PAUSES,
    { pauses: [{ userId: 'ann', start: '2026-03-11', end: '2026-03-12' }] },
    { pauses: times(101, { userId: 'ann', start: '2026-03-11', end: '2026-03-12' }) },
    { pauses: [] },
  ],
  [RESTORE, { users: [{ id: 'ann' }] }, { users: times(101, { id: 'ann' }) }, { users: [] }],
] as const

test('POST answers 201 if it did something, 200 if it did nothing', async () => {
  const server = await serveAnn()
  const day = { start: '2026-03-11', end: '2026-03-11' }
  const statusOf = async (path: string, body: unknown) => (await server.call('POST', path, { body })).status
  expect(await statusOf(FREEZES, { freezes: [{ userId: 'zoe' }] })).toBe(200)
  expect(await statusOf(FREEZES, { freezes: [{ userId: 'zoe' }, { userId: 'ann' }] })).toBe(201)
  expect(await statusOf(PAUSES, { pauses: [{ userId: 'zoe', ...day }] })).toBe(200)
  expect(
    await statusOf(PAUSES, {
      pauses: [
        { userId: 'zoe', ...day },
        { userId: 'ann', ...day },
      ],
    }),
  ).toBe(201)
  server.engine.at('2026-03-20T12:00:00.000Z')
  expect(await statusOf(RESTORE, { users: [{ id: 'zoe' }, { id: 'ann' }] })).toBe(201)
  expect(await statusOf(RESTORE, { users: [{ id: 'zoe' }, { id: 'ann' }] })).toBe(200)
})

test.each(LISTS)(
  'POST %s answers 422 for no items, more than 100 and a body of another shape',
  async (path, _, tooMany, none) => {
    const server = await serveAnn()
    expectInvalid(await server.call('POST', path, { body: tooMany }))
    expectInvalid(await server.call('POST', path, { body: none }))
    for (const wrong of [[], {}, { freezes: 1, pauses: 1, users: 1 }, { freezes: [{}], pauses: [{}], users: [{}] }]) {
      expectInvalid(await server.call('POST', path, { body: wrong }))
    }
    expectProblem(await server.call('POST', path, { body: '{', headers: { 'Content-Type': 'application/json' } }), 400)
  },
)
