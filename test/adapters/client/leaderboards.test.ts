import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { instant, onEachServer, refusalOf, type Session } from './official-client.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['city', 'plan'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    top: {
      name: 'Top',
      description: 'Of the week.',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-03-02',
      startTime: '09:00',
      run: { unit: 'day', interval: 7 },
      maxParticipants: 3,
    },
    cities: {
      name: 'Cities',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-01',
      end: '2026-12-31',
      breakdown: ['city'],
      maxParticipants: null,
    },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-04-01', private: true },
  },
}

const TOP = {
  id: UUID_5,
  key: 'top',
  name: 'Top',
  description: 'Of the week.',
  rankBy: 'metric',
  runUnit: 'day',
  runInterval: 7,
  maxParticipants: 3,
  metricName: 'Words written',
  metricKey: 'words',
  start: '2026-03-09',
  end: '2026-03-15',
  startTime: '09:00',
  endTime: null,
  status: 'active',
  breakdownAttributes: [],
}

const CITIES = {
  id: UUID_5,
  key: 'cities',
  name: 'Cities',
  rankBy: 'points',
  maxParticipants: 2147483647,
  breakdownAttribute: 'city',
  breakdownAttributes: ['city'],
  pointsSystemName: 'XP',
  pointsSystemKey: 'xp',
  start: '2026-01-01',
  end: '2026-12-31',
  startTime: null,
  endTime: null,
  status: 'active',
}

const write = ({ client }: Session, id: string, value: number, user: object = {}) =>
  client.metrics.event('words', { user: { id, ...user }, value })

onEachServer('leaderboards', (start) => {
  test('all: every one, with its status', async () => {
    const { client } = await start(game)
    expect(await client.leaderboards.all()).toEqual([
      TOP,
      CITIES,
      {
        id: UUID_5,
        key: 'streaks',
        name: 'Streaks',
        rankBy: 'streak',
        maxParticipants: 1000,
        breakdownAttributes: [],
        start: '2026-04-01',
        startTime: null,
        endTime: null,
        status: 'scheduled',
      },
    ])
    const without = await start({ metrics: { words: { name: 'Words written' } } })
    expect(await without.client.leaderboards.all()).toEqual([])
  })

  test('get: the rankings of a run, a page of them, and those around a user', async () => {
    const session = await start(game)
    const { client, engine } = session
    await write(session, 'ann', 30, { name: 'Ann' })
    await write(session, 'bob', 40)
    await write(session, 'cid', 5)
    await write(session, 'dan', 4)
    expect(await client.leaderboards.get('top')).toEqual({
      ...TOP,
      status: 'active',
      rankings: [
        { userId: 'bob', rank: 1, value: 40 },
        { userId: 'ann', userName: 'Ann', rank: 2, value: 30 },
        { userId: 'cid', rank: 3, value: 5 },
      ],
    })
    const usersOf = async (request: TrophyApi.LeaderboardsGetRequest) =>
      (await client.leaderboards.get('top', request)).rankings.map(({ userId }) => userId)
    expect(await usersOf({ offset: 1, limit: 1 })).toEqual(['ann'])
    expect(await usersOf({ userId: 'ann', offset: -1, limit: 3 })).toEqual(['bob', 'ann', 'cid'])
    expect(await usersOf({ userId: 'dan' })).toEqual([])
    engine.at('2026-03-20T12:00:00.000Z')
    expect(await usersOf({})).toEqual([])
    expect(await usersOf({ run: '2026-03-15' })).toEqual(['bob', 'ann', 'cid'])
  })

  test('get: one group', async () => {
    const session = await start(game)
    await write(session, 'ann', 30, { attributes: { city: 'London' } })
    await write(session, 'bob', 40, { attributes: { city: 'Paris' } })
    const { client } = session
    const ofLondon = await client.leaderboards.get('cities', { userAttributes: 'city:London' })
    expect(ofLondon).toEqual({ ...CITIES, rankings: [{ userId: 'ann', rank: 1, value: 3 }] })
    expect((await client.leaderboards.get('cities', { userId: 'bob' })).rankings).toEqual([
      { userId: 'bob', rank: 1, value: 4 },
    ])
  })

  test('get: what is wrong, or not there', async () => {
    const { client } = await start(game)
    const invalid = { type: TrophyApi.UnprocessableEntityError, status: 422, code: 'invalid_request' }
    for (const request of [{ offset: -1 }, { limit: -1 }, { limit: 1001 }, { limit: 1.5 }, { run: '2026-03-01' }]) {
      expect(await refusalOf(client.leaderboards.get('top', request))).toEqual(invalid)
    }
    expect(await refusalOf(client.leaderboards.get('cities'))).toEqual(invalid)
    expect(await refusalOf(client.leaderboards.get('top', { userAttributes: 'city:London' }))).toEqual(invalid)
    expect(await refusalOf(client.leaderboards.get('nothing'))).toEqual({
      type: TrophyApi.NotFoundError,
      status: 404,
      code: 'unknown_leaderboard',
    })
  })

  test('with an application key: all but private ones', async () => {
    const session = await start(game)
    await write(session, 'ann', 30)
    await write(session, 'bob', 40)
    const client = session.withKey(await session.server.applicationKey('ann'))
    expect((await client.leaderboards.all()).map(({ key }) => key)).toEqual(['top', 'cities'])
    expect((await client.leaderboards.get('top')).rankings).toHaveLength(2)
    expect((await client.leaderboards.get('top', { userId: 'ann' })).rankings).toHaveLength(1)
    expect(await refusalOf(client.leaderboards.get('top', { userId: 'bob' }))).toMatchObject({ status: 403 })
    expect(await refusalOf(client.leaderboards.get('streaks'))).toMatchObject({ status: 403, code: 'forbidden' })
  })
})

