// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition, LeaderboardRequest, LeaderboardWithRankings } from '../../src/index.ts'
import { codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'

const game = (rest: object = {}): GameDefinition => ({
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['city', 'plan', 'team'],
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-03-02', ...rest } },
})

const weekly = { run: { unit: 'day', interval: 7 } }

const write = (engine: Engine, id: string, value: number, attributes: Record<string, string> = {}) =>
  engine.metrics.event('words', { user: { id, attributes }, value })

const ranked = ({ rankings }: LeaderboardWithRankings) =>
  rankings.map(({ userId, rank, value }) => [rank, userId, value])

const read = async (engine: Engine, request?: LeaderboardRequest) =>
  ranked(await engine.leaderboards.get('top', request))

/** With the users u01 to u12, u01 first with 112 words, u12 last with 101. */
const withTwelve = async (engine: Engine): Promise<Engine> => {
  for (let place = 1; place <= 12; place += 1) {
    await write(engine, `u${String(place).padStart(2, '0')}`, 113 - place)
  }
  return engine
}

onEachStorage('leaderboards.get: pages', (open) => {
  test('has the first ten, or as many as asked for from the place asked for', async () => {
    const engine = await withTwelve(await open(game()))
    expect((await read(engine)).map(([rank]) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await read(engine, { offset: 10 })).toEqual([
      [11, 'u11', 102],
      [12, 'u12', 101],
    ])
    expect(await read(engine, { limit: 1 })).toEqual([[1, 'u01', 112]])
    expect(await read(engine, { offset: 3, limit: 2 })).toEqual([
      [4, 'u04', 109],
      [5, 'u05', 108],
    ])
    expect(await read(engine, { limit: 1000 })).toHaveLength(12)
    expect(await read(engine, { offset: 12 })).toEqual([])
    expect(await read(engine, { offset: 2147483647, limit: 1000 })).toEqual([])
  })

  test('around a user who has no rank is empty', async () => {
    const engine = await withTwelve(await open(game({ maxParticipants: 11 })))
    await engine.users.create({ id: 'idle' })
    for (const userId of ['idle', 'nobody', 'u12']) expect(await read(engine, { userId })).toEqual([])
    expect(await read(engine, { userId: 'u11' })).toEqual([[11, 'u11', 102]])
    expect(await read(engine, { userId: 'u10', limit: 1000 })).toHaveLength(2)
  })

  test('around a user in an earlier run', async () => {
    const engine = await open(game(weekly))
    engine.at('2026-03-04T12:00:00.000Z')
    await write(engine, 'ann', 1)
    await write(engine, 'bob', 2)
    engine.at('2026-03-10T12:00:00.000Z')
    await write(engine, 'bob', 2)
    expect(await read(engine, { userId: 'ann', run: '2026-03-02' })).toEqual([[2, 'ann', 1]])
    expect(await read(engine, { userId: 'ann' })).toEqual([])
  })
})

onEachStorage('leaderboards.get: groups', (open) => {
  const inCities = async (engine: Engine): Promise<Engine> => {
    await write(engine, 'ann', 5, { city: 'London', plan: 'pro' })
    await write(engine, 'bob', 7, { city: 'London' })
    await write(engine, 'cid', 9, { city: 'Paris', plan: 'pro' })
    await write(engine, 'dan', 3)
    return engine
  }

  test('an empty value stands for an unset one', async () => {
    const engine = await inCities(await open(game({ breakdown: ['city'] })))
    expect(await read(engine, { userAttributes: 'city:' })).toEqual([[1, 'dan', 3]])
    await write(engine, 'eve', 4, { city: '' })
    expect(await read(engine, { userAttributes: { city: '' } })).toEqual([
      [1, 'eve', 4],
      [2, 'dan', 3],
    ])
  })

  test('values may hold what the text form cannot', async () => {
    const engine = await open(game({ breakdown: ['city'] }))
    await write(engine, 'ann', 1, { city: 'Washington, D.C.: north' })
    expect(await read(engine, { userAttributes: { city: 'Washington, D.C.: north' } })).toEqual([[1, 'ann', 1]])
    expect(await codeOf(read(engine, { userAttributes: 'city:Washington, D.C.: north' }))).toBe('unknown_attribute')
  })

  test('422: a leaderboard with groups needs all of its attributes, and only those', async () => {
    const engine = await open(game({ breakdown: ['city', 'plan'] }))
    const messageOf = (request: LeaderboardRequest) =>
      engine.leaderboards.get('top', request).catch((error: Error) => error.message)
    const which = 'The leaderboard "top" has groups by city and plan'
    expect(await messageOf({})).toBe(`${which}: say which by userAttributes (city:…,plan:…), or by userId.`)
    const just = `${which}: userAttributes must name just that (city:…,plan:…).`
    for (const userAttributes of ['city:London', 'city:London,plan:pro,team:red', 'team:red,plan:pro']) {
      expect(await messageOf({ userAttributes })).toBe(just)
      expect(await messageOf({ userAttributes, userId: 'ann' })).toBe(just)
      expect(await messageOf({ userAttributes, among: ['ann'] })).toBe(just)
    }
    expect(await messageOf({ userAttributes: {} })).toBe(just)
  })

  test('422: a leaderboard without groups takes no attributes', async () => {
    const engine = await open(game())
    await expect(engine.leaderboards.get('top', { userAttributes: 'city:London' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The leaderboard "top" has no groups: leave userAttributes out.',
      issues: [{ path: 'userAttributes' }],
    })
  })

  test.each(['city', '', ':London', 'city:London,', 'city:\ud800', { city: 7 }, { city: '\0' }, ['city'], 7])(
    '422: the attributes %j',
    async (userAttributes) => {
      const engine = await open(game({ breakdown: ['city'] }))
      expect(await codeOf(read(engine, { userAttributes: untyped(userAttributes) }))).toBe('invalid_request')
    },
  )

  test('422: attributes that the game does not have', async () => {
    const engine = await open(game({ breakdown: ['city'] }))
    for (const userAttributes of ['colour:red', '__proto__:x', { toString: 'x' }]) {
      expect(await codeOf(read(engine, { userAttributes: untyped(userAttributes) }))).toBe('unknown_attribute')
    }
  })
})

onEachStorage('leaderboards.get: among some users', (open) => {
  test('of all groups, or of one', async () => {
    const engine = await open(game({ breakdown: ['city'] }))
    await write(engine, 'ann', 5, { city: 'London' })
    await write(engine, 'bob', 7, { city: 'Paris' })
    await write(engine, 'cid', 6, { city: 'London' })
    const among = ['ann', 'bob', 'cid']
    expect(await read(engine, { among })).toEqual([
      [1, 'bob', 7],
      [2, 'cid', 6],
      [3, 'ann', 5],
    ])
    expect(await read(engine, { among, userAttributes: 'city:London' })).toEqual([
      [1, 'cid', 6],
      [2, 'ann', 5],
    ])
  })

  test('422: together with a user to be around, or from before the first place', async () => {
    const engine = await open(game())
    await expect(read(engine, { among: ['ann'], userId: 'ann' })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'among' }],
    })
    await expect(read(engine, { among: ['ann'], offset: -1 })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'offset' }],
    })
  })
})
