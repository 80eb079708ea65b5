import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, onEachStorage, UUID_5 } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    pages: { name: 'Pages', status: 'active' },
    old: { name: 'Old', status: 'archived' },
  },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1000 },
    reader: { name: 'Reader', trigger: 'metric', metric: 'pages', value: 10 },
    tour: { name: 'Tour', trigger: 'api' },
    pair: { name: 'Pair', trigger: 'achievement', achievements: ['hundred', 'reader'] },
    off: { name: 'Off', trigger: 'metric', metric: 'words', value: 1, status: 'inactive' },
    locked: { name: 'Locked', trigger: 'metric', metric: 'words', value: 1, status: 'locked' },
  },
}

onEachStorage('2.7 the metric of a user', (open) => {
  test('has id, key, name, status, current and achievements with every field', async () => {
    const engine = await open(game)
    const { metricId } = await add(engine, 'words', 250)
    engine.at('2026-03-12T12:00:00.000Z')
    expect(await engine.users.singleMetric('ann', 'words')).toEqual({
      id: metricId,
      key: 'words',
      name: 'Words written',
      status: 'active',
      current: 250,
      achievements: [
        {
          id: UUID_5,
          key: 'hundred',
          trigger: 'metric',
          name: 'A hundred',
          description: 'A hundred words.',
          badgeUrl: 'https://example.com/hundred.png',
          userAttributes: [],
          metricId,
          metricName: 'Words written',
          metricValue: 100,
          eventAttributes: [],
          achievedAt: '2026-03-10T12:00:00.000Z',
        },
        {
          id: UUID_5,
          key: 'thousand',
          trigger: 'metric',
          name: 'A thousand',
          description: null,
          badgeUrl: null,
          userAttributes: [],
          metricId,
          metricName: 'Words written',
          metricValue: 1000,
          eventAttributes: [],
          achievedAt: null,
          progress: { current: 250, target: 1000, ratio: 0.25 },
        },
      ],
    })
  })

  test('current is 0 and achievedAt null where the user has no events', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const metric = await engine.users.singleMetric('ann', 'pages')
    expect(metric).toMatchObject({ key: 'pages', name: 'Pages', status: 'active', current: 0 })
    expect(metric.achievements).toMatchObject([{ key: 'reader', metricValue: 10, achievedAt: null }])
  })

  test('4.10 has all active metrics, with or without events, and leaves archived ones out', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const metrics = await engine.users.allMetrics('ann')
    expect(metrics.map(({ key, current }) => `${key} ${current}`).sort()).toEqual(['pages 0', 'words 5'])
    const words = metrics.find(({ key }) => key === 'words')
    expect(words).toEqual(await engine.users.singleMetric('ann', 'words'))
  })
})
