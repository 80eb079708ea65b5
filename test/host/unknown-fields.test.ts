import { adminApi, applicationApi } from 'laurels/fetch'
import { memory } from 'laurels/memory'
import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, freezes: { initial: 0, max: 9 } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
})

function create(): Gamification<DefinedGame> {
  return createGamification<DefinedGame>({ game, storage: memory(), clock: () => new Date('2026-03-10T12:00:00Z') })
}

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
