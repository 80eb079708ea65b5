// The games that are stored, as they are told: definitions, and each rule in one sentence.

import { expect, test } from 'vitest'
import { codeOf, onEachStorage } from '../support/engine.ts'

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
      { epoch: 2, policy: 'forward', createdAt: '2026-03-11T12:00:00.000Z', fingerprint: engine.game.fingerprint },
      { epoch: 1, policy: 'forward', createdAt: '2026-03-10T12:00:00.000Z', fingerprint: engine.game.fingerprint },
    ])
    expect(games.map(({ definition }) => definition)).toEqual([
      next.game.definition,
      engine.game.definition,
      engine.game.definition,
    ])
    expect(before).toBeNull()
    const page = await next.games.list({ limit: 2 })
    expect([page.games.map(({ epoch }) => epoch), page.before]).toEqual([[3, 2], 2])
    expect((await next.games.list({ before: 2 })).games.map(({ epoch }) => epoch)).toEqual([1])
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
      novelist: 'Completed at 50000 of "words".',
      mobile:
        'Completed at every 10 of "words" in events with "source" "mobile", of users with "plan" "pro", at most 3 times.',
      week: 'Completed at 7 days of the streak.',
      gym: 'Completed each time that the streak "gym" comes to 1 week.',
      tour: 'Completed when the host says so, once for each idempotency key; a secret until the user has it.',
      both: 'Completed by whoever has "novelist" and "week"; inactive: nobody can complete it, and it is not shown.',
      old: 'Completed when the host says so; locked: nobody can newly complete it.',
    })
    const ids = engine.game.rules.points.get('xp')?.triggers.map(({ id }) => id) ?? []
    expect(ids.map((id) => sentences.points.xp?.[id])).toEqual([
      'Pays 10 of "xp" for every 100 of "words", at most 50 a day.',
      'Pays 500 of "xp" for the achievement "novelist", whatever the cap of the system is.',
      'Pays 1 of "xp" for every 7 days of the streak, and then nothing for 90 minutes.',
      'Pays 5 of "xp" for a new user, of users with "plan" "pro"; inactive: it pays nothing.',
      'Takes 1 of "xp" for every 1 of "pages"; who has fewer is refused the event.',
      'Pays 1 of "xp" every 4 hours.',
    ])
    expect(sentences.streaks).toEqual({
      streak:
        'Goes on with every day that has anything above 0 of "words" or 5 of "pages"; for missed ones a user begins with 1 freeze and keeps at most 3.',
      gym: 'Goes on with every week that has anything above 0 of "pages"; a missed week ends it.',
      both: 'Goes on with every month that has anything above 0 of "words" and anything above 0 of "pages"; it uses the freezes of the streak.',
    })
    expect(sentences.leaderboards).toEqual({
      weekly: 'Ranks the first 100 users by what they add to "words" in each run of 7 days, from 2026-01-05 on.',
      xp: 'Ranks all users by what they get of "xp" in each month, from 2026-01-01 to 2026-12-31, every day from 09:00 until 17:30, in groups by "plan"; private: clients do not see it.',
      streaks: 'Ranks the first 1 user by the length of the streak "gym", from 2026-01-01 on.',
    })
  })
})
