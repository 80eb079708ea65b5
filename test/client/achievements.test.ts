import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5 } from '../support/engine.ts'
import { instant, onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }

/** The keys of the active achievements, in the order of the alphabet. */
const ACTIVE = ['all-rounder', 'french', 'mobile', 'novelist', 'onboarded', 'pro-tour', 'scholar', 'two-days']

onEachServer('achievements.all', (start) => {
  test('answers every kind of achievement, and 0 where there are no users', async () => {
    const { client } = await start()
    const all = await client.achievements.all()
    expect(all.map(({ key }) => key).sort()).toEqual(ACTIVE)
    const of = (key: string) => all.find((achievement) => achievement.key === key)
    const metricId = of('novelist')?.metricId
    expect(of('novelist')).toEqual({
      id: UUID_5,
      key: 'novelist',
      trigger: 'metric',
      name: 'Novelist',
      description: 'A thousand words.',
      badgeUrl: 'https://example.com/novelist.png',
      userAttributes: [],
      metricId: UUID_5,
      metricName: 'Words written',
      metricValue: 1000,
      eventAttributes: [],
      completions: 0,
      rarity: 0,
    })
    expect(of('mobile')).toEqual({
      id: UUID_5,
      key: 'mobile',
      trigger: 'metric',
      name: 'On the road',
      userAttributes: [],
      metricId,
      metricName: 'Words written',
      metricValue: 100,
      eventAttribute: { key: 'source', value: 'mobile' },
      eventAttributes: [{ key: 'source', value: 'mobile' }],
      completions: 0,
      rarity: 0,
    })
    expect(of('french')).toEqual({
      id: UUID_5,
      key: 'french',
      trigger: 'metric',
      name: 'En route',
      userAttributes: [],
      metricId,
      metricName: 'Words written',
      metricValue: 50,
      eventAttributes: expect.arrayContaining([
        { key: 'source', value: 'mobile' },
        { key: 'lang', value: 'fr' },
      ]),
      completions: 0,
      rarity: 0,
    })
    expect(of('scholar')).toMatchObject({
      metricName: 'Pages read',
      metricValue: 10,
      userAttributes: [{ key: 'plan', value: 'pro' }],
    })
    expect(of('onboarded')).toEqual({
      id: UUID_5,
      key: 'onboarded',
      trigger: 'api',
      name: 'Onboarded',
      description: 'Took the tour.',
      badgeUrl: 'https://example.com/tour.png',
      userAttributes: [],
      completions: 0,
      rarity: 0,
    })
    expect(of('pro-tour')).toEqual({
      id: UUID_5,
      key: 'pro-tour',
      trigger: 'api',
      name: 'Pro tour',
      userAttributes: expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'country', value: 'fr' },
      ]),
      completions: 0,
      rarity: 0,
    })
    expect(of('two-days')).toEqual({
      id: UUID_5,
      key: 'two-days',
      trigger: 'streak',
      name: 'Two days',
      userAttributes: [],
      streakLength: 2,
      completions: 0,
      rarity: 0,
    })
    expect(of('all-rounder')).toEqual({
      id: UUID_5,
      key: 'all-rounder',
      trigger: 'achievement',
      name: 'All-rounder',
      userAttributes: [],
      achievements: ['novelist', 'onboarded'],
      achievementIds: [UUID_5, UUID_5],
      completions: 0,
      rarity: 0,
    })
  })

  test('answers completions and rarity', async () => {
    const { client } = await start()
    await client.achievements.complete('onboarded', { user: ann })
    await client.users.create({ id: 'bob' })
    await client.users.create({ id: 'cid' })
    const all = await client.achievements.all()
    expect(all.find(({ key }) => key === 'onboarded')).toMatchObject({ completions: 1, rarity: 33.33 })
    expect(all.find(({ key }) => key === 'novelist')).toMatchObject({ completions: 0, rarity: 0 })
  })

  test('answers those that are accessible to a user with the attributes', async () => {
    const { client } = await start()
    const keys = async (userAttributes: string) =>
      (await client.achievements.all({ userAttributes })).map(({ key }) => key).sort()
    expect(await keys('plan:free')).toEqual(['all-rounder', 'french', 'mobile', 'novelist', 'onboarded', 'two-days'])
    expect(await keys('plan:pro')).toEqual([
      'all-rounder',
      'french',
      'mobile',
      'novelist',
      'onboarded',
      'scholar',
      'two-days',
    ])
    expect(await keys('plan:pro,country:fr')).toEqual(ACTIVE)
  })

  test('refuses malformed and unknown attributes', async () => {
    const { client } = await start()
    const refusal = { type: TrophyApi.UnprocessableEntityError, status: 422 }
    expect(await refusalOf(client.achievements.all({ userAttributes: 'plan' }))).toEqual({
      ...refusal,
      code: 'invalid_request',
    })
    expect(await refusalOf(client.achievements.all({ userAttributes: 'colour:red' }))).toEqual({
      ...refusal,
      code: 'unknown_attribute',
    })
  })

  test('answers an empty list in a game without achievements', async () => {
    const { client } = await start({ metrics: { words: { name: 'Words written' } } })
    expect(await client.achievements.all()).toEqual([])
    await client.users.create({ id: 'ann' })
    expect(await client.users.achievements('ann', { includeIncomplete: 'true' })).toEqual([])
  })
})

