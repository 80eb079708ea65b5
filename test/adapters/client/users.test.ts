import type { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { untyped } from '../../support/engine.ts'
import { instant, onEachServer } from './official-client.ts'

const ANN = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann 🦉 "of" the\nnorth',
  tz: 'Europe/London',
  deviceTokens: ['token-1', 'token-2'],
  subscribeToEmails: false,
  attributes: { plan: 'pro', country: 'gb' },
}

onEachServer('users.create, get, identify and update', (start) => {
  test('a user with every field', async () => {
    const { client } = await start()
    const expected = {
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann 🦉 "of" the\nnorth',
      tz: 'Europe/London',
      deviceTokens: ['token-1', 'token-2'],
      subscribeToEmails: false,
      subscribedToEmails: false,
      attributes: { plan: 'pro', country: 'gb' },
      control: false,
      created: instant('2026-03-10T12:00:00.000Z'),
      updated: instant('2026-03-10T12:00:00.000Z'),
    }
    expect(await client.users.create(ANN)).toEqual(expected)
    expect(await client.users.get('ann')).toEqual(expected)
  })

  test('a user with nothing but an id', async () => {
    const { client } = await start()
    const expected = {
      id: 'bob',
      email: undefined,
      name: undefined,
      tz: undefined,
      deviceTokens: undefined,
      subscribeToEmails: false,
      subscribedToEmails: false,
      attributes: {},
      control: false,
      created: instant('2026-03-10T12:00:00.000Z'),
      updated: instant('2026-03-10T12:00:00.000Z'),
    }
    expect(await client.users.create({ id: 'bob' })).toStrictEqual(expected)
    expect(await client.users.get('bob')).toStrictEqual(expected)
    expect(await client.users.identify('bob', {})).toStrictEqual(expected)
    expect(await client.users.update('bob', {})).toStrictEqual(expected)
  })

  test('update leaves what it does not name, and merges attributes', async () => {
    const { client, engine } = await start()
    await client.users.create(ANN)
    engine.at('2026-03-11T08:30:00.250Z')
    expect(await client.users.update('ann', { tz: 'Asia/Tokyo', attributes: { plan: 'free' } })).toEqual({
      ...ANN,
      tz: 'Asia/Tokyo',
      attributes: { plan: 'free', country: 'gb' },
      subscribedToEmails: false,
      control: false,
      created: instant('2026-03-10T12:00:00.000Z'),
      updated: instant('2026-03-11T08:30:00.250Z'),
    })
    expect(await client.users.update('ann', { subscribeToEmails: true })).toMatchObject({ subscribeToEmails: true })
  })

  test('null, which the client also sends for undefined, clears', async () => {
    const { client } = await start()
    await client.users.create(ANN)
    const cleared = { name: null, tz: undefined, deviceTokens: null }
    const user = await client.users.update('ann', untyped(cleared))
    expect(user).toMatchObject({ name: undefined, tz: undefined, deviceTokens: undefined, email: 'ann@example.com' })
  })

  test('undefined for what cannot be cleared, which the client sends as null, leaves it as it is', async () => {
    const { client } = await start()
    await client.users.create(ANN)
    const nothing = { attributes: undefined, subscribeToEmails: undefined }
    const unchanged = { attributes: { plan: 'pro', country: 'gb' }, subscribeToEmails: false }
    expect(await client.users.update('ann', untyped(nothing))).toMatchObject(unchanged)
    expect(await client.users.identify('ann', untyped(nothing))).toMatchObject(unchanged)
    expect(await client.users.create(untyped({ id: 'ann', ...nothing }))).toMatchObject(unchanged)
    const event = { user: { id: 'ann', ...nothing }, value: 1, attributes: undefined, idempotencyKey: undefined }
    expect((await client.metrics.event('words', untyped(event))).total).toBe(1)
    expect(await client.users.get('ann')).toMatchObject(unchanged)
  })
})

onEachServer('users.getPreferences and updatePreferences', (start) => {
  test('every type, which the client names in its own way', async () => {
    const { client, server } = await start()
    await client.users.create({ id: 'ann' })
    const notifications: TrophyApi.NotificationPreferences = {
      achievementCompleted: ['email', 'push'],
      recap: ['email'],
      reactivation: [],
      streakReminder: ['push'],
    }
    expect(await client.users.updatePreferences('ann', { notifications })).toEqual({ notifications })
    expect(await client.users.getPreferences('ann')).toEqual({ notifications })
    expect((await server.call('GET', '/v1/users/ann/preferences')).body).toEqual({
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: ['email'],
        reactivation: [],
        streak_reminder: ['push'],
      },
    })
  })

  test('undefined, which the client sends as null, leaves it as it is', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    const set = { notifications: { recap: ['push'] } } as const
    await client.users.updatePreferences('ann', { notifications: { recap: ['push'] } })
    expect(await client.users.updatePreferences('ann', untyped({ notifications: undefined }))).toEqual(set)
    const one = { notifications: { recap: undefined, reactivation: undefined } }
    expect(await client.users.updatePreferences('ann', untyped(one))).toEqual(set)
  })

  test('a personal streak, which the client cannot send, is handed through and kept', async () => {
    const { client, engine } = await start()
    await client.users.create({ id: 'ann' })
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'pages', threshold: 2 }] } as const
    await engine.users.updatePreferences('ann', { streak })
    expect(await client.users.getPreferences('ann')).toEqual({ notifications: {}, streak })
    expect(await client.users.updatePreferences('ann', { notifications: { recap: ['email'] } })).toEqual({
      notifications: { recap: ['email'] },
      streak,
    })
    expect((await client.metrics.event('pages', { user: { id: 'ann' }, value: 2 })).currentStreak.length).toBe(1)
  })
})
