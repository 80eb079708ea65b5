import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage } from '../support/engine.ts'

const words = { words: { name: 'Words written' } } as const
const ann = { user: { id: 'ann' } }

onEachStorage('the status of a metric', (open) => {
  const game: GameDefinition = {
    metrics: { words: { name: 'Words written' }, pages: { name: 'Pages', status: 'active' } },
  }
  const archived: GameDefinition = {
    metrics: { words: { name: 'Words written', status: 'archived' }, pages: { name: 'Pages' } },
  }

  test('archived: refused in an event, unknown in 4.11 and 4.12, left out of 4.10', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const later = await engine.redefine(archived)
    const request = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const
    expect(await codeOf(add(later, 'words', 5))).toBe('metric_archived')
    expect(await codeOf(later.users.singleMetric('ann', 'words'))).toBe('unknown_metric')
    expect(await codeOf(later.users.metricEventSummary('ann', 'words', request))).toBe('unknown_metric')
    expect((await later.users.allMetrics('ann')).map(({ key }) => key)).toEqual(['pages'])
  })

  test('active again: its total is as it was', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    await engine.redefine(archived)
    // Not `game` itself: one that is known to be older changes nothing.
    const later = await engine.redefine({ metrics: { ...game.metrics, runs: { name: 'Runs' } } })
    expect((await later.users.singleMetric('ann', 'words')).current).toBe(5)
    expect((await add(later, 'words', 2)).total).toBe(7)
  })
})

onEachStorage('the status of an achievement', (open) => {
  const withStatus = (status: 'active' | 'inactive' | 'locked'): GameDefinition => ({
    metrics: words,
    achievements: {
      ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10, status },
      tour: { name: 'Tour', trigger: 'api', status },
      streak: { name: 'Streak', trigger: 'streak', length: 1, status },
      other: { name: 'Other', trigger: 'api' },
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'achievement', achievement: 'ten', points: 5 },
          { type: 'achievement', achievement: 'tour', points: 5 },
        ],
      },
    },
    streak: { frequency: 'daily', metrics: { words: {} } },
  })

  test('inactive: cannot be completed, pays nothing and appears nowhere', async () => {
    const engine = await open(withStatus('inactive'))
    const answer = await add(engine, 'words', 10)
    expect(answer).toMatchObject({ achievements: [], points: {} })
    expect(await codeOf(engine.achievements.complete('tour', ann))).toBe('unknown_achievement')
    expect((await engine.achievements.all()).map(({ key }) => key)).toEqual(['other'])
    expect((await engine.users.singleMetric('ann', 'words')).achievements).toEqual([])
    const every = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(every.map(({ key }) => key)).toEqual(['other'])
  })

  test('inactive: appears nowhere to a user who has it either', async () => {
    const engine = await open(withStatus('active'))
    await add(engine, 'words', 10)
    await engine.achievements.complete('tour', ann)
    const later = await engine.redefine(withStatus('inactive'))
    expect(await later.users.achievements('ann')).toEqual([])
    expect((await later.users.singleMetric('ann', 'words')).achievements).toEqual([])
    expect(await codeOf(later.achievements.complete('tour', ann))).toBe('unknown_achievement')
  })

  test('inactive, then active again: who has it has it as before', async () => {
    const engine = await open(withStatus('active'))
    const first = await engine.achievements.complete('tour', ann)
    await engine.redefine(withStatus('inactive'))
    const later = await engine.redefine({ ...withStatus('active'), metrics: { ...words, runs: { name: 'Runs' } } })
    later.at('2026-03-20T12:00:00.000Z')
    expect(await later.users.achievements('ann')).toMatchObject([
      { key: 'tour', achievedAt: '2026-03-10T12:00:00.000Z' },
    ])
    expect(await later.achievements.complete('tour', ann)).toMatchObject({
      completionId: first.completionId,
      points: {},
    })
  })

  test('locked: cannot be newly completed and does not appear to who has it not', async () => {
    const engine = await open(withStatus('locked'))
    expect(await add(engine, 'words', 10)).toMatchObject({ achievements: [], points: {} })
    expect(await codeOf(engine.achievements.complete('tour', ann))).toBe('achievement_locked')
    expect((await engine.achievements.all()).map(({ key }) => key)).toEqual(['other'])
    expect((await engine.users.singleMetric('ann', 'words')).achievements).toEqual([])
    const every = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(every.map(({ key }) => key)).toEqual(['other'])
  })

  test('locked: appears to who has it, and to nobody else', async () => {
    const engine = await open(withStatus('active'))
    await add(engine, 'words', 10)
    const later = await engine.redefine(withStatus('locked'))
    await later.metrics.event('words', { user: { id: 'bob' }, value: 10 })
    const ofAnn = await later.users.achievements('ann')
    expect(ofAnn.map(({ key }) => key).sort()).toEqual(['streak', 'ten'])
    expect((await later.users.singleMetric('ann', 'words')).achievements).toMatchObject([
      { key: 'ten', achievedAt: '2026-03-10T12:00:00.000Z' },
    ])
    expect(await later.users.achievements('bob')).toEqual([])
    expect((await later.users.singleMetric('bob', 'words')).achievements).toEqual([])
    expect((await later.achievements.all()).map(({ key }) => key)).toEqual(['other'])
  })

  test('a composite that was locked with one of its achievements is completed once both can be', async () => {
    const composite = (status: 'active' | 'locked'): GameDefinition => ({
      metrics: words,
      achievements: {
        ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10, status },
        one: { name: 'One', trigger: 'metric', metric: 'words', value: 1 },
        both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'one'], status },
      },
    })
    const engine = await open(composite('locked'))
    expect((await add(engine, 'words', 10)).achievements).toMatchObject([{ key: 'one' }])
    const later = await engine.redefine(composite('active'))
    const { achievements } = await add(later, 'words', 1)
    expect(achievements.map(({ key }) => key).sort()).toEqual(['both', 'ten'])
  })
})

