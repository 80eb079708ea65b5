import { expect, expectTypeOf, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import {
  type AchievementKey,
  type ApiAchievementKey,
  type DefinedGame,
  defineGame,
  type EventAttribute,
  type LeaderboardKey,
  type MetricKey,
  type PointsKey,
  type StreakKey,
  type UserAttribute,
} from '../../src/game/define-game.ts'
import type { GameDefinition } from '../../src/game/definition.ts'
import type { NoTenants } from '../../src/game/definition-parts.ts'
import { createGamification, type Gamification } from '../../src/gamification.ts'
import { game } from './design-example.ts'

// `npm run types` checks these; running them shows that the same mistakes are found at run time.

type G = typeof game

test('the keys of a game are inferred', () => {
  expectTypeOf<MetricKey<G>>().toEqualTypeOf<'words-written'>()
  expectTypeOf<AchievementKey<G>>().toEqualTypeOf<'novelist' | 'finish-onboarding' | 'week-in-a-row' | 'all-rounder'>()
  expectTypeOf<ApiAchievementKey<G>>().toEqualTypeOf<'finish-onboarding'>()
  expectTypeOf<PointsKey<G>>().toEqualTypeOf<'xp'>()
  expectTypeOf<LeaderboardKey<G>>().toEqualTypeOf<'all-time' | 'weekly'>()
  expectTypeOf<EventAttribute<G>>().toEqualTypeOf<'source'>()
  expectTypeOf<UserAttribute<G>>().toEqualTypeOf<'plan'>()
})

test('what a game does not have has no keys', () => {
  const bare = defineGame({ metrics: { words: { name: 'Words' } } })
  expectTypeOf<MetricKey<typeof bare>>().toEqualTypeOf<'words'>()
  expectTypeOf<AchievementKey<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<ApiAchievementKey<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<PointsKey<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<LeaderboardKey<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<EventAttribute<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<StreakKey<typeof bare>>().toEqualTypeOf<never>()
  expectTypeOf<UserAttribute<typeof bare>>().toEqualTypeOf<never>()
})

test('a limit says what it is, and nothing else', () => {
  defineGame({ metrics: { words: { name: 'Words', limits: [{ value: 5, per: { days: 7 }, then: 'refuse' }] } } })
  const wrong = () => [
    // @ts-expect-error there is no such kind
    defineGame({ metrics: { words: { name: 'Words', limits: [{ value: 5, per: { days: 7 }, then: 'drop' }] } } }),
    // @ts-expect-error a limit has a period
    defineGame({ metrics: { words: { name: 'Words', limits: [{ value: 5, then: 'hold' }] } } }),
  ]
  expect(wrong).toThrow('metrics.words.limits')
})

test('leaderboards are read by their keys, and their groups named by attributes of the game', () => {
  const read = async ({ leaderboards, users }: Gamification<G>): Promise<void> => {
    // @ts-expect-error there is no such leaderboard
    await leaderboards.get('weakly')
    // @ts-expect-error there is no such leaderboard
    await users.leaderboard('ann', 'weakly')
    // @ts-expect-error there is no such user attribute
    await leaderboards.get('weekly', { userAttributes: { source: 'web' } })
    const { rankings } = await leaderboards.get('weekly', { userAttributes: { plan: 'pro' } })
    expectTypeOf(rankings[0]?.rank).toEqualTypeOf<number | undefined>()
  }
  expectTypeOf(read).toBeFunction()
})

test('support names what the game has', () => {
  const correct = async ({ admin }: Gamification<G>): Promise<void> => {
    const because = { userId: 'ann', reason: 'Lost words' }
    await admin.points.adjust('xp', { ...because, points: 5 })
    // @ts-expect-error there is no such points system
    await admin.points.adjust('gold', { ...because, points: 5 })
    await admin.achievements.grant('novelist', because)
    // @ts-expect-error there is no such achievement
    await admin.achievements.grant('novellist', because)
    // @ts-expect-error the log needs a reason
    await admin.achievements.revoke('novelist', { userId: 'ann' })
  }
  expectTypeOf(correct).toBeFunction()
})

test('any game fits where a game is asked for, but not one with other keys', () => {
  expectTypeOf(game).toExtend<DefinedGame>()
  expectTypeOf(game).not.toExtend<DefinedGame<'words'>>()
})

test('a definition that is built at run time has free keys', () => {
  const definition: GameDefinition = {
    metrics: { words: { name: 'Words' } },
    achievements: { start: { name: 'Start', trigger: 'api' } },
  }
  const built = defineGame(definition)
  expectTypeOf<MetricKey<typeof built>>().toEqualTypeOf<string>()
  expectTypeOf<ApiAchievementKey<typeof built>>().toEqualTypeOf<string>()
})

test('a dangling reference does not compile', () => {
  const define = (): unknown =>
    defineGame({
      metrics: { words: { name: 'Words' } },
      eventAttributes: ['source'],
      userAttributes: ['plan'],
      achievements: {
        // @ts-expect-error there is no such metric
        a: { name: 'A', trigger: 'metric', metric: 'wrods', value: 1 },
        // @ts-expect-error there is no such achievement
        b: { name: 'B', trigger: 'achievement', achievements: ['aa'] },
        // @ts-expect-error there is no such user attribute
        c: { name: 'C', trigger: 'api', userAttributes: { source: 'web' } },
        // @ts-expect-error there is no such event attribute
        d: { name: 'D', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { plan: 'pro' } },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            // @ts-expect-error there is no such metric
            { type: 'metric', metric: 'wrods', threshold: 1, points: 1 },
            // @ts-expect-error there is no such achievement
            { type: 'achievement', achievement: 'aa', points: 1 },
            // @ts-expect-error there is no such user attribute
            { type: 'user_creation', points: 1, userAttributes: { source: 'web' } },
          ],
        },
      },
      // @ts-expect-error there is no such metric
      streak: { frequency: 'daily', metrics: { wrods: {} } },
      leaderboards: {
        // @ts-expect-error there is no such metric
        e: { name: 'E', rankBy: 'metric', metric: 'wrods', start: '2026-01-01' },
        // @ts-expect-error there is no such points system
        f: { name: 'F', rankBy: 'points', system: 'gold', start: '2026-01-01' },
        // @ts-expect-error there is no such user attribute
        g: { name: 'G', rankBy: 'streak', start: '2026-01-01', breakdown: ['source'] },
      },
    })
  expect(define).toThrow('The game has 11 mistakes')
})

