// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition, LeaderboardWithRankings } from '../../src/index.ts'
import { codeOf, type Engine, onEachStorage, UUID_5, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['country', 'plan'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    'all-time': { name: 'All time', rankBy: 'metric', metric: 'words', start: '2026-01-01', end: '2026-12-31' },
    weekly: {
      name: 'This week',
      description: 'From Monday on.',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
      breakdown: ['country'],
      maxParticipants: null,
    },
    streaks: {
      name: 'Streaks',
      rankBy: 'streak',
      start: '2026-01-01',
      maxParticipants: 50,
      breakdown: ['country', 'plan'],
      private: true,
    },
  },
}

/** A board by words from `start` on, with what else is given. */
const board = (start: string, rest: object = {}): GameDefinition => ({
  metrics: { words: { name: 'Words written' } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start, ...rest } },
})

const write = (engine: Engine, id: string, value: number, user: object = {}) =>
  engine.metrics.event('words', { user: { id, ...user }, value })

const ranked = ({ rankings }: Pick<LeaderboardWithRankings, 'rankings'>) =>
  rankings.map(({ userId, rank, value }) => [rank, userId, value])

const datesOf = ({ start, end }: { start: string; end: string | null }) => [start, end]

/** The message that a call is refused with. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/** Every field of the first. */
const ALL_TIME = {
  id: UUID_5,
  key: 'all-time',
  name: 'All time',
  description: null,
  rankBy: 'metric',
  runUnit: null,
  runInterval: null,
  maxParticipants: 1000,
  breakdownAttribute: null,
  breakdownAttributes: [],
  metricName: 'Words written',
  metricKey: 'words',
  pointsSystemName: null,
  pointsSystemKey: null,
  start: '2026-01-01',
  end: '2026-12-31',
  startTime: null,
  endTime: null,
  status: 'active',
}

onEachStorage('leaderboards.all', (open) => {
  test('has every leaderboard in the order of the game, with every field', async () => {
    const engine = await open(game)
    expect(await engine.leaderboards.all()).toEqual([
      ALL_TIME,
      {
        id: UUID_5,
        key: 'weekly',
        name: 'This week',
        description: 'From Monday on.',
        rankBy: 'points',
        runUnit: 'day',
        runInterval: 7,
        maxParticipants: 2147483647,
        breakdownAttribute: 'country',
        breakdownAttributes: ['country'],
        metricName: null,
        metricKey: null,
        pointsSystemName: 'XP',
        pointsSystemKey: 'xp',
        start: '2026-03-09',
        end: '2026-03-15',
        startTime: null,
        endTime: null,
        status: 'active',
      },
      expect.objectContaining({
        ...{ key: 'streaks', rankBy: 'streak', metricKey: null, pointsSystemKey: null, end: null, runUnit: null },
        ...{ maxParticipants: 50, breakdownAttribute: null, breakdownAttributes: ['country', 'plan'] },
      }),
    ])
  })

  test('has a status by the date in UTC', async () => {
    const engine = await open(board('2026-03-10', { end: '2026-03-12' }))
    const statusAt = async (instant: string) => {
      engine.at(instant)
      return (await engine.leaderboards.all({ includeFinished: true })).map(({ status }) => status)
    }
    expect(await statusAt('2026-03-09T23:59:59.999Z')).toEqual(['scheduled'])
    expect(await statusAt('2026-03-10T00:00:00.000Z')).toEqual(['active'])
    expect(await statusAt('2026-03-12T23:59:59.999Z')).toEqual(['active'])
    expect(await statusAt('2026-03-13T00:00:00.000Z')).toEqual(['finished'])
  })

  test('leaves finished ones out, unless includeFinished', async () => {
    const words = { name: 'Words', rankBy: 'metric', metric: 'words' } as const
    const engine = await open({
      metrics: { words: { name: 'Words written' } },
      leaderboards: {
        past: { ...words, start: '2026-01-01', end: '2026-03-09' },
        last: { ...words, start: '2026-01-01', end: '2026-03-10' },
        next: { ...words, start: '2026-03-11' },
      },
    })
    const keysOf = async (request?: { includeFinished: boolean }) =>
      (await engine.leaderboards.all(request)).map(({ key }) => key)
    expect(await keysOf()).toEqual(['last', 'next'])
    expect(await keysOf({ includeFinished: false })).toEqual(['last', 'next'])
    expect(await keysOf({ includeFinished: true })).toEqual(['past', 'last', 'next'])
    expect((await engine.leaderboards.get('past')).status).toBe('finished')
    engine.at('2026-03-11T00:00:00.000Z')
    expect(await keysOf()).toEqual(['next'])
  })

  test.each(['yes', '', 1, null])('422: includeFinished %j', async (includeFinished) => {
    const engine = await open(board('2026-01-01'))
    await expect(engine.leaderboards.all(untyped({ includeFinished }))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'includeFinished' }],
    })
  })

  test('has the window of every day, one of its times or both', async () => {
    const words = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-03-01' } as const
    const engine = await open({
      metrics: { words: { name: 'Words written' } },
      leaderboards: {
        day: { ...words, startTime: '09:00', endTime: '18:30' },
        late: { ...words, startTime: '22:00' },
        early: { ...words, endTime: '06:00' },
      },
    })
    const windows = (await engine.leaderboards.all()).map(({ startTime, endTime }) => [startTime, endTime])
    expect(windows).toEqual([
      ['09:00', '18:30'],
      ['22:00', null],
      [null, '06:00'],
    ])
  })
})