onEachServer('achievements.complete', (start) => {
  test('answers the completion, the points it pays, and those of composites that it completes', async () => {
    const { client, engine } = await start()
    await client.metrics.event('words', { user: ann, value: 1000 })
    engine.at('2026-03-10T18:45:00.500Z')
    expect(await client.achievements.complete('onboarded', { user: ann })).toEqual({
      completionId: UUID_5,
      achievement: {
        id: UUID_5,
        key: 'onboarded',
        trigger: 'api',
        name: 'Onboarded',
        description: 'Took the tour.',
        badgeUrl: 'https://example.com/tour.png',
        userAttributes: [],
        achievedAt: instant('2026-03-10T18:45:00.500Z'),
      },
      points: {
        gems: {
          id: UUID_5,
          key: 'gems',
          name: 'Gems',
          total: 25,
          added: 25,
          awards: [
            {
              id: UUID_5,
              awarded: 25,
              date: '2026-03-10T18:45:00.500Z',
              total: 25,
              trigger: {
                id: UUID_5,
                type: 'achievement',
                points: 25,
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
        xp: {
          id: UUID_5,
          key: 'xp',
          name: 'XP',
          description: 'Experience',
          badgeUrl: 'https://example.com/xp.png',
          maxPoints: 10_000,
          total: 1620,
          added: 1000,
          awards: [
            {
              id: UUID_5,
              awarded: 1000,
              date: '2026-03-10T18:45:00.500Z',
              total: 1620,
              trigger: {
                id: UUID_5,
                type: 'achievement',
                points: 1000,
                status: 'active',
                userAttributes: [],
                achievementId: UUID_5,
                achievementName: 'All-rounder',
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
          ],
        },
      },
    })
    expect((await client.users.achievements('ann')).map(({ key }) => key).sort()).toEqual([
      'all-rounder',
      'novelist',
      'onboarded',
    ])
  })

  test('again answers the first completion, and no points', async () => {
    const { client, engine } = await start()
    const first = await client.achievements.complete('onboarded', { user: ann })
    engine.at('2026-04-01T09:00:00.000Z')
    const again = await client.achievements.complete('onboarded', { user: ann })
    expect(again).toEqual({
      completionId: first.completionId,
      achievement: { ...first.achievement, achievedAt: instant('2026-03-10T12:00:00.000Z') },
      points: {},
    })
    expect((await client.users.points('ann', 'gems')).total).toBe(25)
  })

  test('stores the user, whose attributes count', async () => {
    const { client } = await start()
    const user = { id: 'ann', name: 'Ann', attributes: { plan: 'pro', country: 'fr' } }
    const { achievement } = await client.achievements.complete('pro-tour', { user })
    expect(achievement).toEqual({
      id: UUID_5,
      key: 'pro-tour',
      trigger: 'api',
      name: 'Pro tour',
      userAttributes: expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'country', value: 'fr' },
      ]),
      achievedAt: instant('2026-03-10T12:00:00.000Z'),
    })
    expect(await client.users.get('ann')).toMatchObject({ name: 'Ann', attributes: { plan: 'pro', country: 'fr' } })
  })

  test.each([
    ['unknown', 'nothing'],
    ['inactive', 'hidden'],
    ['one of a metric', 'novelist'],
    ['one of a streak', 'two-days'],
    ['a composite', 'all-rounder'],
  ])('an achievement that is %s is a NotFoundError', async (_, key) => {
    const { client } = await start()
    expect(await refusalOf(client.achievements.complete(key, { user: ann }))).toEqual({
      type: TrophyApi.NotFoundError,
      status: 404,
      code: 'unknown_achievement',
    })
    expect(await refusalOf(client.users.get('ann'))).toMatchObject({ status: 404 })
  })

  test.each([
    ['that is locked', 'retired', { id: 'ann' }, 'achievement_locked'],
    ['for others', 'pro-tour', { id: 'ann', attributes: { plan: 'pro' } }, 'achievement_not_accessible'],
    ['by a user in no time zone', 'onboarded', { id: 'ann', tz: 'Mars/Base' }, 'unknown_time_zone'],
    ['by a user with an unknown attribute', 'onboarded', { id: 'ann', attributes: { x: 'y' } }, 'unknown_attribute'],
    ['by a user without an id', 'onboarded', { id: '' }, 'invalid_request'],
  ])('one %s is an UnprocessableEntityError', async (_, key, user, code) => {
    const { client } = await start()
    expect(await refusalOf(client.achievements.complete(key, { user }))).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code,
    })
  })
})

onEachServer('users.achievements', (start) => {
  test('answers what the user has completed, with stats', async () => {
    const { client, engine } = await start()
    await client.users.create({ id: 'bob' })
    engine.at('2026-03-10T13:00:00.000Z')
    await client.achievements.complete('onboarded', { user: ann })
    expect(await client.users.achievements('ann')).toEqual([
      {
        id: UUID_5,
        key: 'onboarded',
        trigger: 'api',
        name: 'Onboarded',
        description: 'Took the tour.',
        badgeUrl: 'https://example.com/tour.png',
        userAttributes: [],
        completions: 1,
        rarity: 50,
        achievedAt: instant('2026-03-10T13:00:00.000Z'),
      },
    ])
    expect(await client.users.achievements('bob')).toEqual([])
  })

  test('answers incomplete ones where they were asked for, without achievedAt', async () => {
    const { client } = await start()
    await client.achievements.complete('onboarded', { user: ann })
    const every = await client.users.achievements('ann', { includeIncomplete: 'true' })
    expect(every.map(({ key }) => key).sort()).toEqual(ACTIVE)
    expect(every.filter(({ achievedAt }) => achievedAt !== undefined).map(({ key }) => key)).toEqual(['onboarded'])
    expect(every.find(({ key }) => key === 'all-rounder')).toEqual({
      id: UUID_5,
      key: 'all-rounder',
      trigger: 'achievement',
      name: 'All-rounder',
      userAttributes: [],
      achievements: ['novelist', 'onboarded'],
      achievementIds: [UUID_5, UUID_5],
      completions: 0,
      rarity: 0,
    })
  })
})
