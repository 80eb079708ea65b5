import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage, UUID_5, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  userAttributes: ['plan', 'country'],
  achievements: {
    onboarded: {
      name: 'Onboarded',
      description: 'Finished the tour.',
      badgeUrl: 'https://example.com/tour.png',
      trigger: 'api',
    },
    plain: { name: 'Plain', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro', country: 'fr' } },
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    daily: { name: 'Daily', trigger: 'streak', length: 7 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['onboarded', 'first'] },
    all: { name: 'All', trigger: 'achievement', achievements: ['both', 'plain'] },
    off: { name: 'Off', trigger: 'api', status: 'inactive' },
    locked: { name: 'Locked', trigger: 'api', status: 'locked' },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'achievement', achievement: 'onboarded', points: 20 },
        { type: 'achievement', achievement: 'both', points: 300 },
        { type: 'achievement', achievement: 'all', points: 4000 },
      ],
      levels: { high: { name: 'High', points: 300 } },
    },
    gems: { name: 'Gems', triggers: [{ type: 'achievement', achievement: 'both', points: 1 }] },
  },
}
const ann = { user: { id: 'ann' } }

onEachStorage('2.3 the answer to a completion', (open) => {
  test('has completionId, achievement with achievedAt, and points with every field', async () => {
    const engine = await open(game)
    expect(await engine.achievements.complete('onboarded', ann)).toEqual({
      completionId: UUID_5,
      achievement: {
        id: UUID_5,
        key: 'onboarded',
        trigger: 'api',
        name: 'Onboarded',
        description: 'Finished the tour.',
        badgeUrl: 'https://example.com/tour.png',
        userAttributes: [],
        achievedAt: '2026-03-10T12:00:00.000Z',
      },
      points: {
        xp: {
          id: UUID_5,
          key: 'xp',
          name: 'XP',
          description: null,
          badgeUrl: null,
          maxPoints: null,
          total: 20,
          added: 20,
          awards: [
            {
              id: UUID_5,
              awarded: 20,
              date: '2026-03-10T12:00:00.000Z',
              total: 20,
              trigger: {
                id: UUID_5,
                type: 'achievement',
                points: 20,
                status: 'active',
                userAttributes: [],
                achievementId: UUID_5,
                achievementName: 'Onboarded',
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
          ],
        },
      },
    })
  })

  test('points is {} where the completion pays nothing', async () => {
    const engine = await open(game)
    const { points } = await engine.achievements.complete('plain', ann)
    expect(points).toEqual({})
  })

  test('points also carries what composites pay that it completes, one through the other', async () => {
    const engine = await open(game)
    await add(engine, 'words', 1)
    await engine.achievements.complete('plain', ann)
    const { achievement, points } = await engine.achievements.complete('onboarded', ann)
    expect(achievement.key).toBe('onboarded')
    expect(points).toMatchObject({
      xp: { total: 4320, added: 4320, level: { key: 'high' } },
      gems: { total: 1, added: 1 },
    })
    expect(points.xp?.awards.map(({ awarded }) => awarded).sort((a, b) => a - b)).toEqual([20, 300, 4000])
    const completed = await engine.users.achievements('ann')
    expect(completed.map(({ key }) => key).sort()).toEqual(['all', 'both', 'first', 'onboarded', 'plain'])
  })
})

onEachStorage('4.2 completing an achievement', (open) => {
  test('creates or updates the user', async () => {
    const engine = await open(game)
    await engine.achievements.complete('onboarded', { user: { id: 'ann', tz: 'Asia/Tokyo' } })
    await engine.achievements.complete('plain', { user: { id: 'ann', name: 'Ann' } })
    expect(await engine.users.get('ann')).toMatchObject({ tz: 'Asia/Tokyo', name: 'Ann' })
  })

  test('again answers the first completionId and achievedAt, points {} and nothing new', async () => {
    const engine = await open(game)
    const first = await engine.achievements.complete('onboarded', ann)
    engine.at('2026-04-01T09:00:00.000Z')
    const again = await engine.achievements.complete('onboarded', ann)
    expect(again).toEqual({
      completionId: first.completionId,
      achievement: { ...first.achievement, achievedAt: '2026-03-10T12:00:00.000Z' },
      points: {},
    })
    expect((await engine.users.points('ann', 'xp')).total).toBe(20)
    expect(await engine.achievements.all()).toContainEqual(
      expect.objectContaining({ key: 'onboarded', completions: 1, rarity: 100 }),
    )
  })

  test('ten times at once completes once', async () => {
    const engine = await open(game)
    const answers = await Promise.all(Array.from({ length: 10 }, () => engine.achievements.complete('onboarded', ann)))
    expect(new Set(answers.map(({ completionId }) => completionId)).size).toBe(1)
    expect(answers.filter(({ points }) => 'xp' in points)).toHaveLength(1)
    expect((await engine.users.points('ann', 'xp')).total).toBe(20)
  })

  test('by two users has two completionIds', async () => {
    const engine = await open(game)
    const first = await engine.achievements.complete('onboarded', ann)
    const second = await engine.achievements.complete('onboarded', { user: { id: 'bob' } })
    expect(second.completionId).not.toBe(first.completionId)
  })

  test.each([
    ['an unknown key', 'nothing'],
    ['an inactive achievement', 'off'],
    ['a metric achievement', 'first'],
    ['a streak achievement', 'daily'],
    ['a composite', 'both'],
  ])('404: %s is refused, and nothing is written', async (_, key) => {
    const engine = await open(game)
    expect(await codeOf(engine.achievements.complete(key, ann))).toBe('unknown_achievement')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('again answers the first completion when the achievement has been locked since', async () => {
    const engine = await open(game)
    const first = await engine.achievements.complete('onboarded', ann)
    const later = await engine.redefine({
      ...game,
      achievements: {
        ...game.achievements,
        onboarded: { name: 'Onboarded', trigger: 'api', status: 'locked' },
        both: { name: 'Both', trigger: 'achievement', achievements: ['onboarded', 'first'], status: 'locked' },
        all: { name: 'All', trigger: 'achievement', achievements: ['both', 'plain'], status: 'locked' },
      },
    })
    later.at('2026-04-01T09:00:00.000Z')
    expect(await later.achievements.complete('onboarded', ann)).toMatchObject({
      completionId: first.completionId,
      achievement: { achievedAt: '2026-03-10T12:00:00.000Z' },
      points: {},
    })
    expect(await codeOf(later.achievements.complete('onboarded', { user: { id: 'bob' } }))).toBe('achievement_locked')
  })

  test('422: attributes that do not match its filters are refused, and nothing is written', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.achievements.complete('pro', ann))).toBe('achievement_not_accessible')
    const user = { id: 'ann', name: 'Ann', attributes: { plan: 'pro', country: 'de' } }
    expect(await codeOf(engine.achievements.complete('pro', { user }))).toBe('achievement_not_accessible')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('attributes that come with the request count', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann', attributes: { plan: 'pro' } })
    const user = { id: 'ann', attributes: { country: 'fr' } }
    expect((await engine.achievements.complete('pro', { user })).achievement).toMatchObject({
      key: 'pro',
      userAttributes: expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'country', value: 'fr' },
      ]),
    })
  })

  test('again answers the first completion when the attributes no longer match', async () => {
    const engine = await open(game)
    const first = await engine.achievements.complete('pro', {
      user: { id: 'ann', attributes: { plan: 'pro', country: 'fr' } },
    })
    await engine.users.update('ann', { attributes: { plan: 'free' } })
    expect((await engine.achievements.complete('pro', ann)).completionId).toBe(first.completionId)
  })

  test('422: the body must have a user with an id', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.achievements.complete('onboarded', untyped({})))).toBe('invalid_request')
    expect(await codeOf(engine.achievements.complete('onboarded', untyped({ user: {} })))).toBe('invalid_request')
    expect(await codeOf(engine.achievements.complete('onboarded', untyped(undefined)))).toBe('invalid_request')
  })
})
