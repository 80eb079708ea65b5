// The stored games, as answers list them: definitions, and each rule in one sentence.

import { expect, test } from 'vitest'
import { codeOf, onEachStorage } from '../../support/engine.ts'

const metrics = { words: { name: 'Words' } }

onEachStorage('Stored games', (open) => {
  test('are told the newest first, in pages, without what stands beside their definitions', async () => {
    const engine = await open({ metrics, points: { xp: { name: 'XP', triggers: [] } } })
    engine.at('2026-03-11T12:00:00.000Z')
    await engine.admin.points.boosts.create('xp', [{ name: 'Double', start: '2026-03-11', multiplier: 2 }])
    engine.at('2026-03-12T12:00:00.000Z')
    const next = await engine.redefine({ metrics })
    const { games, before } = await next.games.list()
    expect(games).toMatchObject([
      { epoch: 3, policy: 'forward', createdAt: '2026-03-12T12:00:00.000Z', fingerprint: next.game.fingerprint },
      { epoch: 1, policy: 'forward', createdAt: '2026-03-10T12:00:00.000Z', fingerprint: engine.game.fingerprint },
    ])
    expect(games.map(({ definition }) => definition)).toEqual([next.game.definition, engine.game.definition])
    expect(before).toBeNull()
    const page = await next.games.list({ limit: 1 })
    expect([page.games.map(({ epoch }) => epoch), page.before]).toEqual([[3], 3])
    expect((await next.games.list({ before: 3 })).games.map(({ epoch }) => epoch)).toEqual([1])
    expect(await codeOf(next.games.list({ limit: 21 }))).toBe('invalid_request')
    expect(await next.games.current()).toMatchObject({ epoch: 3, isNewest: true })
    expect(await engine.games.current()).toMatchObject({ epoch: 3, isNewest: false })
  })

  test('have one sentence for each rule', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } },
      userAttributes: ['plan'],
      eventAttributes: ['source'],
      achievements: {
        novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50_000 },
        mobile: {
          ...{ name: 'Mobile', trigger: 'metric', metric: 'words', value: 10, repeat: { max: 3 } },
          eventAttributes: { source: 'mobile' },
          userAttributes: { plan: 'pro' },
        },
        week: { name: 'Week', trigger: 'streak', length: 7 },
        gym: { name: 'Gym', trigger: 'streak', streak: 'gym', length: 1, repeat: true },
        tour: { name: 'Tour', trigger: 'api', secret: true, repeat: true },
        both: { name: 'Both', trigger: 'achievement', achievements: ['novelist', 'week'], status: 'inactive' },
        old: { name: 'Old', trigger: 'api', status: 'locked' },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'metric', metric: 'words', threshold: 100, points: 10, cap: { points: 50, per: 'day' } },
            { type: 'achievement', achievement: 'novelist', points: 500, exempt: true },
            { type: 'streak', length: 7, points: 1, cooldown: { minutes: 90 } },
            { type: 'user_creation', points: 5, userAttributes: { plan: 'pro' }, status: 'inactive' },
            { type: 'metric', metric: 'pages', threshold: 1, points: -1, blockIfOutOfPoints: true },
            { type: 'time', every: { hours: 4 }, points: 1 },
          ],
        },
      },
      streak: { frequency: 'daily', metrics: { words: {}, pages: { threshold: 5 } }, freezes: { initial: 1, max: 3 } },
      streaks: {
        gym: { frequency: 'weekly', metrics: { pages: {} } },
        both: { frequency: 'monthly', evaluationMode: 'AND', metrics: { words: {}, pages: {} }, freezes: 'shared' },
      },
      leaderboards: {
        weekly: {
          ...{ name: 'Weekly', rankBy: 'metric', metric: 'words', start: '2026-01-05', maxParticipants: 100 },
          run: { unit: 'day', interval: 7 },
        },
        xp: {
          ...{
            name: 'XP',
            rankBy: 'points',
            system: 'xp',
            start: '2026-01-01',
            end: '2026-12-31',
            private: true,
            maxParticipants: null,
          },
          ...{ run: { unit: 'month', interval: 1 }, breakdown: ['plan'], startTime: '09:00', endTime: '17:30' },
        },
        streaks: { name: 'Streaks', rankBy: 'streak', streak: 'gym', start: '2026-01-01', maxParticipants: 1 },
      },
    })
    const { sentences } = await engine.games.current()
    expect(sentences.achievements).toEqual({
      novelist: 'Completed at 50000 of "Words".',
      mobile:
        'Completed at every 10 of "Words" in events with "source" "mobile", of users with "plan" "pro", at most 3 times.',
      week: 'Completed at 7 days of the streak.',
      gym: 'Completed each time that the streak "gym" comes to 1 week.',
      tour: 'Completed by a call of the backend, once for each idempotency key; a secret until the user has it.',
      both: 'Completed with "Novelist" and "Week"; inactive: it cannot be completed, and it is not shown.',
      old: 'Completed by a call of the backend; locked: it can no longer be completed.',
    })
    const ids = engine.game.rules.points.get('xp')?.triggers.map(({ id }) => id) ?? []
    expect(ids.map((id) => sentences.points.xp?.[id])).toEqual([
      'Pays 10 "XP" for every 100 of "Words", at most 50 a day.',
      'Pays 500 "XP" for the achievement "Novelist", not counted in the cap of the points system.',
      'Pays 1 "XP" for every 7 days of the streak, and then nothing for 90 minutes.',
      'Pays 5 "XP" for a new user, of users with "plan" "pro"; inactive: it pays nothing.',
      'Takes 1 "XP" for every 1 of "Pages"; an event that the user cannot pay for is refused.',
      'Pays 1 "XP" every 4 hours.',
    ])
    expect(sentences.streaks).toEqual({
      streak:
        'Continues with every day that has more than 0 of "Words" or at least 5 of "Pages"; for missed ones a user begins with 1 freeze and keeps at most 3.',
      gym: 'Continues with every week that has more than 0 of "Pages"; a missed week ends it.',
      both: 'Continues with every month that has more than 0 of "Words" and more than 0 of "Pages"; it uses the freezes of the streak.',
    })
    expect(sentences.leaderboards).toEqual({
      weekly: 'Ranks the first 100 users by how much they add to "Words" in each run of 7 days, from 2026-01-05 on.',
      xp: 'Ranks all users by the "XP" that they earn in each month, from 2026-01-01 to 2026-12-31, every day from 09:00 until 17:30, in groups by "plan"; private: clients do not see it.',
      streaks: 'Ranks the first 1 user by the length of the streak "gym", from 2026-01-01 on.',
    })
  })

  test('have a sentence for each quest of a challenge', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words' } },
      achievements: { host: { name: 'Host', trigger: 'api' } },
      points: { xp: { name: 'XP' } },
      streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 0, max: 3 } },
      challenges: {
        tour: {
          ...{ name: 'Tour', inOrder: true, of: [{ achievement: 'host' }, { metric: 'words', value: 10 }] },
          reward: { points: { xp: 50 }, freezes: 1, boost: { system: 'xp', name: 'Tour', multiplier: 2, days: 3 } },
        },
        daily: {
          ...{ name: 'Daily', every: 'day', pick: 1 },
          pool: {
            any: {
              name: 'Any',
              atLeast: 1,
              of: [
                { metric: 'words', value: 9 },
                { events: 'words', count: 2 },
              ],
            },
            host: { name: 'Host', of: [{ events: 'words', count: 1 }], reward: { achievement: 'host' } },
          },
        },
      },
    })
    const { sentences } = await engine.games.current()
    expect(sentences.challenges).toEqual({
      tour: {
        '': 'Completed with the achievement "Host" and 10 of "Words", in this order; gives 50 "XP", 1 freeze and 2 times the "XP" for 3 days.',
      },
      daily: {
        any: 'Completed with any of: 9 of "Words" or 2 events of "Words".',
        host: 'Completed with 1 event of "Words"; gives the achievement "Host".',
      },
    })
  })

  test('have sentences for limits of metrics, caps, the most points and boosts', async () => {
    const engine = await open({
      metrics: {
        steps: {
          name: 'Steps',
          limits: [
            { value: 20, per: { days: 1 }, then: 'refuse' },
            { value: 90, per: { days: 7 }, then: 'hold' },
          ],
        },
      },
      points: {
        xp: {
          name: 'XP',
          maxPoints: 1_000,
          cap: { points: 50, per: 'week' },
          boosts: { spring: { name: 'Spring', start: '2026-03-20', end: '2026-03-22', multiplier: 2 } },
        },
      },
    })
    const { sentences } = await engine.games.current()
    expect(sentences.metrics).toEqual({
      steps:
        'A user can add at most 20 of "Steps" a day (more is refused) and at most 90 of "Steps" in any 7 days (more is held for approval).',
    })
    expect(sentences.systems).toEqual({ xp: 'A user can earn at most 50 "XP" a week and have at most 1000 "XP".' })
    expect(Object.values(sentences.boosts.xp ?? {})).toEqual([
      '"Spring" multiplies the "XP" that users earn by 2, from 2026-03-20 to 2026-03-22.',
    ])
  })
})