test('a trigger that pays by time takes nothing that holds back what users do', () => {
  const define = (): unknown =>
    defineGame({
      metrics: { words: { name: 'Words' } },
      points: {
        xp: {
          name: 'XP',
          cap: { points: 10, per: 'week' },
          triggers: [
            { type: 'metric', metric: 'words', threshold: 1, points: 1, cap: { points: 5, per: 'day' }, exempt: true },
            { type: 'time', every: { hours: 6 }, points: -1, key: 'decay' },
            // @ts-expect-error it says neither hours nor days
            { type: 'time', every: {}, points: 1 },
            // @ts-expect-error there is no such period
            { type: 'user_creation', points: 1, cap: { points: 5, per: 'year' } },
          ],
        },
      },
    })
  expect(define).toThrow('The game has 2 mistakes')
})

test('a game without attributes has no filters', () => {
  const define = (): unknown =>
    defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: {
        // @ts-expect-error there are no user attributes
        a: { name: 'A', trigger: 'api', userAttributes: { plan: 'pro' } },
      },
    })
  expect(define).toThrow("unknown user attribute 'plan'; add it to userAttributes")
})

test('properties of another kind, unknown ones and wrong words do not compile', () => {
  const define = (): unknown =>
    defineGame({
      // @ts-expect-error the property is called status
      metrics: { words: { name: 'Words', state: 'active' } },
      streak: { frequency: 'daily', metrics: { words: {} } },
      achievements: {
        // @ts-expect-error a streak achievement has no value
        a: { name: 'A', trigger: 'streak', length: 7, value: 1 },
        // @ts-expect-error an api achievement sees no event
        b: { name: 'B', trigger: 'api', eventAttributes: {} },
        // @ts-expect-error there is no such trigger
        c: { name: 'C', trigger: 'metrc' },
      },
      leaderboards: {
        // @ts-expect-error streak boards have a limit
        d: { name: 'D', rankBy: 'streak', start: '2026-01-01', maxParticipants: null },
      },
    })
  expect(define).toThrow('The game has 5 mistakes')
})