onEachStorage('leaderboards.get: the order', (open) => {
  test('has every field, and the best first', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 30, { name: 'Ann' })
    await write(engine, 'bob', 40)
    expect(await engine.leaderboards.get('all-time')).toEqual({
      ...ALL_TIME,
      participants: 2,
      rankings: [
        { userId: 'bob', userName: null, rank: 1, value: 40 },
        { userId: 'ann', userName: 'Ann', rank: 2, value: 30 },
      ],
    })
  })

  test('of equal values: who reached it first, then user ids by code point', async () => {
    const engine = await open(board('2026-03-01'))
    await write(engine, 'zoe', 5)
    engine.at('2026-03-10T12:00:00.001Z')
    // U+1F600 comes after U+FF41, though its UTF-16 units come before.
    for (const id of ['\u{1f600}', '\uff41', 'b', 'B', 'é']) await write(engine, id, 5)
    await write(engine, 'neg', -5)
    await write(engine, 'nil', 0)
    expect(ranked(await engine.leaderboards.get('top'))).toEqual([
      [1, 'zoe', 5],
      [2, 'B', 5],
      [3, 'b', 5],
      [4, 'é', 5],
      [5, '\uff41', 5],
      [6, '\u{1f600}', 5],
      [7, 'nil', 0],
      [8, 'neg', -5],
    ])
  })
})

onEachStorage('leaderboards.get: runs', (open) => {
  test('before the start it is the first run, after the end the last, cut short by the end', async () => {
    const engine = await open(board('2026-03-12', { end: '2026-03-20', run: { unit: 'day', interval: 7 } }))
    const before = await engine.leaderboards.get('top')
    expect([before.status, datesOf(before), ranked(before)]).toEqual(['scheduled', ['2026-03-12', '2026-03-18'], []])
    engine.at('2026-03-19T12:00:00.000Z')
    await write(engine, 'ann', 3)
    engine.at('2026-03-21T00:00:00.000Z')
    await write(engine, 'ann', 3)
    const after = await engine.leaderboards.get('top')
    expect([after.status, datesOf(after)]).toEqual(['finished', ['2026-03-19', '2026-03-20']])
    expect(ranked(after)).toEqual([[1, 'ann', 3]])
    expect(ranked(await engine.leaderboards.get('top', { run: '2026-03-12' }))).toEqual([])
  })

  test('422: a date outside the leaderboard, which names its dates', async () => {
    const engine = await open({
      ...board('2026-03-12', { end: '2026-03-20', run: { unit: 'day', interval: 7 } }),
      streak: { frequency: 'daily', metrics: { words: {} } },
    })
    const run = '2026-03-21'
    expect(await codeOf(engine.leaderboards.get('top', { run }))).toBe('invalid_request')
    expect(await refusalOf(engine.leaderboards.get('top', { run }))).toBe(
      'There is no run on 2026-03-21: the leaderboard "top" lasts from 2026-03-12 to 2026-03-20.',
    )
    expect(await codeOf(engine.leaderboards.get('top', { run: '2026-03-20' }))).toBe('accepted')
    const endless = await engine.redefine(board('2026-03-12'))
    expect(await refusalOf(endless.leaderboards.get('top', { run: '2026-03-11' }))).toBe(
      'There is no run on 2026-03-11: the leaderboard "top" starts on 2026-03-12.',
    )
  })

  test.each(['', '2026-02-30', '2026-3-12', '2026-03-12T00:00:00Z', 20260312, null])('422: the run %j', async (run) => {
    const engine = await open(board('2026-01-01'))
    await expect(engine.leaderboards.get('top', { run: untyped(run) })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'run' }],
    })
  })
})

onEachStorage('leaderboards.get: refusals', (open) => {
  test('404: an unknown leaderboard, with those that there are', async () => {
    const engine = await open(game)
    for (const key of ['nothing', 'Weekly', '__proto__', 'toString']) {
      expect(await codeOf(engine.leaderboards.get(key))).toBe('unknown_leaderboard')
    }
    expect(await refusalOf(engine.leaderboards.get('nothing'))).toBe(
      'Unknown leaderboard "nothing": the game has "all-time", "weekly", "streaks".',
    )
    const without = await open({ metrics: { words: { name: 'Words written' } } })
    expect(await refusalOf(without.leaderboards.get('top'))).toBe('Unknown leaderboard "top": the game has none.')
  })

  test('404: a private one for those who may not see it, and it is not named', async () => {
    const engine = await open(game)
    const request = { includePrivate: false, userAttributes: 'country:DE,plan:pro' }
    expect(await refusalOf(engine.leaderboards.get('streaks', request))).toBe(
      'Unknown leaderboard "streaks": the game has "all-time", "weekly".',
    )
    const { key } = await engine.leaderboards.get('streaks', { ...request, includePrivate: true })
    expect(key).toBe('streaks')
  })

  test.each([
    ['offset', -1],
    ['offset', 0.5],
    ['offset', '1'],
    ['offset', 2147483648],
    ['limit', -1],
    ['limit', 2.5],
    ['limit', 1001],
    ['userId', ''],
    ['userId', 7],
    ['among', 'ann'],
    ['among', ['ann', '']],
    ['among', Array.from({ length: 1001 }, (_, index) => `user-${index}`)],
    ['includePrivate', 'yes'],
  ])('422: %s %j', async (name, value) => {
    const engine = await open(board('2026-01-01'))
    const path = name === 'among' && Array.isArray(value) && value.length === 2 ? 'among[1]' : name
    await expect(engine.leaderboards.get('top', untyped({ [name]: value }))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path }],
    })
  })
})
