import { expect, test } from 'vitest'
import { codeOf, onEachStorage, untyped } from '../support/engine.ts'
import {
  ATTRIBUTES,
  configurationGame as game,
  LEADERBOARDS,
  LEVELS,
  METRICS,
  SYSTEM,
  TRIGGERS,
} from './configuration-game.ts'

onEachStorage('what the game has, for dashboards', (open) => {
  test('attributes of users come before those of events; one key may be of both', async () => {
    const { admin } = await open(game)
    expect(await admin.attributes.list()).toEqual(ATTRIBUTES)
    expect(await admin.attributes.get('source')).toEqual(ATTRIBUTES[1])
    for (const attribute of ATTRIBUTES) expect(await admin.attributes.get(attribute.id)).toEqual(attribute)
  })

  test('metrics are there by id and key, unless they are archived', async () => {
    const { admin } = await open(game)
    expect(await admin.metrics.list()).toEqual(METRICS)
    for (const metric of METRICS) {
      expect(await admin.metrics.get(metric.id)).toEqual(metric)
      expect(await admin.metrics.get(metric.key)).toEqual(metric)
    }
    expect(await codeOf(admin.metrics.get('old'))).toBe('unknown_metric')
  })

  test('points systems have their levels and triggers, and no boosts', async () => {
    const { admin } = await open(game)
    const [xp, coins] = await admin.points.systems.list()
    expect(xp).toEqual(SYSTEM)
    expect(coins).toEqual({
      id: expect.any(String),
      name: 'Coins',
      key: 'coins',
      description: '',
      status: 'active',
      badge: null,
      maxPoints: null,
      levels: [],
      boosts: [],
      triggers: [],
    })
    expect(await admin.points.systems.get('xp')).toEqual(SYSTEM)
    expect(await admin.points.levels.list('xp')).toEqual(LEVELS)
    expect(await admin.points.levels.list(SYSTEM.id, { skip: 1 })).toEqual(LEVELS.slice(1))
    expect(await admin.points.levels.get('xp', 'silver')).toEqual(LEVELS[1])
    expect(await admin.points.levels.get(SYSTEM.id, LEVELS[0].id)).toEqual(LEVELS[0])
    expect(await admin.points.triggers.list('xp')).toEqual(TRIGGERS)
    expect(await admin.points.triggers.get('xp', TRIGGERS[2].id)).toEqual(TRIGGERS[2])
    expect(await admin.points.triggers.list('coins')).toEqual([])
  })

  test('leaderboards have their status by now, private and finished ones too', async () => {
    const { admin } = await open(game)
    expect(await admin.leaderboards.list()).toEqual(LEADERBOARDS)
    for (const board of LEADERBOARDS) expect(await admin.leaderboards.get(board.key)).toEqual(board)
  })

  test('lists are of ten, and of as many as are asked for', async () => {
    const names = Array.from({ length: 120 }, (_, index) => [`m${index}`, { name: `Metric ${index}` }] as const)
    const { admin } = await open({ metrics: Object.fromEntries(names) })
    const keys = async (request?: object) => (await admin.metrics.list(request)).map(({ key }) => key)
    expect(await keys()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'])
    expect(await keys({ skip: 8, limit: 3 })).toEqual(['m8', 'm9', 'm10'])
    expect(await keys({ limit: 100 })).toHaveLength(100)
    expect(await keys({ skip: 110, limit: 100 })).toHaveLength(10)
    expect(await keys({ skip: 120 })).toEqual([])
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { skip: -1 }, { skip: '1' }, { offset: 1 }]) {
      expect(await codeOf(admin.metrics.list(untyped(wrong)))).toBe('invalid_request')
    }
  })

  test('what there is not is refused, by a code of its kind', async () => {
    const { admin } = await open(game)
    const { attributes, metrics, points, leaderboards } = admin
    expect(await codeOf(attributes.get('colour'))).toBe('unknown_attribute')
    expect(await codeOf(metrics.get('xp'))).toBe('unknown_metric')
    expect(await codeOf(points.systems.get('words'))).toBe('unknown_points_system')
    expect(await codeOf(points.levels.list('gems'))).toBe('unknown_points_system')
    expect(await codeOf(points.levels.get('gems', 'bronze'))).toBe('unknown_points_system')
    expect(await codeOf(points.levels.get('coins', 'bronze'))).toBe('unknown_level')
    expect(await codeOf(points.triggers.get('coins', TRIGGERS[0].id))).toBe('unknown_trigger')
    expect(await codeOf(leaderboards.get('toString'))).toBe('unknown_leaderboard')
    expect(await codeOf(metrics.get(''))).toBe('invalid_request')
    expect(await codeOf(metrics.get(untyped(7)))).toBe('invalid_request')
    await expect(metrics.get('word')).rejects.toThrow('Unknown metric "word": the game has "words", "pages".')
  })

  test('an id goes before a key that looks like it', async () => {
    const words = METRICS[0].id
    const { admin } = await open({ metrics: { [words]: { name: 'Odd' }, words: { name: 'Words' } } })
    expect((await admin.metrics.get(words)).name).toBe('Words')
  })

  test('it is what the newest game has, once the process has met that', async () => {
    const engine = await open(game)
    await engine.admin.metrics.list()
    await (await engine.redefine({ metrics: { laps: { name: 'Laps' } } })).users.create({ id: 'ann' })
    await engine.users.update('ann', { name: 'Ann' })
    expect((await engine.admin.metrics.list()).map(({ key }) => key)).toEqual(['laps'])
  })
})