test('a named streak is referred to by its key', async () => {
  const withGym = defineGame({
    metrics: { laps: { name: 'Laps' } },
    streak: { frequency: 'daily', metrics: { laps: {} }, freezes: { max: 1 } },
    streaks: { gym: { frequency: 'weekly', metrics: { laps: {} }, freezes: 'shared' } },
    achievements: { fit: { name: 'Fit', trigger: 'streak', length: 2, streak: 'gym' } },
  })
  expectTypeOf<StreakKey<typeof withGym>>().toEqualTypeOf<'gym'>()
  const metrics = { laps: { name: 'Laps' } }
  const define = () =>
    defineGame({
      metrics,
      // @ts-expect-error the game has no named streaks
      achievements: { fit: { name: 'Fit', trigger: 'streak', length: 2, streak: 'gym' } },
    })
  expect(define).toThrow('streak')
  const read = async ({ users, admin }: Gamification<typeof withGym>): Promise<void> => {
    await users.streak('ann', { streak: 'gym' })
    // @ts-expect-error there is no such streak
    await users.streak('ann', { streak: 'gmy' })
    // @ts-expect-error there is no such streak
    await admin.streaks.restore({ streak: 'gmy', users: [{ id: 'ann' }] })
  }
  expect(read).toBeTypeOf('function')
})

test('a tenant does not compile in a game without tenants', () => {
  const without = defineGame({ metrics: { words: { name: 'Words' } } })
  const off = defineGame({ metrics: { words: { name: 'Words' } }, multiTenant: false })
  const on = defineGame({ metrics: { words: { name: 'Words' } }, multiTenant: true })
  expectTypeOf<Parameters<Gamification<typeof without>['tenant']>[0]>().toEqualTypeOf<NoTenants>()
  expectTypeOf<Parameters<Gamification<typeof off>['tenant']>[0]>().toEqualTypeOf<NoTenants>()
  expectTypeOf<Parameters<Gamification<typeof on>['tenant']>[0]>().toEqualTypeOf<string>()
  expectTypeOf<Parameters<Gamification<DefinedGame>['tenant']>[0]>().toEqualTypeOf<string>()
  const engine = createGamification({ game: without, storage: memory() })
  // @ts-expect-error the game does not keep tenants apart
  expect(() => engine.tenant('acme')).toThrow('The game does not keep tenants apart')
  createGamification({ game: on, storage: memory() }).tenant('acme')
  createGamification({ game: without, storage: memory() }) satisfies Gamification<DefinedGame>
})

test('attributes are checked in a game that is written inline', () => {
  const engine = createGamification({
    game: defineGame({ metrics: { words: { name: 'Words' } }, eventAttributes: ['source'], userAttributes: ['plan'] }),
    storage: memory(),
  })
  const user = { id: 'ann' }
  const calls = (): unknown => [
    engine.metrics.event('words', {
      user: { id: 'ann', attributes: { plan: 'pro' } },
      value: 1,
      attributes: { source: 'a' },
    }),
    // @ts-expect-error there is no such event attribute
    engine.metrics.event('words', { user, value: 1, attributes: { sorce: 'b' } }),
    // @ts-expect-error there is no such user attribute
    engine.users.update('ann', { attributes: { pln: 'x' } }),
    // @ts-expect-error there is no such metric
    engine.metrics.event('wrds', { user, value: 1 }),
  ]
  expect(calls).toBeTypeOf('function')
})

test('attributes do not compile in a game without any', () => {
  const engine = createGamification({ game: defineGame({ metrics: { words: { name: 'Words' } } }), storage: memory() })
  const user = { id: 'ann' }
  const calls = (): unknown => [
    engine.metrics.event('words', { user, value: 1 }),
    // @ts-expect-error the game has no event attributes
    engine.metrics.event('words', { user, value: 1, attributes: { source: 'b' } }),
    // @ts-expect-error the game has no user attributes
    engine.users.create({ id: 'ann', attributes: { plan: 'x' } }),
    // @ts-expect-error the game has no user attributes
    engine.metrics.event('words', { user: { id: 'ann', attributes: { plan: 'x' } }, value: 1 }),
  ]
  expect(calls).toBeTypeOf('function')
})
