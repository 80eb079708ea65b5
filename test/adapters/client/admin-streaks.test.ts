import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { onEachServer, refusalOf, type Session } from './official-client.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: {
    frequency: 'daily',
    metrics: { words: {} },
    freezes: { initial: 1, max: 2, autoEarn: { interval: 7, amount: 2 } },
  },
}
const TEXT: string = expect.stringMatching(/\S+ \S+/)
/** What the client knows of an issue. */
const issue = (userId: string, level: 'error' | 'warning') => expect.objectContaining({ userId, level, reason: TEXT })

/** Ann writes on three days; the clock stands at noon of the last, 2026-03-10. */
const writeThreeDays = async ({ client, engine }: Session) => {
  for (const day of ['08', '09', '10']) {
    engine.at(`2026-03-${day}T12:00:00.000Z`)
    await client.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  }
}

onEachServer('admin.streaks.freezes.create', (start) => {
  test('gives freezes, which the streak tells of', async () => {
    const session = await start(game)
    await writeThreeDays(session)
    const { client, engine } = session
    const names = ['ann', 'zoe', 'ann'].map((userId) => ({ userId }))
    const { issues } = await client.admin.streaks.freezes.create({ freezes: names })
    expect(issues).toEqual([issue('zoe', 'error'), issue('ann', 'warning')])
    engine.at('2026-03-12T12:00:00.000Z')
    expect(await client.users.streak('ann', { historyPeriods: 2 })).toEqual({
      length: 3,
      frequency: 'daily',
      started: '2026-03-08',
      periodStart: '2026-03-12',
      periodEnd: '2026-03-12',
      expires: '2026-03-12',
      freezes: 1,
      maxFreezes: 2,
      freezeAutoEarnInterval: 7,
      freezeAutoEarnAmount: 2,
      extended: '2026-03-10T12:00:00.000Z',
      pauses: [],
      streakHistory: [
        { periodStart: '2026-03-11', periodEnd: '2026-03-11', length: 3, usedFreeze: true, usedPause: false },
        { periodStart: '2026-03-12', periodEnd: '2026-03-12', length: 3, usedFreeze: false, usedPause: false },
      ],
    })
  })

  test('is refused by class: no key, an application key, none or more than 100, a game without freezes', async () => {
    const { client, server, withKey } = await start(game)
    await client.users.create({ id: 'ann' })
    const freezes = [{ userId: 'ann' }]
    const refused = (of: typeof client, list = freezes) => refusalOf(of.admin.streaks.freezes.create({ freezes: list }))
    expect((await refused(withKey('nothing'))).type).toBe(TrophyApi.UnauthorizedError)
    expect((await refused(withKey(await server.applicationKey('ann')))).status).toBe(403)
    const many = Array.from({ length: 101 }, () => ({ userId: 'ann' }))
    for (const wrong of [many, []]) {
      expect((await refused(client, wrong)).type).toBe(TrophyApi.UnprocessableEntityError)
    }
    const bare = await start({ ...game, streak: { frequency: 'daily', metrics: { words: {} } } })
    expect(await refused(bare.client)).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code: 'streak_freezes_disabled',
    })
  })
})

onEachServer('admin.streaks.restore', (start) => {
  test('restores streaks, and says whose were not', async () => {
    const session = await start(game)
    await writeThreeDays(session)
    const { client, engine } = session
    engine.at('2026-03-13T12:00:00.000Z')
    await client.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    const users = ['bob', 'zoe', 'ann'].map((id) => ({ id }))
    const { restoredUsers, issues } = await client.admin.streaks.restore({ users })
    expect(restoredUsers).toEqual(['ann'])
    expect(issues).toEqual([issue('bob', 'warning'), issue('zoe', 'error')])
    expect(await client.users.streak('ann')).toMatchObject({ length: 3, started: '2026-03-08', expires: '2026-03-13' })
  })

  test('is refused by class: no key, an application key, none or more than 100', async () => {
    const { client, server, withKey } = await start(game)
    await client.users.create({ id: 'ann' })
    const refused = (of: typeof client, count = 1) =>
      refusalOf(of.admin.streaks.restore({ users: Array.from({ length: count }, () => ({ id: 'ann' })) }))
    expect((await refused(withKey('nothing'))).type).toBe(TrophyApi.UnauthorizedError)
    expect((await refused(withKey(await server.applicationKey('ann')))).status).toBe(403)
    for (const count of [101, 0]) {
      expect((await refused(client, count)).type).toBe(TrophyApi.UnprocessableEntityError)
    }
  })
})
