import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

const board = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-05' } as const
const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  leaderboards: {
    weekly: { ...board, run: { unit: 'week' } },
    all: board,
    asked: { ...board, consent: true },
    small: { ...board, smallestGroup: 3 },
  },
}

const write = (engine: Engine, user: string, value: number) =>
  add(engine, 'words', value, { user: { id: user, name: user.toUpperCase() } })

const places = async (engine: Engine, key: 'weekly' | 'all' | 'asked' | 'small', request: object = {}) => {
  const { participants, rankings } = await engine.leaderboards.get(key, request)
  return [
    participants,
    ...rankings.map(({ rank, userId, userName, value }) => `${rank} ${userId} ${userName} ${value}`),
  ]
}

/** Ann 30, Bob 20 and Cid 10 in the week of 5 January, and in the next week 3, 2 and 1. */
const writeAll = async (engine: Engine): Promise<void> => {
  engine.at('2026-01-06T12:00:00.000Z')
  for (const [user, value] of [
    ['ann', 30],
    ['bob', 20],
    ['cid', 10],
  ] as const)
    await write(engine, user, value)
  engine.at('2026-01-13T12:00:00.000Z')
  for (const [user, value] of [
    ['ann', 3],
    ['bob', 2],
    ['cid', 1],
  ] as const)
    await write(engine, user, value)
}

