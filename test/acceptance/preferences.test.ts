import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage, untyped } from '../support/engine.ts'

/** The answer about a user who chose nothing in a game without defaults. */
const UNCHOSEN = { leaderboards: 'shown', gamification: 'on' }

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, runs: { name: 'Runs' } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}
const customized: GameDefinition = {
  ...game,
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } }, customization: true },
}

onEachStorage('2.8 notifications', (open) => {
  test('are there and empty, and streak is absent, where nothing was set', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: {} })
    expect(await engine.users.updatePreferences('ann', {})).toEqual({ ...UNCHOSEN, notifications: {} })
  })

  test('have the four types achievement_completed, recap, reactivation and streak_reminder, with email and push', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const expected = {
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: ['email'],
        reactivation: ['push'],
        streak_reminder: ['push', 'email'],
      },
    }
    const answer = await engine.users.updatePreferences('ann', {
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: ['email'],
        reactivation: ['push'],
        streak_reminder: ['push', 'email'],
      },
    })
    expect(answer).toEqual({ ...UNCHOSEN, ...expected })
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, ...expected })
  })

  test('an update replaces each type that it names and leaves the others', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', {
      notifications: { recap: ['email', 'push'], reactivation: ['email'] },
    })
    const answer = await engine.users.updatePreferences('ann', {
      notifications: { recap: ['push'], streak_reminder: ['email'] },
    })
    expect(answer).toEqual({
      ...UNCHOSEN,
      notifications: { recap: ['push'], reactivation: ['email'], streak_reminder: ['email'] },
    })
  })

  test('an empty array disables a type and is kept', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', { notifications: { recap: ['email'] } })
    expect(await engine.users.updatePreferences('ann', { notifications: { recap: [] } })).toEqual({
      ...UNCHOSEN,
      notifications: { recap: [] },
    })
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: { recap: [] } })
  })

  test('null clears a type: it is not set any more', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', { notifications: { recap: [], reactivation: ['email'] } })
    expect(await engine.users.updatePreferences('ann', { notifications: { recap: null } })).toEqual({
      ...UNCHOSEN,
      notifications: { reactivation: ['email'] },
    })
    expect(await engine.users.getPreferences('ann')).toEqual({
      ...UNCHOSEN,
      notifications: { reactivation: ['email'] },
    })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('duplicates are dropped', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const notifications = { recap: ['push', 'email', 'push', 'email'] } as const
    expect(await engine.users.updatePreferences('ann', { notifications })).toEqual({
      ...UNCHOSEN,
      notifications: { recap: ['push', 'email'] },
    })
  })

  test.each([
    ['an unknown type', { newsletter: ['email'] }],
    ['an unknown channel', { recap: ['sms'] }],
    ['a channel that is not in a list', { recap: 'email' }],
    ['a channel of another type', { recap: [1] }],
    ['a list', ['recap']],
    ['a string', 'recap'],
    ['null', null],
  ])('%s is refused, and nothing is written', async (_, notifications) => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', { notifications: { recap: ['push'] } })
    expect(await codeOf(engine.users.updatePreferences('ann', untyped({ notifications })))).toBe('invalid_request')
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: { recap: ['push'] } })
  })
})

