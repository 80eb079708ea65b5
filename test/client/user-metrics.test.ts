import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5, untyped } from '../support/engine.ts'
import { instant, onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }

onEachServer('users.allMetrics and singleMetric', (start) => {
  test('a metric with its achievements, complete and incomplete', async () => {
    const { client, engine } = await start()
    const { metricId } = await client.metrics.event('words', { user: ann, value: 1250.5 })
    engine.at('2026-03-12T12:00:00.000Z')
    const words = await client.users.singleMetric('ann', 'words')
    expect(words).toEqual({
      id: metricId,
      key: 'words',
      name: 'Words written',
      status: 'active',
      current: 1250.5,
      achievements: expect.any(Array),
    })
    expect(words.achievements).toHaveLength(3)
    expect(words.achievements.find(({ key }) => key === 'novelist')).toEqual({
      id: UUID_5,
      key: 'novelist',
      trigger: 'metric',
      name: 'Novelist',
      description: 'A thousand words.',
      badgeUrl: 'https://example.com/novelist.png',
      userAttributes: [],
      metricId,
      metricName: 'Words written',
      metricValue: 1000,
      eventAttributes: [],
      achievedAt: instant('2026-03-10T12:00:00.000Z'),
    })
    expect(words.achievements.find(({ key }) => key === 'mobile')).toStrictEqual({
      id: UUID_5,
      key: 'mobile',
      trigger: 'metric',
      name: 'On the road',
      description: undefined,
      badgeUrl: undefined,
      userAttributes: [],
      metricId,
      metricName: 'Words written',
      metricValue: 100,
      eventAttribute: { key: 'source', value: 'mobile' },
      eventAttributes: [{ key: 'source', value: 'mobile' }],
      achievedAt: undefined,
    })
  })

  test('all active metrics, at 0 where the user has done nothing', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    await client.metrics.event('pages', { user: ann, value: -2 })
    const metrics = await client.users.allMetrics('ann')
    expect(metrics.map(({ key, current, status }) => `${key} ${current} ${status}`).sort()).toEqual([
      'hints 0 active',
      'pages -2 active',
      'words 0 active',
    ])
    expect(metrics.find(({ key }) => key === 'hints')?.achievements).toEqual([])
    expect(metrics.find(({ key }) => key === 'pages')).toEqual(await client.users.singleMetric('ann', 'pages'))
  })

  test('an empty list where every metric is archived', async () => {
    const { client } = await start({ metrics: { keys: { name: 'Keys', status: 'archived' } } })
    await client.users.create({ id: 'ann' })
    expect(await client.users.allMetrics('ann')).toEqual([])
  })
})

onEachServer('users.metricEventSummary', (start) => {
  const three = async (begin: typeof start) => {
    const session = await begin()
    for (const [at, value] of [
      ['2026-02-27T09:00:00.000Z', 5],
      ['2026-03-03T23:59:59.999Z', 2.5],
      ['2026-03-10T00:00:00.000Z', -1],
    ] as const) {
      session.engine.at(at)
      await session.client.metrics.event('words', { user: ann, value })
    }
    return session.client
  }

  test('daily', async () => {
    const client = await three(start)
    const request = { aggregation: 'daily', startDate: '2026-03-02', endDate: '2026-03-04' } as const
    expect(await client.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-03-02', total: 5, change: 0 },
      { date: '2026-03-03', total: 7.5, change: 2.5 },
      { date: '2026-03-04', total: 7.5, change: 0 },
    ])
  })

  test('weekly', async () => {
    const client = await three(start)
    const request = { aggregation: 'weekly', startDate: '2026-02-28', endDate: '2026-03-10' } as const
    expect(await client.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-02-23', total: 5, change: 0 },
      { date: '2026-03-02', total: 7.5, change: 2.5 },
      { date: '2026-03-09', total: 6.5, change: -1 },
    ])
  })

  test('monthly', async () => {
    const client = await three(start)
    const request = { aggregation: 'monthly', startDate: '2026-01-15', endDate: '2026-03-31' } as const
    expect(await client.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-01-01', total: 0, change: 0 },
      { date: '2026-02-01', total: 5, change: 5 },
      { date: '2026-03-01', total: 6.5, change: 1.5 },
    ])
  })

  test('of a user without events, over 400 days', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    const request = { aggregation: 'daily', startDate: '2025-01-01', endDate: '2026-02-05' } as const
    const summary = await client.users.metricEventSummary('ann', 'pages', request)
    expect(summary).toHaveLength(401)
    expect(summary[0]).toEqual({ date: '2025-01-01', total: 0, change: 0 })
    expect(summary[400]).toEqual({ date: '2026-02-05', total: 0, change: 0 })
  })

  test('a bad range or aggregation is an UnprocessableEntityError', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    for (const [aggregation, startDate, endDate] of [
      ['daily', '2025-01-01', '2026-02-06'],
      ['daily', '2026-03-10', '2026-03-10'],
      ['daily', '2026-03-11', '2026-03-10'],
      ['daily', '2026-02-30', '2026-03-10'],
      ['daily', '2026-03-01', '10.3.2026'],
      ['daily', '2026-03-01T00:00:00.000Z', '2026-03-10'],
      ['daily', '', ''],
      ['hourly', '2026-03-01', '2026-03-10'],
    ]) {
      const request = untyped<TrophyApi.UsersMetricEventSummaryRequest>({ aggregation, startDate, endDate })
      expect(await refusalOf(client.users.metricEventSummary('ann', 'words', request))).toEqual({
        type: TrophyApi.UnprocessableEntityError,
        status: 422,
        code: 'invalid_request',
      })
    }
  })
})
