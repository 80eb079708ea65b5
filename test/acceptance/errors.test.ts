import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { GamificationError, isGamificationError } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, spent: { name: 'Spent' }, old: { name: 'Old', status: 'archived' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    tour: { name: 'Tour', trigger: 'api' },
    locked: { name: 'Locked', trigger: 'api', status: 'locked' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
  },
  points: {
    coins: {
      name: 'Coins',
      triggers: [{ type: 'metric', metric: 'spent', threshold: 1, points: -1, blockIfOutOfPoints: true }],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const summary = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const
const streak = { evaluationMode: 'OR', metrics: [{ key: 'words', threshold: 1 }] } as const
const eve = { user: { id: 'eve' } }

type Call = (engine: Engine) => Promise<unknown>

/** Status of section 7, code, what is wrong, the call. The user ann is known. */
const TABLE: readonly (readonly [status: number, code: string, what: string, call: Call])[] = [
  [400, 'invalid_idempotency_key', 'an empty idempotency key', (e) => add(e, 'words', 1, { idempotencyKey: '' })],
  [
    403,
    'streak_customization_disabled',
    'streak preferences without customization',
    (e) => e.users.updatePreferences('ann', { notifications: { recap: ['email'] }, streak }),
  ],
  [404, 'unknown_achievement', 'completing an unknown achievement', (e) => e.achievements.complete('x', eve)],
  [404, 'unknown_user', 'getting an unknown user', (e) => e.users.get('eve')],
  [404, 'unknown_user', 'updating an unknown user', (e) => e.users.update('eve', {})],
  [404, 'unknown_user', 'preferences of an unknown user', (e) => e.users.getPreferences('eve')],
  [404, 'unknown_user', 'updating preferences of an unknown user', (e) => e.users.updatePreferences('eve', {})],
  [404, 'unknown_user', 'metrics of an unknown user', (e) => e.users.allMetrics('eve')],
  [404, 'unknown_user', 'a metric of an unknown user', (e) => e.users.singleMetric('eve', 'words')],
  [404, 'unknown_metric', 'an unknown metric of a user', (e) => e.users.singleMetric('ann', 'x')],
  [404, 'unknown_user', 'the summary of an unknown user', (e) => e.users.metricEventSummary('eve', 'words', summary)],
  [404, 'unknown_metric', 'the summary of an unknown metric', (e) => e.users.metricEventSummary('ann', 'x', summary)],
  [404, 'unknown_user', 'achievements of an unknown user', (e) => e.users.achievements('eve')],
  [404, 'unknown_user', 'the streak of an unknown user', (e) => e.users.streak('eve')],
  [404, 'unknown_user', 'points of an unknown user', (e) => e.users.points('eve', 'coins')],
  [404, 'unknown_points_system', 'an unknown points system', (e) => e.users.points('ann', 'x')],
  [422, 'invalid_request', 'an event without value', (e) => e.metrics.event('words', untyped(eve))],
  [422, 'invalid_request', 'a bad date range', (e) => e.users.metricEventSummary('ann', 'words', untyped({}))],
  [422, 'invalid_request', 'a malformed userAttributes', (e) => e.achievements.all({ userAttributes: 'plan' })],
  [422, 'unknown_metric', 'an event of an unknown metric', (e) => add(e, 'x', 1)],
  [422, 'metric_archived', 'an event of an archived metric', (e) => add(e, 'old', 1)],
  [422, 'unknown_attribute', 'an unknown event attribute', (e) => add(e, 'words', 1, { attributes: { x: 'y' } })],
  [422, 'unknown_attribute', 'an unknown user attribute', (e) => e.users.update('ann', { attributes: { x: 'y' } })],
  [422, 'unknown_attribute', 'a filter of an unknown attribute', (e) => e.achievements.all({ userAttributes: 'x:y' })],
  [422, 'unknown_time_zone', 'an unknown time zone', (e) => e.users.update('ann', { tz: 'Mars/Base' })],
  [422, 'sign_up_date_out_of_range', 'a sign-up tomorrow', (e) => e.users.update('ann', { signUpDate: '2026-03-11' })],
  [422, 'email_required', 'a subscription without email', (e) => e.users.update('ann', { subscribedToEmails: true })],
  [422, 'value_out_of_range', 'a value above 1e15', (e) => add(e, 'words', 1e16)],
  [422, 'total_out_of_range', 'a total above 1e15', (e) => add(e, 'words', 1e15)],
  [
    422,
    'occurred_at_out_of_range',
    'an event before 1970',
    (e) => add(e, 'words', 1, { occurredAt: new Date('1969-07-20T20:17:00.000Z') }),
  ],
  [422, 'out_of_points', 'spending points that are not there', (e) => add(e, 'spent', 1)],
  [422, 'achievement_locked', 'completing a locked achievement', (e) => e.achievements.complete('locked', eve)],
  [422, 'achievement_not_accessible', 'completing one for others', (e) => e.achievements.complete('pro', eve)],
]

onEachStorage('section 7: what answers a status of an error has one code, and changes nothing', (open) => {
  test.each(TABLE)('%i %s: %s', async (_status, code, _what, call) => {
    const engine = await open(game)
    await add(engine, 'words', 1000)
    const state = async () => [
      await engine.users.get('ann'),
      await engine.users.allMetrics('ann'),
      await engine.users.points('ann', 'coins'),
      await engine.users.getPreferences('ann'),
      await engine.users.streak('ann'),
      await engine.users.achievements('ann', { includeIncomplete: true }),
      await engine.achievements.all(),
    ]
    const before = await state()
    engine.at('2026-03-10T18:00:00.000Z')
    const error: unknown = await call(engine).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(GamificationError)
    expect(isGamificationError(error)).toBe(true)
    expect(error).toMatchObject({ code, message: expect.stringMatching(/\S{2,} \S{2,}/), issues: expect.any(Array) })
    expect(await state()).toEqual(before)
    expect(await codeOf(engine.users.get('eve'))).toBe('unknown_user')
  })

  test.each([
    ['value', { user: { id: 'ann' }, value: '5' }],
    ['user', { value: 5 }],
    ['user.id', { user: { id: '' }, value: 5 }],
    ['user.deviceTokens[1]', { user: { id: 'ann', deviceTokens: ['a', 7] }, value: 5 }],
    ['attributes.source', { user: { id: 'ann' }, value: 5, attributes: { source: 5 } }],
  ])('422 invalid_request: issues name %s', async (path, request) => {
    const engine = await open(game)
    await expect(engine.metrics.event('words', untyped(request))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path, message: expect.any(String) }],
    })
  })
})
