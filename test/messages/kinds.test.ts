import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage, MessageType } from '../../src/index.ts'
import { add, type Engine, NOON, onEachStorage, UUID_5 } from '../support/engine.ts'

// Each of the kinds that the hosted service's webhooks have, with what it says.

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 } },
  streak: {
    frequency: 'daily',
    metrics: { words: {} },
    freezes: { initial: 1, max: 2, autoEarn: { interval: 2 } },
    reminders: [{ key: 'evening', before: { hours: 4 } }],
  },
  emails: { recap: 'weekly', reactivation: [3], achievements: true },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }],
      levels: { one: { name: 'One', points: 10 } },
      boosts: { double: { name: 'Double', start: '2026-03-12', end: '2026-03-12', multiplier: 2 } },
    },
  },
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-03-01', run: { unit: 'day', interval: 1 } },
  },
}

type Handed = Pick<GamificationMessage, 'type' | 'at' | 'userId' | 'data'>

function byTypeAndUser(left: Handed, right: Handed): number {
  return `${left.type} ${left.userId}` < `${right.type} ${right.userId}` ? -1 : 1
}

async function listen(engine: Engine, types: readonly MessageType[]): Promise<Handed[]> {
  const handed: Handed[] = []
  await engine.subscribe('all', { types }, (messages) => {
    handed.push(...messages.map(({ type, at, userId, data }) => ({ type, at, userId, data })))
  })
  return handed
}

const ANN = {
  id: 'ann',
  email: null,
  name: null,
  tz: 'Europe/Berlin',
  deviceTokens: null,
  subscribedToEmails: false,
  subscribeToEmails: false,
  attributes: {},
  control: false,
  signUpDate: null,
  created: NOON,
  updated: NOON,
}
const STREAK = { frequency: 'daily', maxFreezes: 2, freezeAutoEarnInterval: 2, freezeAutoEarnAmount: 1 }
const WRITER = {
  id: UUID_5,
  key: 'writer',
  trigger: 'metric',
  name: 'Writer',
  description: null,
  badgeUrl: null,
  userAttributes: [],
  metricId: UUID_5,
  metricName: 'Words',
  metricValue: 100,
  eventAttributes: [],
  achievedAt: NOON,
}
const XP = { id: UUID_5, key: 'xp', name: 'XP', description: null, badgeUrl: null, maxPoints: null }
const ONE = { id: UUID_5, key: 'one', name: 'One', description: '', badgeUrl: null, points: 10 }
const BOARD = {
  id: UUID_5,
  key: 'all',
  name: 'All',
  description: null,
  status: 'active',
  rankBy: 'metric',
  runUnit: 'day',
  runInterval: 1,
  maxParticipants: 1_000,
  breakdownAttribute: null,
  breakdownAttributes: [],
  metricName: 'Words',
  metricKey: 'words',
  pointsSystemName: null,
  pointsSystemKey: null,
  startTime: null,
  endTime: null,
}
const BOOST = {
  id: UUID_5,
  name: 'Double',
  userId: null,
  pointsSystemId: UUID_5,
  pointsSystemKey: 'xp',
  pointsSystemName: 'XP',
  start: '2026-03-12',
  end: '2026-03-12',
  multiplier: 2,
  rounding: 'down',
}

/** Ann of Berlin, at one in the afternoon there. */
const annWrites = (engine: Engine, value: number) =>
  add(engine, 'words', value, { user: { id: 'ann', tz: 'Europe/Berlin' } })

const message = (type: MessageType, at: string, userId: string | null, data: object) => ({ type, at, userId, data })

