import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { serve } from './serve.ts'

const metrics: GameDefinition['metrics'] = { words: { name: 'Words' }, km: { name: 'Km' } }
const game: GameDefinition = {
  metrics,
  achievements: {
    both: { name: 'Both', trigger: 'criteria', of: [{ metric: 'words', value: 5 }], status: 'locked' },
    year: { name: 'Year', trigger: 'anniversary', years: 2, badgeUrl: 'https://example.com/year.png' },
  },
  streak: {
    frequency: 'daily',
    daysOff: [6, 0],
    evaluationMode: 'AND',
    metrics: { words: {}, km: { threshold: 2.5 } },
    customization: true,
    freezes: { initial: 1, max: 3, autoEarn: { interval: 7, amount: 2 } },
  },
}

test('the settings of the streak are read in the shape of the service, with whole thresholds', async () => {
  const server = await serve(game)
  expect((await server.call('GET', '/admin/v1/streaks/settings')).body).toEqual({
    frequency: 'daily',
    evaluationMode: 'AND',
    customizationEnabled: true,
    daysOff: [0, 6],
    metrics: [
      { key: 'words', threshold: 1 },
      { key: 'km', threshold: 3 },
    ],
    freezes: { startCount: 1, maxCount: 3, autoEarnInterval: 7, autoEarnAmount: 2 },
  })
})

test('without a streak the settings have no metrics', async () => {
  const server = await serve({ metrics })
  expect((await server.call('GET', '/admin/v1/streaks/settings')).body).toEqual({
    frequency: 'daily',
    evaluationMode: 'OR',
    customizationEnabled: false,
    daysOff: [],
    metrics: [],
    freezes: null,
  })
})

test('there is one environment', async () => {
  const server = await serve({ metrics })
  const { body } = await server.call('GET', '/admin/v1/environments')
  expect(body).toEqual([{ name: 'Production', key: 'production', priority: 1 }])
})

test.each([
  [{}, 0, 'weekly'],
  [{ experiment: { controlRatio: 0.125 }, emails: { recap: 'daily' } }, 13, 'weekly'],
  [{ experiment: { controlRatio: 0.5 }, emails: { recap: 'yearly' } }, 50, 'monthly'],
] as const)(
  'the settings of %j are read in the shape of the service',
  async (rules, controlRatio, aggregationPeriod) => {
    const server = await serve({ metrics, ...rules })
    expect((await server.call('GET', '/admin/v1/settings')).body).toEqual({
      branding: { appName: '', appUrl: '', brandColor: '#000000', font: 'MODERN_SANS', logo: null, appIcon: null },
      experimentation: { controlRatio, userActivationWindow: 30 },
      aggregationPeriod,
    })
  },
)

test('achievements are listed with locked ones, and those with criteria as api', async () => {
  const server = await serve(game)
  const { body } = await server.call('GET', '/admin/v1/achievements')
  expect(body).toMatchObject([
    { key: 'both', trigger: 'api', kind: 'criteria', status: 'locked', badge: null },
    { key: 'year', trigger: 'anniversary', anniversaryYears: 2, badge: { url: 'https://example.com/year.png' } },
  ])
  expect((await server.call('GET', `/admin/v1/achievements/${body[1].id}`)).body).toEqual(body[1])
})

test.each([
  ['POST', '/achievements'],
  ['PATCH', '/achievements'],
  ['DELETE', '/achievements'],
  ['PATCH', '/streaks/settings'],
  ['PATCH', '/settings'],
  ['POST', '/points/xp/triggers'],
  ['PATCH', '/points/xp/levels'],
])('%s %s is 405, and says how the game is changed', async (method, path) => {
  const server = await serve(game)
  const { status, body } = await server.call(method, `/admin/v1${path}`, method === 'DELETE' ? {} : { body: [] })
  expect([status, body.error]).toEqual([
    405,
    'This path takes GET, HEAD only. The game is code here: change its definition, and deploy it.',
  ])
})