onEachStorage('Choices of users', (open) => {
  test('A hidden user is on no leaderboard, finished runs included, and comes back with all scores', async () => {
    const engine = await open(game)
    await writeAll(engine)
    expect(await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })).toEqual({
      notifications: {},
      leaderboards: 'hidden',
      gamification: 'on',
    })
    expect(await places(engine, 'weekly')).toEqual([2, '1 ann ANN 3', '2 cid CID 1'])
    expect(await places(engine, 'weekly', { run: '2026-01-05' })).toEqual([2, '1 ann ANN 30', '2 cid CID 10'])
    expect(await places(engine, 'all', { among: ['bob', 'cid'] })).toEqual([1, '1 cid CID 11'])
    expect(await places(engine, 'all', { userId: 'bob' })).toEqual([2])
    expect(await engine.users.leaderboard('bob', 'all')).toMatchObject({ rank: null, value: null, hidden: true })
    expect(await engine.users.leaderboard('cid', 'all')).toMatchObject({ rank: 2, value: 11, participants: 2 })

    const answer = await write(engine, 'bob', 100)
    expect(answer.leaderboards.all).toMatchObject({ rank: null, previousRank: null, hidden: true })
    await engine.users.updatePreferences('bob', { leaderboards: 'shown' })
    expect(await places(engine, 'weekly')).toEqual([3, '1 bob BOB 102', '2 ann ANN 3', '3 cid CID 1'])
    expect(await places(engine, 'weekly', { run: '2026-01-05' })).toEqual([
      3,
      '1 ann ANN 30',
      '2 bob BOB 20',
      '3 cid CID 10',
    ])
    expect(await engine.users.leaderboard('bob', 'all')).not.toHaveProperty('hidden')
    expect(await engine.verify()).toMatchObject({ drift: [], damaged: [] })
  })

  test('An anonymous user keeps the place, and others see another id on each leaderboard and in each run', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    const rowOf = async (key: 'weekly' | 'all', request: object = {}) =>
      (await engine.leaderboards.get(key, request)).rankings[1]
    const [all, weekly, earlier] = [
      await rowOf('all'),
      await rowOf('weekly'),
      await rowOf('weekly', { run: '2026-01-05' }),
    ]
    expect(all).toEqual({
      userId: expect.stringMatching(/^[\w-]{22}$/),
      userName: null,
      anonymous: true,
      rank: 2,
      value: 22,
    })
    expect(new Set([all?.userId, weekly?.userId, earlier?.userId, 'bob']).size).toBe(4)
    expect(await rowOf('all')).toEqual(all)
    expect(await rowOf('all', { reveal: true })).toEqual({
      userId: 'bob',
      userName: 'BOB',
      anonymous: true,
      rank: 2,
      value: 22,
    })
    expect(await rowOf('all', { viewer: 'bob' })).toEqual({ userId: 'bob', userName: 'BOB', rank: 2, value: 22 })
    expect(await rowOf('all', { viewer: 'ann' })).toEqual(all)
    const around = await engine.leaderboards.get('all', { userId: 'bob', limit: 1 })
    expect(around.rankings).toEqual([{ userId: 'bob', userName: 'BOB', rank: 2, value: 22 }])
    expect(await engine.users.leaderboard('bob', 'all')).toMatchObject({ rank: 2, value: 22 })
  })

  test('A list of some users leaves anonymous ones out, since a list of one would tell whose place it is', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    expect(await places(engine, 'all', { among: ['bob'] })).toEqual([0])
    expect(await places(engine, 'all', { among: ['bob', 'cid'] })).toEqual([1, '1 cid CID 11'])
    expect(await places(engine, 'all', { among: ['bob', 'cid'], viewer: 'cid' })).toEqual([1, '1 cid CID 11'])
    const own = [2, '1 bob BOB 22', '2 cid CID 11']
    expect(await places(engine, 'all', { among: ['bob', 'cid'], viewer: 'bob' })).toEqual(own)
    expect(await places(engine, 'all', { among: ['bob', 'cid'], reveal: true })).toEqual(own)
  })

  test('A leaderboard that asks for consent has only users who chose to be on it', async () => {
    const engine = await open(game)
    await writeAll(engine)
    expect(await places(engine, 'asked')).toEqual([0])
    expect(await engine.users.leaderboard('ann', 'asked')).toMatchObject({ rank: null, hidden: true })
    await engine.users.updatePreferences('ann', { leaderboards: 'shown' })
    expect(await places(engine, 'asked')).toEqual([1, '1 ann ANN 33'])
    await engine.users.updatePreferences('ann', { leaderboards: null })
    expect(await places(engine, 'asked')).toEqual([0])
    expect(await engine.verify()).toMatchObject({ drift: [], damaged: [] })
  })

  test('A group with too few participants answers no places to a viewer', async () => {
    const engine = await open(game)
    await writeAll(engine)
    expect(await places(engine, 'small', { viewer: 'ann', limit: 1 })).toEqual([3, '1 ann ANN 33'])
    await engine.users.updatePreferences('cid', { leaderboards: 'hidden' })
    expect(await places(engine, 'small', { viewer: 'ann' })).toEqual([2])
    expect(await places(engine, 'small', { viewer: 'ann', among: ['ann', 'bob'] })).toEqual([0])
    expect(await places(engine, 'small')).toEqual([2, '1 ann ANN 33', '2 bob BOB 22'])
  })

  test('A suspension and a choice hold beside each other', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })
    await engine.users.suspend('bob')
    await engine.users.updatePreferences('bob', { leaderboards: 'shown' })
    expect(await places(engine, 'all')).toEqual([2, '1 ann ANN 33', '2 cid CID 11'])
    expect(await engine.users.leaderboard('bob', 'all')).not.toHaveProperty('hidden')
    await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })
    await engine.users.restore('bob')
    expect(await places(engine, 'all')).toEqual([2, '1 ann ANN 33', '2 cid CID 11'])
    await engine.users.updatePreferences('bob', { leaderboards: 'shown' })
    expect(await places(engine, 'all')).toEqual([3, '1 ann ANN 33', '2 bob BOB 22', '3 cid CID 11'])
  })

  test('A game that is turned off hides the user, and events go on to count', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { gamification: 'off' })
    expect(await engine.users.get('bob')).toMatchObject({ gamification: 'off' })
    expect(await places(engine, 'all')).toEqual([2, '1 ann ANN 33', '2 cid CID 11'])
    await write(engine, 'bob', 5)
    await engine.users.updatePreferences('bob', { gamification: 'on' })
    expect(await engine.users.get('bob')).not.toHaveProperty('gamification')
    expect(await places(engine, 'all')).toEqual([3, '1 ann ANN 33', '2 bob BOB 27', '3 cid CID 11'])
  })

  test('A game may hide users by default', async () => {
    const engine = await open({ ...game, preferences: { leaderboards: 'hidden' } })
    await writeAll(engine)
    expect(await places(engine, 'all')).toEqual([0])
    expect(await engine.users.getPreferences('ann')).toMatchObject({ leaderboards: 'hidden' })
    await engine.users.updatePreferences('ann', { leaderboards: 'anonymous' })
    expect((await engine.leaderboards.get('all')).rankings).toMatchObject([
      { rank: 1, userName: null, anonymous: true },
    ])
    expect(await engine.verify()).toMatchObject({ drift: [], damaged: [] })
  })

  test('A late event of a hidden user counts when the user is shown again', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })
    await add(engine, 'words', 50, { user: { id: 'bob' }, occurredAt: new Date('2026-01-07T12:00:00.000Z') })
    expect(await places(engine, 'weekly', { run: '2026-01-05' })).toEqual([2, '1 ann ANN 30', '2 cid CID 10'])
    await engine.users.updatePreferences('bob', { leaderboards: null })
    expect(await places(engine, 'weekly', { run: '2026-01-05' })).toEqual([
      3,
      '1 bob BOB 70',
      '2 ann ANN 30',
      '3 cid CID 10',
    ])
    expect(await engine.verify()).toMatchObject({ drift: [], damaged: [] })
  })

  test('The newest choice holds for the user that two users become', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect(await places(engine, 'all')).toEqual([1, '1 cid CID 11'])
    await engine.users.updatePreferences('ann', { leaderboards: 'anonymous' })
    expect(await places(engine, 'all', { userId: 'bob' })).toEqual([2, '1 ann BOB 55', '2 cid CID 11'])
  })

  test('A hidden user is in no ranking of streaks, and an anonymous one has no name there', async () => {
    const engine = await open({ ...game, streak: { frequency: 'daily', metrics: { words: {} } } })
    await writeAll(engine)
    await engine.users.updatePreferences('ann', { leaderboards: 'hidden' })
    await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    expect((await engine.streaks.rankings()).toSorted((left) => (left.anonymous ? -1 : 1))).toEqual([
      { userId: expect.stringMatching(/^[\w-]{22}$/), name: null, anonymous: true, streakLength: 1 },
      { userId: 'cid', name: 'CID', streakLength: 1 },
    ])
  })

  test('A year in review has no ranks while the user is hidden or off, and has them again afterwards', async () => {
    const engine = await open(game)
    await writeAll(engine)
    const year = async () => (await engine.users.wrapped('bob', { year: 2026 })).activity.entireYear
    const shown = await year()
    expect(shown.leaderboards).toMatchObject({ all: { rank: 2, value: 22 }, weekly: { rank: 2, value: 20 } })
    for (const choice of [{ leaderboards: 'hidden' }, { leaderboards: null, gamification: 'off' }] as const) {
      await engine.users.updatePreferences('bob', choice)
      const { leaderboards, ...others } = await year()
      expect(leaderboards).toEqual({})
      expect(others.metrics.words).toMatchObject({ changeThisPeriod: 22 })
    }
    expect((await engine.users.wrapped('cid', { year: 2026 })).activity.entireYear.leaderboards).toMatchObject({
      all: { rank: 2, value: 11 },
    })
    await engine.users.updatePreferences('bob', { gamification: 'on' })
    expect((await year()).leaderboards).toEqual(shown.leaderboards)
  })

  test('The choices are in an export, and hold where it is imported', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('ann', { leaderboards: 'hidden' })
    await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    await engine.users.updatePreferences('cid', { gamification: 'off' })
    const lines: string[] = []
    for await (const line of engine.tenants.export('')) lines.push(line)
    const target = await open(game)
    target.at('2026-01-13T12:00:00.000Z')
    await target.import(lines)
    for (const id of ['ann', 'bob', 'cid']) {
      expect(await target.users.getPreferences(id)).toEqual(await engine.users.getPreferences(id))
    }
    expect((await target.leaderboards.get('all')).rankings).toMatchObject([
      { userName: null, anonymous: true, rank: 1, value: 22 },
    ])
    expect(await target.users.get('cid')).toMatchObject({ gamification: 'off' })
    expect(await target.verify()).toMatchObject({ drift: [], damaged: [] })
  })

  test('A newer default hides users who have chosen nothing, their names at once and their places with the next event', async () => {
    const engine = await open(game)
    await writeAll(engine)
    await engine.users.updatePreferences('ann', { leaderboards: 'shown' })
    const newer = await engine.redefine({ ...game, preferences: { leaderboards: 'hidden' } })
    expect((await newer.leaderboards.get('all')).rankings).toMatchObject([
      { userId: 'ann', userName: 'ANN', rank: 1 },
      { userName: null, anonymous: true, rank: 2, value: 22 },
      { userName: null, anonymous: true, rank: 3, value: 11 },
    ])
    expect(await newer.users.leaderboard('bob', 'all')).toMatchObject({ rank: null, value: null, hidden: true })
    await write(newer, 'bob', 1)
    await write(newer, 'cid', 1)
    expect(await places(newer, 'all')).toEqual([1, '1 ann ANN 33'])
    await newer.users.updatePreferences('bob', { leaderboards: 'shown' })
    expect(await places(newer, 'all')).toEqual([2, '1 ann ANN 33', '2 bob BOB 23'])
    expect(await newer.verify()).toMatchObject({ drift: [], damaged: [] })
  })
})