onEachStorage('Messages of each kind', (open) => {
  test('of an event', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, [
      'user.created',
      'achievement.completed',
      'streak.started',
      'points.level_changed',
      'points.changed',
    ])
    await annWrites(engine, 120)
    engine.at('2026-03-10T12:15:00.000Z')
    await engine.workOnce()
    const of = (type: MessageType, data: object) => message(type, NOON, 'ann', data)
    expect(handed).toEqual([
      of('user.created', { user: ANN }),
      of('achievement.completed', { user: ANN, achievement: WRITER }),
      of('points.level_changed', { user: ANN, points: { ...XP, total: 12 }, previousLevel: null, newLevel: ONE }),
      of('streak.started', {
        user: ANN,
        streak: {
          ...STREAK,
          length: 1,
          started: '2026-03-10',
          periodStart: '2026-03-10',
          periodEnd: '2026-03-10',
          expires: '2026-03-11',
          freezes: 1,
        },
      }),
      of('points.changed', {
        user: ANN,
        points: {
          ...XP,
          total: 12,
          added: 12,
          level: ONE,
          awards: [expect.objectContaining({ awarded: 12, total: 12, date: NOON })],
        },
      }),
    ])
  })

  test('of a level: none comes if the points go from one total of the level to one of 16 digits', async () => {
    const triggers = [{ type: 'metric', metric: 'words', threshold: 1, points: 5 }] as const
    const levels = { high: { name: 'High', points: 30 } }
    const engine = await open({ metrics: GAME.metrics, points: { xp: { name: 'XP', triggers, levels } } })
    const handed = await listen(engine, ['points.level_changed', 'points.changed'])
    await annWrites(engine, 6)
    engine.at('2026-03-10T12:15:00.000Z')
    await annWrites(engine, 999_999_999_999_803)
    engine.at('2026-03-10T12:30:00.000Z')
    await engine.workOnce()
    expect(handed.map(({ type, data }) => [type, 'points' in data ? data.points : null])).toMatchObject([
      ['points.level_changed', { total: 30 }],
      ['points.changed', { added: 30, total: 30, level: { key: 'high' } }],
      ['points.changed', { added: 4_999_999_999_999_015, total: 4_999_999_999_999_045 }],
    ])
  })

  test('of a streak that goes on, is frozen and is lost', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, [
      'streak.extended',
      'streak.freeze_earned',
      'streak.freeze_consumed',
      'streak.lost',
    ])
    await annWrites(engine, 1)
    engine.at('2026-03-11T12:00:00.000Z')
    await annWrites(engine, 1)
    engine.at('2026-04-10T12:00:00.000Z')
    await engine.workOnce()
    expect(handed.slice(0, 4)).toEqual([
      message('streak.extended', '2026-03-11T12:00:00.000Z', 'ann', {
        user: ANN,
        streak: expect.objectContaining({ ...STREAK, length: 2, freezes: 1 }),
      }),
      message('streak.freeze_earned', '2026-03-11T23:00:00.000Z', 'ann', { user: ANN, earned: 1, freezes: 2 }),
      message('streak.freeze_consumed', '2026-03-12T23:00:00.000Z', 'ann', { user: ANN, consumed: 1, freezes: 1 }),
      // An achievement that is earned at the same midnight comes after it.
      expect.objectContaining({ type: 'streak.freeze_consumed', at: '2026-03-13T23:00:00.000Z' }),
    ])
    expect(handed.filter(({ type }) => type === 'streak.lost')).toEqual([
      message('streak.lost', '2026-03-15T23:00:00.000Z', 'ann', { user: ANN, length: 2 }),
    ])
  })

  test('of freezes: one for two dates that begin at one instant, since the zone left out a date', async () => {
    const freezes = { initial: 0, max: 5, autoEarn: { interval: 1, amount: 1 } }
    const engine = await open({
      metrics: GAME.metrics,
      streak: { frequency: 'daily', metrics: { words: {} }, freezes },
    })
    engine.at('2011-12-29T12:00:00.000Z')
    const handed = await listen(engine, ['streak.freeze_earned'])
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'Pacific/Apia' } })
    engine.at('2011-12-30T12:00:00.000Z')
    await engine.workOnce()
    expect(handed).toMatchObject([{ at: '2011-12-30T10:00:00.000Z', data: { earned: 2, freezes: 2 } }])
  })

  test('of a restore: the streak starts with its length, or goes on with the current period', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words' } },
      streak: { frequency: 'daily', metrics: { words: {} } },
    })
    const handed = await listen(engine, ['streak.started', 'streak.extended'])
    for (const date of ['2026-03-10', '2026-03-11', '2026-03-14']) {
      engine.at(`${date}T12:00:00.000Z`)
      await engine.workOnce()
      if (date === '2026-03-14') await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })
      else await annWrites(engine, 1)
    }
    await engine.workOnce()
    const lengths = handed.map(({ type, data }) => [type, (data as { streak: { length: number } }).streak.length])
    expect(lengths).toEqual([
      ['streak.started', 1],
      ['streak.extended', 2],
      ['streak.started', 2],
    ])
  })

  test('of leaderboards: who moved, the first ten, and runs that begin and end', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, [
      'leaderboard.rank_changed',
      'leaderboard.changed',
      'leaderboard.started',
      'leaderboard.finished',
    ])
    await add(engine, 'words', 5, { user: { id: 'bob', name: 'Bob' } })
    engine.at('2026-03-10T12:15:00.000Z')
    await engine.workOnce()
    handed.splice(0)
    await annWrites(engine, 3)
    await annWrites(engine, 4)
    engine.at('2026-03-10T12:30:00.000Z')
    await engine.workOnce()
    const run = { ...BOARD, start: '2026-03-10', end: '2026-03-10' }
    const rankings = [
      { userId: 'ann', userName: null, rank: 1, value: 7 },
      { userId: 'bob', userName: 'Bob', rank: 2, value: 5 },
    ]
    const at = '2026-03-10T12:15:00.000Z'
    expect(handed.toSorted(byTypeAndUser)).toEqual([
      message('leaderboard.changed', at, null, { leaderboard: { ...run, participants: 2, rankings } }),
      message('leaderboard.rank_changed', at, 'ann', {
        user: expect.objectContaining({ id: 'ann' }),
        leaderboard: { ...run, rank: 1, value: 7, previousRank: null, previousValue: null },
      }),
      message('leaderboard.rank_changed', '2026-03-10T12:30:00.000Z', 'bob', {
        user: expect.objectContaining({ id: 'bob' }),
        leaderboard: { ...run, rank: 2, value: 5, previousRank: 1, previousValue: 5 },
      }),
    ])
    handed.splice(0)
    engine.at('2026-03-11T13:30:00.000Z')
    await engine.workOnce()
    expect(handed[0]).toMatchObject({ type: 'leaderboard.finished', data: { leaderboard: { end: '2026-03-09' } } })
    expect(handed.slice(1)).toEqual([
      message('leaderboard.started', '2026-03-11T10:00:00.000Z', null, {
        leaderboard: { ...BOARD, start: '2026-03-12', end: '2026-03-12', participants: 0, rankings: [] },
      }),
      message('leaderboard.finished', '2026-03-11T13:00:00.000Z', null, {
        leaderboard: { ...run, participants: 2, rankings },
      }),
    ])
  })

  test('of boosts: those of all users, and those of one', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['points.boost_started', 'points.boost_finished'])
    await annWrites(engine, 1)
    await engine.admin.points.boosts.create('xp', [
      { userId: 'ann', name: 'Own', start: '2026-03-11', end: '2026-03-11', multiplier: 3 },
    ])
    engine.at('2026-03-13T14:00:00.000Z')
    await engine.workOnce()
    const own = {
      ...BOOST,
      id: expect.any(String),
      name: 'Own',
      userId: 'ann',
      start: '2026-03-11',
      end: '2026-03-11',
      multiplier: 3,
    }
    const of = (type: MessageType, at: string, userId: string | null, boost: object) =>
      message(type, at, userId, { timestamp: at, boost })
    expect([...handed].sort((left, right) => (left.at < right.at ? -1 : 1))).toEqual([
      of('points.boost_started', '2026-03-10T23:00:00.000Z', 'ann', { ...own, status: 'active' }),
      of('points.boost_started', '2026-03-11T10:00:00.000Z', null, { ...BOOST, status: 'active' }),
      of('points.boost_finished', '2026-03-11T23:00:00.000Z', 'ann', { ...own, status: 'finished' }),
      of('points.boost_finished', '2026-03-13T13:00:00.000Z', null, { ...BOOST, status: 'finished' }),
    ])
  })
})
