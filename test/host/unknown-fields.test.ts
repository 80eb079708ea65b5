import { adminApi, applicationApi } from 'laurels/fetch'
import { memory } from 'laurels/memory'
import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  streak: {
    frequency: 'daily',
    metrics: { words: {} },
    customization: true,
    freezes: { initial: 0, max: 9 },
  },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
})

function create(): Gamification<DefinedGame> {
  return createGamification<DefinedGame>({ game, storage: memory(), clock: () => new Date('2026-03-10T12:00:00Z') })
}

describe('what used to be dropped without a word is refused in-process', () => {
  const user = { id: '18' }
  const at = new Date('2026-03-09T12:00:00Z')
  test.each<readonly [string, (engine: Gamification<DefinedGame>) => unknown]>([
    [
      "'occuredAt'; did you mean 'occurredAt'?",
      (g) => g.metrics.event('words', untyped({ user, value: 1, occuredAt: at })),
    ],
    [
      "'idempotencykey'; did you mean 'idempotencyKey'?",
      (g) => g.metrics.event('words', untyped({ user, value: 1, idempotencykey: 'k' })),
    ],
    [
      "'timezone'; did you mean 'tz'?",
      (g) => g.metrics.event('words', untyped({ user: { ...user, timezone: 'Asia/Tokyo' }, value: 1 })),
    ],
    ["'timeZone'; did you mean 'tz'?", (g) => g.users.identify('18', untyped({ timeZone: 'Asia/Tokyo' }))],
    [
      "'timestamp'; did you mean 'occurredAt'?",
      (g) => g.metrics.event('words', untyped({ user, value: 1, timestamp: at })),
    ],
    [
      "'dryrun'; did you mean 'dryRun'?",
      (g) => g.metrics.event('words', { user, value: 1 }, untyped({ dryrun: true })),
    ],
    ["'limt'; did you mean 'limit'?", (g) => g.leaderboards.get('top', untyped({ limt: 1 }))],
    [
      "'clok'; did you mean 'clock'?",
      () => createGamification(untyped<never>({ game, storage: memory(), clok: Date })),
    ],
    ["'feezes'; did you mean 'freezes'?", (g) => g.admin.streaks.freezes.create(untyped({ feezes: [] }))],
    ["'polcy'; did you mean 'policy'?", (g) => g.apply(game, untyped({ polcy: 'grant' }))],
    [
      "'after'; remove it, or use one of 'users', 'tenant', 'onProgress', 'signal', 'sample'",
      (g) => g.whatIf(game, untyped({ after: { tenant: '', user: '1' } })),
    ],
  ])('unknown property %s', async (message, call) => {
    const engine = create()
    const refusal = expect.objectContaining({
      name: 'GamificationError',
      code: 'invalid_request',
      message: expect.stringContaining(`unknown property ${message}`),
    })
    await expect(Promise.resolve().then(() => call(engine))).rejects.toEqual(refusal)
    await expect(engine.users.get('18')).rejects.toMatchObject({ code: 'unknown_user' })
  })

  test.each<readonly [string, (engine: Gamification<DefinedGame>) => unknown]>([
    ['migrate', (g) => untyped<(options: object) => unknown>(g.migrate)({ dryRun: true })],
    ['workOnce', (g) => untyped<(options: object) => unknown>(g.workOnce)({ dryRun: true })],
    ['adminKeys.create', (g) => untyped<(options: object) => unknown>(g.adminKeys.create)({ dryRun: true })],
  ])('%s, which takes no options, refuses those that it is given', async (_, call) => {
    const engine = create()
    await expect(Promise.resolve().then(() => call(engine))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'dryRun', message: "unknown property 'dryRun'; remove it" }],
    })
    expect(await engine.adminKeys.list()).toEqual([])
  })

  test('in an item of several it is an issue of that item', async () => {
    const engine = create()
    await engine.users.create({ id: '18' })
    const { created, issues } = await engine.admin.applicationApiKeys.create(
      untyped([{ usreId: '18' }, { userId: '18' }]),
    )
    expect(created).toHaveLength(1)
    expect(issues).toEqual([
      {
        index: 0,
        severity: 'error',
        message: expect.stringMatching(/^usreId: unknown property 'usreId'; did you mean 'userId'\?/),
      },
    ])
    const report = await engine.import(untyped([{ metric: 'words', user: { id: '19' }, value: 1, occuredAt: at }]))
    expect(report).toMatchObject({ recorded: 0, refused: 1, refusals: [{ index: 0, code: 'invalid_request' }] })
  })

  test('in an event of a batch refuses the batch', async () => {
    const engine = create()
    const batch = [
      { key: 'words', user: { id: '19' }, value: 1 },
      { key: 'words', user: { id: '19' }, value: 1, occuredAt: at },
    ]
    await expect(engine.admin.metrics.events(untyped(batch))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: '[1].occuredAt', message: "unknown property 'occuredAt'; did you mean 'occurredAt'?" }],
    })
    await expect(engine.users.get('19')).rejects.toMatchObject({ code: 'unknown_user' })
  })

  test('many of them are told in a short message', async () => {
    const engine = create()
    const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`field ${index}`, index]))
    const error: unknown = await engine.users.update('18', untyped(fields)).catch((reason: unknown) => reason)
    expect(untyped<Error>(error).message.length).toBeLessThan(4_000)
  })
})

