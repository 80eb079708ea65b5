import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, UUID_5 } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  eventAttributes: ['source', 'lang'],
  userAttributes: ['plan', 'country'],
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 10, eventAttributes: { source: 'web' } },
    french: {
      name: 'French',
      trigger: 'metric',
      metric: 'words',
      value: 10,
      eventAttributes: { source: 'web', lang: 'fr' },
    },
    tour: { name: 'Tour', trigger: 'api' },
    week: { name: 'Week', trigger: 'streak', length: 7 },
    all: { name: 'All', trigger: 'achievement', achievements: ['tour', 'web'] },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    'pro-writer': {
      name: 'Pro writer',
      trigger: 'metric',
      metric: 'words',
      value: 50,
      userAttributes: { plan: 'pro' },
    },
    'pro-french': { name: 'Pro in France', trigger: 'api', userAttributes: { plan: 'pro', country: 'fr' } },
    odd: { name: 'Odd', trigger: 'api', userAttributes: { plan: 'a:b' } },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const listed = async (engine: Engine, key: string) =>
  (await engine.achievements.all()).find((achievement) => achievement.key === key)

const keys = async (engine: Engine, userAttributes: string): Promise<readonly string[]> =>
  (await engine.achievements.all({ userAttributes })).map(({ key }) => key).sort()

onEachStorage('2.2 the fields of an achievement with stats', (open) => {
  test('of a metric achievement: metricId, metricName, metricValue and eventAttributes', async () => {
    const engine = await open(game)
    const { metricId } = await add(engine, 'words', 1)
    expect(await listed(engine, 'hundred')).toEqual({
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
      completions: 0,
      rarity: 0,
    })
  })

  test('eventAttribute is there too when there is exactly one event attribute', async () => {
    const engine = await open(game)
    expect(await listed(engine, 'web')).toMatchObject({
      eventAttribute: { key: 'source', value: 'web' },
      eventAttributes: [{ key: 'source', value: 'web' }],
    })
    const french = await listed(engine, 'french')
    expect(french).toMatchObject({
      eventAttributes: expect.arrayContaining([
        { key: 'source', value: 'web' },
        { key: 'lang', value: 'fr' },
      ]),
    })
    expect(french?.eventAttributes).toHaveLength(2)
    expect(french).not.toHaveProperty('eventAttribute')
    expect(await listed(engine, 'hundred')).not.toHaveProperty('eventAttribute')
  })

  test('of a composite: the achievements that make it up', async () => {
    const engine = await open(game)
    expect(await listed(engine, 'all')).toMatchObject({ trigger: 'achievement', achievements: ['tour', 'web'] })
  })

  test('userAttributes is always an array of {key, value}', async () => {
    const engine = await open(game)
    expect((await listed(engine, 'pro'))?.userAttributes).toEqual([{ key: 'plan', value: 'pro' }])
    const both = (await listed(engine, 'pro-french'))?.userAttributes
    expect(both).toHaveLength(2)
    expect(both).toEqual(
      expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'country', value: 'fr' },
      ]),
    )
    expect((await listed(engine, 'tour'))?.userAttributes).toEqual([])
  })

  test('completions counts users, rarity is their percentage with two decimals', async () => {
    const engine = await open(game)
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    expect(await listed(engine, 'tour')).toMatchObject({ completions: 1, rarity: 100 })
    await engine.users.create({ id: 'bob' })
    expect(await listed(engine, 'tour')).toMatchObject({ completions: 1, rarity: 50 })
    await engine.users.create({ id: 'cid' })
    expect(await listed(engine, 'tour')).toMatchObject({ completions: 1, rarity: 33.33 })
    await engine.achievements.complete('tour', { user: { id: 'bob' } })
    expect(await listed(engine, 'tour')).toMatchObject({ completions: 2, rarity: 66.67 })
    expect(await listed(engine, 'week')).toMatchObject({ completions: 0, rarity: 0 })
  })
})

onEachStorage('4.1 userAttributes', (open) => {
  test('leaves what is accessible to a user with those attributes', async () => {
    const engine = await open(game)
    const toAll = ['all', 'french', 'hundred', 'tour', 'web', 'week']
    expect(await keys(engine, 'plan:pro')).toEqual([...toAll, 'pro', 'pro-writer'].sort())
    expect(await keys(engine, 'plan:free')).toEqual(toAll)
    expect(await keys(engine, 'country:fr')).toEqual(toAll)
    expect(await keys(engine, 'plan:pro,country:fr')).toEqual([...toAll, 'pro', 'pro-french', 'pro-writer'].sort())
    expect(await keys(engine, 'country:fr,plan:pro')).toEqual([...toAll, 'pro', 'pro-french', 'pro-writer'].sort())
    expect(await keys(engine, 'plan:Pro')).toEqual(toAll)
  })

  test('is split at the first colon only', async () => {
    const engine = await open(game)
    expect(await keys(engine, 'plan:a:b')).toContain('odd')
    expect(await keys(engine, 'plan:a')).not.toContain('odd')
  })

  test.each(['plan', 'plan:pro,', ',plan:pro', 'plan:pro,,country:fr', 'plan:pro,country', ''])(
    'malformed as "%s" it is refused',
    async (userAttributes) => {
      const engine = await open(game)
      expect(await codeOf(engine.achievements.all({ userAttributes }))).toBe('invalid_request')
    },
  )

  test.each(['colour:red', ' plan:pro', 'plan:pro,colour:red', '__proto__:x', 'source:web'])(
    'with an unknown attribute as "%s" it is refused',
    async (userAttributes) => {
      const engine = await open(game)
      expect(await codeOf(engine.achievements.all({ userAttributes }))).toBe('unknown_attribute')
    },
  )
})

onEachStorage('2.2 completing by events', (open) => {
  test("a user's achievements have stats and achievedAt, null where incomplete ones were asked for", async () => {
    const engine = await open(game)
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    await engine.users.create({ id: 'bob' })
    expect(await engine.users.achievements('ann')).toEqual([
      {
        id: UUID_5,
        key: 'tour',
        trigger: 'api',
        name: 'Tour',
        description: null,
        badgeUrl: null,
        userAttributes: [],
        completions: 1,
        rarity: 50,
        achievedAt: '2026-03-10T12:00:00.000Z',
      },
    ])
    const every = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(every).toHaveLength(10)
    expect(every.filter(({ achievedAt }) => achievedAt === null)).toHaveLength(9)
    expect(await engine.users.achievements('bob')).toEqual([])
    expect(await codeOf(engine.users.achievements('cid'))).toBe('unknown_user')
  })
})