onEachServer('users.leaderboard', (start) => {
  test('has rank, value and history', async () => {
    const session = await start(game)
    const { client, engine } = session
    await write(session, 'bob', 40)
    await write(session, 'ann', 30)
    engine.at('2026-03-11T09:30:00.250Z')
    await write(session, 'ann', 20)
    expect(await client.users.leaderboard('ann', 'top')).toEqual({
      ...TOP,
      rank: 1,
      value: 50,
      history: [
        { date: '2026-03-10', timestamp: instant('2026-03-10T12:00:00.000Z'), value: 30 },
        { date: '2026-03-11', timestamp: instant('2026-03-11T09:30:00.250Z'), rank: 1, previousValue: 30, value: 50 },
      ],
    })
    expect((await client.users.leaderboard('ann', 'top', { numEvents: 1 })).history).toHaveLength(1)
    expect(await client.users.leaderboard('ann', 'top', { run: '2026-03-08' })).toEqual({
      ...TOP,
      start: '2026-03-02',
      end: '2026-03-08',
      history: [],
    })
  })

  test('what is wrong, or not there', async () => {
    const session = await start(game)
    const { client } = session
    const notFound = { type: TrophyApi.NotFoundError, status: 404 }
    expect(await refusalOf(client.users.leaderboard('ann', 'top'))).toEqual({ ...notFound, code: 'unknown_user' })
    await write(session, 'ann', 1)
    const unknown = await refusalOf(client.users.leaderboard('ann', 'nothing'))
    expect(unknown).toEqual({ ...notFound, code: 'unknown_leaderboard' })
    const invalid = { type: TrophyApi.UnprocessableEntityError, status: 422, code: 'invalid_request' }
    for (const request of [{ numEvents: -1 }, { numEvents: 401 }, { run: 'today' }, { run: '2026-03-01' }]) {
      expect(await refusalOf(client.users.leaderboard('ann', 'top', request))).toEqual(invalid)
    }
  })
})

onEachServer('the leaderboards of an event', (start) => {
  test('are those on which the value changed', async () => {
    const { streaks: _, ...leaderboardsOfWords } = game.leaderboards ?? {}
    const session = await start({ ...game, leaderboards: leaderboardsOfWords })
    await write(session, 'bob', 40)
    const { leaderboards } = await write(session, 'ann', 50)
    expect(Object.keys(leaderboards)).toEqual(['top', 'cities'])
    expect(leaderboards.top).toEqual({ ...TOP, rank: 1, threshold: 0 })
    const again = await write(session, 'bob', 1)
    expect(Object.keys(again.leaderboards)).toEqual(['top'])
    expect(again.leaderboards.top).toMatchObject({ rank: 2, previousRank: 2 })
  })
})
