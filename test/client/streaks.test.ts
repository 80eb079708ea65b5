import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }
const NO_STREAK = { length: 0, frequency: 'daily', extended: null, pauses: [], streakHistory: [] }

onEachServer('users.streak', (start) => {
  test('of a user with one, and with its history', async () => {
    const { client, engine } = await start()
    for (const day of ['07', '09', '10']) {
      engine.at(`2026-03-${day}T12:00:00.000Z`)
      await client.metrics.event('words', { user: ann, value: 100 })
    }
    const streak = {
      length: 2,
      frequency: 'daily',
      started: '2026-03-09',
      periodStart: '2026-03-10',
      periodEnd: '2026-03-10',
      expires: '2026-03-11',
      // What this client does not know it hands through.
      extended: '2026-03-10T12:00:00.000Z',
      pauses: [],
    }
    expect(await client.users.streak('ann')).toEqual({
      ...streak,
      streakHistory: [
        { periodStart: '2026-03-04', periodEnd: '2026-03-04', length: 0, usedPause: false },
        { periodStart: '2026-03-05', periodEnd: '2026-03-05', length: 0, usedPause: false },
        { periodStart: '2026-03-06', periodEnd: '2026-03-06', length: 0, usedPause: false },
        { periodStart: '2026-03-07', periodEnd: '2026-03-07', length: 1, usedPause: false },
        { periodStart: '2026-03-08', periodEnd: '2026-03-08', length: 0, usedPause: false },
        { periodStart: '2026-03-09', periodEnd: '2026-03-09', length: 1, usedPause: false },
        { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 2, usedPause: false },
      ],
    })
    expect(await client.users.streak('ann', { historyPeriods: 0 })).toEqual({ ...streak, streakHistory: [] })
    expect(await client.users.streak('ann', { historyPeriods: 5 })).toEqual({
      ...streak,
      streakHistory: [
        { periodStart: '2026-03-06', periodEnd: '2026-03-06', length: 0, usedPause: false },
        { periodStart: '2026-03-07', periodEnd: '2026-03-07', length: 1, usedPause: false },
        { periodStart: '2026-03-08', periodEnd: '2026-03-08', length: 0, usedPause: false },
        { periodStart: '2026-03-09', periodEnd: '2026-03-09', length: 1, usedPause: false },
        { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 2, usedPause: false },
      ],
    })
    engine.at('2026-03-12T00:00:00.000Z')
    expect(await client.users.streak('ann', { historyPeriods: 0 })).toEqual(NO_STREAK)
  })

  test('of a user without one, and in a game without any', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    expect(await client.users.streak('ann', { historyPeriods: 0 })).toEqual(NO_STREAK)
    expect((await client.users.streak('ann')).streakHistory).toHaveLength(7)
    expect((await client.users.streak('ann', { historyPeriods: 1 })).streakHistory).toEqual([
      { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 0, usedPause: false },
    ])
    const bare = await start({ metrics: { words: { name: 'Words written' } } })
    await bare.client.users.create({ id: 'ann' })
    const { streakHistory, ...streak } = await bare.client.users.streak('ann')
    expect({ ...streak, streakHistory: [] }).toEqual(NO_STREAK)
    expect(streakHistory?.every(({ length }) => length === 0)).toBe(true)
  })

  test('with a history of no whole number is an UnprocessableEntityError', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    for (const historyPeriods of [-1, 401, 1.5, Number.NaN]) {
      expect(await refusalOf(client.users.streak('ann', { historyPeriods }))).toEqual({
        type: TrophyApi.UnprocessableEntityError,
        status: 422,
        code: 'invalid_request',
      })
    }
  })
})

onEachServer('streaks.list', (start) => {
  test('has the lengths of the users asked for, the longest first', async () => {
    const { client, engine } = await start()
    await client.users.create({ id: 'cid' })
    engine.at('2026-03-07T12:00:00.000Z')
    await client.metrics.event('words', { user: { id: 'dan' }, value: 100 })
    engine.at('2026-03-09T12:00:00.000Z')
    await client.metrics.event('words', { user: ann, value: 100 })
    engine.at('2026-03-10T08:00:00.000Z')
    await client.metrics.event('words', { user: { id: 'bob' }, value: 100 })
    engine.at('2026-03-10T09:15:00.125Z')
    await client.metrics.event('words', { user: ann, value: 100 })
    engine.at('2026-03-10T18:00:00.000Z')
    await client.metrics.event('words', { user: ann, value: 100 })
    expect(await client.streaks.list({ userIds: ['cid', 'bob', 'ann'] })).toEqual([
      { userId: 'ann', streakLength: 2, extended: '2026-03-10T09:15:00.125Z' },
      { userId: 'bob', streakLength: 1, extended: '2026-03-10T08:00:00.000Z' },
      { userId: 'cid', streakLength: 0 },
    ])
    expect(await client.streaks.list({ userIds: 'bob' })).toEqual([
      { userId: 'bob', streakLength: 1, extended: '2026-03-10T08:00:00.000Z' },
    ])
    expect(await client.streaks.list({ userIds: ['dan'] })).toEqual([{ userId: 'dan', streakLength: 0 }])
  })

  test('is an empty list where there are no users', async () => {
    const { client } = await start()
    expect(await client.streaks.list()).toEqual([])
    expect(await client.streaks.list({ userIds: [] })).toEqual([])
  })

  test('takes ids with any characters', async () => {
    const { client } = await start()
    const ids = ['Ωμέγα 🦉', 'a&b=c', 'a+b', '100%', 'team/ann', '#?', ' ann ', '__proto__']
    for (const id of ids) await client.users.create({ id })
    const list = await client.streaks.list({ userIds: ids })
    expect(list.map(({ userId }) => userId).sort()).toEqual([...ids].sort())
    expect(list.every(({ streakLength, extended }) => streakLength === 0 && extended === undefined)).toBe(true)
  })

  test('takes 100 ids; more are an UnprocessableEntityError', async () => {
    const { client } = await start()
    const ids = Array.from({ length: 101 }, (_, index) => `user-${index}`)
    await Promise.all(ids.map((id) => client.users.create({ id })))
    expect(await client.streaks.list({ userIds: ids.slice(1) })).toHaveLength(100)
    expect(await refusalOf(client.streaks.list({ userIds: ids }))).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code: 'invalid_request',
    })
  })
})