onEachStorage('2.8 streak', (open) => {
  test('null clears everything that the user chose, and the streak is that of the game again', async () => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', {
      notifications: { recap: ['push'] },
      streak: { enabled: false, evaluationMode: 'AND', metrics: [{ key: 'runs', threshold: 5 }] },
    })
    expect(await engine.users.updatePreferences('ann', { streak: null })).toEqual({
      ...UNCHOSEN,
      notifications: { recap: ['push'] },
    })
    expect((await add(engine, 'words', 1)).currentStreak.length).toBe(1)
    expect(await engine.users.updatePreferences('ann', { streak: null })).toEqual({
      ...UNCHOSEN,
      notifications: { recap: ['push'] },
    })
    const { entries } = await engine.users.events('ann')
    expect(entries.map(({ kind, streak }) => [kind, streak])).toEqual([
      ['preferencesChanged', null],
      ['eventRecorded', undefined],
      ['preferencesChanged', null],
      ['preferencesChanged', { enabled: false, evaluationMode: 'AND', metrics: { runs: 5 } }],
      ['userUpserted', undefined],
    ])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('null gives back the days of the game from the next date on', async () => {
    const engine = await open(customized)
    engine.at('2026-03-10T12:00:00.000Z')
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', { streak: { on: ['sat', 'sun'] } })
    engine.at('2026-03-11T12:00:00.000Z')
    expect(await engine.users.updatePreferences('ann', { streak: null })).toEqual({ ...UNCHOSEN, notifications: {} })
    await engine.users.updatePreferences('ann', { streak: null })
    engine.at('2026-03-13T12:00:00.000Z')
    const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 3 })
    expect(streakHistory.map(({ periodStart, neutral }) => [periodStart, neutral ?? false])).toEqual([
      ['2026-03-11', true],
      ['2026-03-12', false],
      ['2026-03-13', false],
    ])
  })

  test.each([
    ['a threshold', { metrics: [{ key: 'words', threshold: null }] }, 'metrics[0].threshold: must be a finite number'],
    ['enabled', { enabled: null }, 'enabled: must be true or false'],
    ['evaluationMode', { evaluationMode: null }, 'evaluationMode: must be one of "OR", "AND", "ALL"'],
    ['metrics', { metrics: null }, 'metrics: must be a list of objects with key'],
    ['on', { on: null }, 'on: must be a list'],
  ])('%s of null is refused, and nothing is written', async (_, streak, message) => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    const chosen = { evaluationMode: 'OR', metrics: [{ key: 'words', threshold: 7 }] } as const
    await engine.users.updatePreferences('ann', { streak: chosen })
    await expect(engine.users.updatePreferences('ann', untyped({ streak }))).rejects.toMatchObject({
      code: 'invalid_request',
      message: `Invalid preferences: streak.${message}, not null`,
    })
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: {}, streak: chosen })
  })

  test('has evaluationMode and metrics with key and threshold, and appears when set', async () => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] } as const
    const expected = { notifications: {}, streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] } }
    expect(await engine.users.updatePreferences('ann', { streak })).toEqual({ ...UNCHOSEN, ...expected })
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, ...expected })
    const answer = await engine.users.updatePreferences('ann', { notifications: { recap: ['email'] } })
    expect(answer).toEqual({ ...UNCHOSEN, ...expected, notifications: { recap: ['email'] } })
  })

  test.each([
    ['OR', 'OR'],
    ['AND', 'AND'],
    ['ALL', 'AND'],
  ] as const)('evaluationMode %s is accepted and reads %s', async (evaluationMode, expected) => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    const metrics = [
      { key: 'words', threshold: 10 },
      { key: 'runs', threshold: 1 },
    ]
    const { streak } = await engine.users.updatePreferences('ann', { streak: { evaluationMode, metrics } })
    expect(streak).toEqual({
      evaluationMode: expected,
      metrics: [
        { key: 'words', threshold: 10 },
        { key: 'runs', threshold: 1 },
      ],
    })
  })

  test("counts the user's own metrics and thresholds, and nobody else's", async () => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', {
      streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] },
    })
    expect((await add(engine, 'words', 50)).currentStreak).toMatchObject({ length: 0, extended: false })
    expect((await add(engine, 'runs', 1)).currentStreak).toMatchObject({ length: 0, extended: false })
    expect((await add(engine, 'runs', 1)).currentStreak).toMatchObject({ length: 1, extended: true })
    const bob = await engine.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    expect(bob.currentStreak).toMatchObject({ length: 1, extended: true })
  })

  test('an unknown metric key is refused, and nothing is written', async () => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'swims', threshold: 1 }] } as const
    const update = { notifications: { recap: ['email'] }, streak } as const
    expect(await codeOf(engine.users.updatePreferences('ann', update))).toBe('unknown_metric')
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: {} })
  })

  test.each([
    [
      'a metric twice',
      {
        evaluationMode: 'OR',
        metrics: [
          { key: 'runs', threshold: 1 },
          { key: 'runs', threshold: 2 },
        ],
      },
    ],
    ['an unknown evaluation mode', { evaluationMode: 'XOR', metrics: [{ key: 'runs', threshold: 1 }] }],
    ['a threshold that is a string', { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: '1' }] }],
    ['metrics that are an object', { evaluationMode: 'OR', metrics: { runs: 1 } }],
    ['a metric without key', { evaluationMode: 'OR', metrics: [{ threshold: 1 }] }],
  ])('%s is refused, and nothing is written', async (_, streak) => {
    const engine = await open(customized)
    await engine.users.create({ id: 'ann' })
    const update = untyped<object>({ notifications: { recap: ['email'] }, streak })
    expect(await codeOf(engine.users.updatePreferences('ann', update))).toBe('invalid_request')
    expect(await engine.users.getPreferences('ann')).toEqual({ ...UNCHOSEN, notifications: {} })
  })

  test('403: is refused in a game without a streak', async () => {
    const engine = await open({ metrics: { words: { name: 'Words written' } } })
    await engine.users.create({ id: 'ann' })
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'words', threshold: 2 }] } as const
    expect(await codeOf(engine.users.updatePreferences('ann', { streak }))).toBe('streak_customization_disabled')
  })

  test('of an unknown user is refused where customization is on', async () => {
    const engine = await open(customized)
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] } as const
    expect(await codeOf(engine.users.updatePreferences('ann', { streak }))).toBe('unknown_user')
  })
})