onEachStorage('the status of a trigger', (open) => {
  const withStatus = (status: 'active' | 'inactive'): GameDefinition => ({
    metrics: words,
    eventAttributes: ['source'],
    achievements: { tour: { name: 'Tour', trigger: 'api' } },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { key: 'per-hundred', type: 'metric', metric: 'words', threshold: 100, points: 1, status },
          {
            key: 'per-hundred-on-the-web',
            type: 'metric',
            metric: 'words',
            threshold: 100,
            points: 20,
            eventAttributes: { source: 'web' },
            status,
          },
          { key: 'tour', type: 'achievement', achievement: 'tour', points: 300, status },
          { key: 'streak', type: 'streak', length: 1, points: 4000, status },
        ],
      },
    },
    streak: { frequency: 'daily', metrics: { words: {} } },
  })

  test('active, the default: pays', async () => {
    const engine = await open(withStatus('active'))
    const { points } = await add(engine, 'words', 250, { attributes: { source: 'web' } })
    expect(points).toMatchObject({ xp: { total: 4042 } })
    expect((await engine.achievements.complete('tour', ann)).points).toMatchObject({ xp: { total: 4342 } })
  })

  test('inactive: pays nothing', async () => {
    const engine = await open(withStatus('inactive'))
    expect((await add(engine, 'words', 250, { attributes: { source: 'web' } })).points).toEqual({})
    expect((await engine.achievements.complete('tour', ann)).points).toEqual({})
    expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 0, awards: [] })
  })

  test('inactive: a running total and its mark grow, so that what was reached is not paid later', async () => {
    const engine = await open(withStatus('inactive'))
    await add(engine, 'words', 250, { attributes: { source: 'web' } })
    const later = await engine.redefine(withStatus('active'))
    expect((await add(later, 'words', 49, { attributes: { source: 'web' } })).points).toEqual({})
    expect((await add(later, 'words', 1, { attributes: { source: 'web' } })).points).toMatchObject({
      xp: { added: 21, total: 21 },
    })
  })
})