/** Unknown fields in every object but those whose names are the game's, or that say themselves what they refuse. */
function sprinkled(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => sprinkled(item))
  if (typeof value !== 'object' || value === null || ['attributes', 'notifications'].includes(name)) return value
  const parts = Object.entries(value).map(([key, part]) => [key, sprinkled(part, key)])
  return { occuredAt: 'x', nested: { deep: [1] }, ...Object.fromEntries(parts), dryRun: true, tx: {}, ['__proto__']: 1 }
}

describe('over HTTP unknown fields are ignored, as deep as they may be', () => {
  const key = '0040fe51-6bce-4b44-b0ad-bddc4e123534'
  const user = { id: '18', name: 'Ann', attributes: { plan: 'pro' } }
  test.each<readonly [method: string, path: string, body: unknown, status: number]>([
    ['POST', '/v1/metrics/words/event', { user, value: 2, attributes: { source: 'web' } }, 201],
    ['POST', '/v1/achievements/tour/complete', { user }, 201],
    ['POST', '/v1/users', user, 201],
    ['PUT', '/v1/users/18', { name: 'Ann', tz: 'Asia/Tokyo' }, 200],
    ['PATCH', '/v1/users/18', { name: 'Ann' }, 200],
    [
      'PATCH',
      '/v1/users/18/preferences',
      { notifications: { recap: ['push'] }, streak: { metrics: [{ key: 'words', threshold: 2 }] } },
      200,
    ],
    ['POST', '/admin/v1/application-api-keys', [{ userId: '18' }, { userId: 'nobody' }], 201],
    ['POST', '/admin/v1/streaks/freezes', { freezes: [{ userId: '18' }] }, 201],
    ['POST', '/admin/v1/streaks/pauses', { pauses: [{ userId: '18', start: '2026-03-11', end: '2026-03-12' }] }, 201],
    ['POST', '/admin/v1/streaks/restore', { users: [{ id: '18' }] }, 200],
    [
      'POST',
      '/admin/v1/metrics/events',
      [
        { key: 'words', user, value: 2, attributes: { source: 'web' }, idempotencyKey: 'k' },
        { key: 'nothing', user, value: 2, occurredAt: '2026-03-09T12:00:00.000Z' },
      ],
      202,
    ],
    ['POST', '/admin/v1/events/void', { eventId: key, reason: 'x' }, 404],
    ['POST', '/admin/v1/events/approve', { eventId: key }, 404],
    ['POST', '/admin/v1/events/void', { userId: '18', metric: 'words', idempotencyKey: 'k', revoke: false }, 404],
  ])('%s %s', async (method, path, body, status) => {
    const ask = async (sent: unknown): Promise<{ readonly status: number; readonly answer: string }> => {
      const engine = create()
      await engine.users.create({ id: '18' })
      const admin = await engine.adminKeys.create()
      const handle = path.startsWith('/v1') ? applicationApi(engine) : adminApi(engine)
      const headers = { 'X-API-KEY': admin.key, 'Content-Type': 'application/json' }
      const request = new Request(`https://example.com${path}`, { method, headers, body: JSON.stringify(sent) })
      const response = await handle(request)
      const text = await response.text()
      const answer = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|app_\w+(\.[\w-]+)?/g, 'id')
      return { status: response.status, answer }
    }
    const plain = await ask(body)
    expect(plain.status).toBe(status)
    expect(await ask(sprinkled(body))).toEqual(plain)
  })

  test('but a type of notification that there is not is refused', async () => {
    const engine = create()
    await engine.users.create({ id: '18' })
    const { key: admin } = await engine.adminKeys.create()
    const headers = { 'X-API-KEY': admin, 'Content-Type': 'application/json' }
    const body = '{"notifications":{"recapp":["push"]}}'
    const url = 'https://example.com/v1/users/18/preferences'
    expect((await applicationApi(engine)(new Request(url, { method: 'PATCH', headers, body }))).status).toBe(422)
  })
})
