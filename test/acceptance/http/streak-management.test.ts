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

const issue = (userId: string, index: number, level: 'error' | 'warning') => {
  return { userId, level, reason: TEXT, index, severity: level, message: TEXT }
}
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

describe('POST /streaks/freezes', () => {
  test('answers 201 with an issue for each that was not given, 200 where none was', async () => {
    const server = await serveAnn()
    const freezes = ['ann', 'zoe', 'ann'].map((userId) => ({ userId }))
    const answer = await server.call('POST', FREEZES, { body: { freezes } })
    expectStatus(answer, 201)
    expect(answer.body).toEqual({ issues: [issue('zoe', 1, 'error'), issue('ann', 2, 'warning')] })
    expect(await streakOf(server)).toMatchObject({ length: 3, freezes: 2, maxFreezes: 2 })
    const again = await server.call('POST', FREEZES, { body: { freezes } })
    expectStatus(again, 200)
    expect(again.body).toEqual({
      issues: [issue('ann', 0, 'warning'), issue('zoe', 1, 'error'), issue('ann', 2, 'warning')],
    })
    expect(await streakOf(server)).toMatchObject({ freezes: 2 })
  })

  test('422 in a game without freezes', async () => {
    const server = await serveAnn({ metrics, streak: { frequency: 'daily', metrics: { words: {} } } })
    const answer = await server.call('POST', FREEZES, { body: { freezes: [{ userId: 'ann' }] } })
    expectProblem(answer, 422, 'streak_freezes_disabled')
  })
})

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

  test('POST answers 200 with an issue for each that cannot be', async () => {
    const server = await serveAnn()
    const pauses = [
      { userId: 'zoe', start: '2026-03-11', end: '2026-03-12' },
      { userId: 'ann', start: '2026-03-09', end: '2026-03-12' },
      { userId: 'ann', start: '2026-03-12', end: '2026-03-11' },
    ]
    const answer = await server.call('POST', PAUSES, { body: { pauses } })
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      created: [],
      issues: [issue('zoe', 0, 'error'), issue('ann', 1, 'error'), issue('ann', 2, 'error')],
    })
    const one = { userId: 'ann', start: '2026-03-11', end: '2026-03-12' }
    const mixed = await server.call('POST', PAUSES, { body: { pauses: [...pauses, one] } })
    expectStatus(mixed, 201)
    expect(mixed.body.created).toEqual([{ id: UUID_7, ...one, status: 'active' }])
    expect(mixed.body.issues).toHaveLength(3)
  })

  test('DELETE answers 422 without ids, with more than 100, and with what is no UUID', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('DELETE', PAUSES))
    expectInvalid(await server.call('DELETE', `${PAUSES}?ids=nothing`))
    const ids = Array.from({ length: 101 }, (_, index) => UNKNOWN_ID.slice(0, -3) + String(index + 100))
    expectInvalid(await server.call('DELETE', `${PAUSES}?ids=${ids.join(',')}`))
    expectStatus(await server.call('DELETE', `${PAUSES}?ids=${ids.slice(1).join(',')}`), 200)
  })
})

describe('POST /streaks/restore', () => {
  test('answers 201 with the users restored and an issue for each other, 200 where none was', async () => {
    const server = await serveAnn()
    await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    server.engine.at('2026-03-20T12:00:00.000Z')
    const users = ['bob', 'zoe', 'ann'].map((id) => ({ id }))
    const answer = await server.call('POST', RESTORE, { body: { users } })
    expectStatus(answer, 201)
    expect(answer.body).toEqual({
      restoredUsers: ['ann'],
      issues: [issue('bob', 0, 'warning'), issue('zoe', 1, 'error')],
    })
    expect(await streakOf(server)).toMatchObject({ length: 3, started: '2026-03-08', expires: '2026-03-20' })
    const again = await server.call('POST', RESTORE, { body: { users } })
    expectStatus(again, 200)
    expect(again.body).toEqual({
      restoredUsers: [],
      issues: [issue('bob', 0, 'warning'), issue('zoe', 1, 'error'), issue('ann', 2, 'warning')],
    })
  })

  test('422 in a game without a streak', async () => {
    const server = await serve({ metrics })
    expectProblem(await server.call('POST', RESTORE, { body: { users: [{ id: 'ann' }] } }), 422, 'streak_disabled')
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

describe.each([
  ...LISTS.map(([path, body]) => ['POST', path, body] as const),
  ['DELETE', `${PAUSES}?ids=${UNKNOWN_ID}`, undefined] as const,
])('%s %s', (method, path, body) => {
  test('401 without a key or with a wrong one, 403 with an application key', async () => {
    const server = await serveAnn()
    const key = await server.applicationKey('ann')
    expectProblem(await server.call(method, path, { body, key: null }), 401)
    expectProblem(await server.call(method, path, { body, key: `${server.adminKey}x` }), 401)
    const before = await streakOf(server)
    expectProblem(await server.call(method, path, { body, key }), 403)
    expect(await streakOf(server)).toEqual(before)
  })

  test('404 on the application API', async () => {
    const server = await serveAnn()
    expectProblem(await server.call(method, path.replace('/admin/v1', '/v1'), { body }), 404)
  })
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
