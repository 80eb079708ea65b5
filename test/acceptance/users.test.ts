// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { codeOf, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } }, userAttributes: ['plan', 'role'] }

const ANN_WITH_EVERYTHING = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann',
  tz: 'Europe/London',
  deviceTokens: ['token-1', 'token-2'],
  subscribedToEmails: false,
  attributes: { plan: 'pro' },
}

onEachStorage('2.1 the fields of a user', (open) => {
  test('are id, email, tz, subscribedToEmails, attributes, created and updated, and those that clients send', async () => {
    const engine = await open(game)
    const expected = {
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Europe/London',
      deviceTokens: ['token-1', 'token-2'],
      subscribedToEmails: false,
      subscribeToEmails: false,
      signUpDate: null,
      attributes: { plan: 'pro' },
      control: false,
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-10T12:00:00.000Z',
    }
    expect(await engine.users.create(ANN_WITH_EVERYTHING)).toEqual(expected)
    expect(await engine.users.get('ann')).toEqual(expected)
  })

  test('are all there, null where unset, when only the required id was sent', async () => {
    const engine = await open(game)
    expect(await engine.users.create({ id: 'bob' })).toEqual({
      id: 'bob',
      email: null,
      name: null,
      tz: null,
      deviceTokens: null,
      subscribedToEmails: false,
      subscribeToEmails: false,
      signUpDate: null,
      attributes: {},
      control: false,
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-10T12:00:00.000Z',
    })
  })

  test('id is required', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.users.create(untyped({ email: 'ann@example.com' })))).toBe('invalid_request')
    expect(await codeOf(engine.users.create(untyped({ id: 7 })))).toBe('invalid_request')
    expect(await codeOf(engine.users.create(untyped({ id: null })))).toBe('invalid_request')
  })

  test('created stays and updated moves, both with milliseconds in UTC', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    engine.at('2026-03-11T08:30:00.250Z')
    const user = await engine.users.update('ann', { name: 'Ann' })
    expect(user.created).toBe('2026-03-10T12:00:00.000Z')
    expect(user.updated).toBe('2026-03-11T08:30:00.250Z')
    expect(await engine.users.get('ann')).toEqual(user)
  })

  test.each([
    ['email', 7],
    ['name', {}],
    ['tz', 1],
    ['deviceTokens', 'token-1'],
    ['deviceTokens', [1]],
    ['subscribedToEmails', 'true'],
    ['subscribeToEmails', 1],
    ['attributes', ['pro']],
    ['attributes', { plan: 1 }],
    ['attributes', { plan: null }],
  ])('%s that is %j is refused and nothing is stored', async (field, value) => {
    const engine = await open(game)
    expect(await codeOf(engine.users.create(untyped({ id: 'ann', [field]: value })))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('subscribedToEmails is true by default when an email is known, else false', async () => {
    const engine = await open(game)
    expect(await engine.users.create({ id: 'ann', email: 'ann@example.com' })).toMatchObject({
      subscribedToEmails: true,
      subscribeToEmails: true,
    })
    expect(await engine.users.create({ id: 'bob' })).toMatchObject({ subscribedToEmails: false })
    expect(await engine.users.update('bob', { email: 'bob@example.com' })).toMatchObject({ subscribedToEmails: true })
  })

  test('subscribedToEmails is also accepted as subscribeToEmails, and answers carry both', async () => {
    const engine = await open(game)
    const email = 'ann@example.com'
    expect(await engine.users.create({ id: 'ann', email, subscribeToEmails: false })).toMatchObject({
      subscribedToEmails: false,
      subscribeToEmails: false,
      signUpDate: null,
    })
    expect(await engine.users.update('ann', { subscribeToEmails: true })).toMatchObject({
      subscribedToEmails: true,
      subscribeToEmails: true,
    })
    expect(await engine.users.update('ann', { subscribedToEmails: false })).toMatchObject({
      subscribedToEmails: false,
      subscribeToEmails: false,
      signUpDate: null,
    })
  })

  test('subscribedToEmails false stays false when an email comes later', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann', subscribedToEmails: false })
    expect(await engine.users.update('ann', { email: 'ann@example.com' })).toMatchObject({ subscribedToEmails: false })
  })

  test('subscribedToEmails true without an email is refused in both spellings, and nothing is stored', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.users.create({ id: 'ann', subscribedToEmails: true }))).toBe('email_required')
    expect(await codeOf(engine.users.identify('ann', { subscribeToEmails: true }))).toBe('email_required')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')

    await engine.users.create({ id: 'bob' })
    expect(await codeOf(engine.users.update('bob', { subscribedToEmails: true, name: 'Bob' }))).toBe('email_required')
    expect(await engine.users.get('bob')).toMatchObject({ name: null, subscribedToEmails: false })
    const email = 'bob@example.com'
    expect(await engine.users.update('bob', { subscribedToEmails: true, email })).toMatchObject({
      email: 'bob@example.com',
      subscribedToEmails: true,
    })
  })
})

onEachStorage('2.1 time zones', (open) => {
  test.each(['UTC', 'Europe/London', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kolkata', 'US/Pacific'])(
    '%s is stored as sent',
    async (tz) => {
      const engine = await open(game)
      expect((await engine.users.create({ id: 'ann', tz })).tz).toBe(tz)
      expect((await engine.users.get('ann')).tz).toBe(tz)
    },
  )

  test('has one name in whatever letters it is sent, and another case is no change', async () => {
    const engine = await open(game)
    expect((await engine.users.create({ id: 'ann', tz: 'america/new_york' })).tz).toBe('America/New_York')
    const { updated } = await engine.users.get('ann')
    engine.at('2026-03-11T12:00:00Z')
    expect((await engine.users.update('ann', { tz: 'AMERICA/New_York' })).tz).toBe('America/New_York')
    await engine.metrics.event('words', { user: { id: 'ann', tz: 'America/NEW_YORK' }, value: 1 })
    const { entries } = await engine.users.events('ann')
    expect(entries.map(({ zone }) => zone)).toContain('America/New_York')
    expect(new Set(entries.map(({ zone }) => zone)).size).toBe(1)
    expect(updated).toBe('2026-03-10T12:00:00.000Z')
  })

  test.each(['EST', 'utc', 'GMT', '+02:00', 'Mars/Olympus_Mons', 'London', 'Europe/', '/'])(
    '%s is refused',
    async (tz) => {
      const engine = await open(game)
      expect(await codeOf(engine.users.create({ id: 'ann', tz }))).toBe('unknown_time_zone')
      expect(await codeOf(engine.users.identify('ann', { tz }))).toBe('unknown_time_zone')
      expect(await codeOf(engine.metrics.event('words', { user: { id: 'ann', tz }, value: 1 }))).toBe(
        'unknown_time_zone',
      )
      expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
    },
  )
})

onEachStorage('4.4 to 4.7 writing a user', (open) => {
  test('an absent field is unchanged', async () => {
    const engine = await open(game)
    await engine.users.create(ANN_WITH_EVERYTHING)
    expect(await engine.users.update('ann', { tz: 'Asia/Tokyo' })).toMatchObject({
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Asia/Tokyo',
      deviceTokens: ['token-1', 'token-2'],
      subscribedToEmails: false,
      attributes: { plan: 'pro' },
    })
    expect(await engine.users.update('ann', {})).toMatchObject({ name: 'Ann', tz: 'Asia/Tokyo' })
  })

  test('null clears email, name, tz and deviceTokens', async () => {
    const engine = await open(game)
    await engine.users.create(ANN_WITH_EVERYTHING)
    const cleared = { email: null, name: null, tz: null, deviceTokens: null }
    expect(await engine.users.update('ann', cleared)).toMatchObject({ ...cleared, attributes: { plan: 'pro' } })
    expect(await engine.users.get('ann')).toMatchObject(cleared)
  })

  test('attributes are merged key by key', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann', attributes: { plan: 'free' } })
    expect((await engine.users.update('ann', { attributes: { role: 'editor' } })).attributes).toEqual({
      plan: 'free',
      role: 'editor',
    })
    expect((await engine.users.identify('ann', { attributes: { plan: 'pro' } })).attributes).toEqual({
      plan: 'pro',
      role: 'editor',
    })
    expect((await engine.users.create({ id: 'ann', attributes: {} })).attributes).toEqual({
      plan: 'pro',
      role: 'editor',
    })
  })

  test('updates of different attributes at once are all kept', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await Promise.all([
      engine.users.update('ann', { attributes: { plan: 'pro' } }),
      engine.users.update('ann', { attributes: { role: 'editor' } }),
      engine.users.update('ann', { tz: 'Asia/Tokyo' }),
    ])
    expect(await engine.users.get('ann')).toMatchObject({
      attributes: { plan: 'pro', role: 'editor' },
      tz: 'Asia/Tokyo',
    })
  })

  test('an unknown attribute is refused by its name, and nothing is stored', async () => {
    const engine = await open(game)
    const refusal = { code: 'unknown_attribute', message: expect.stringContaining('colour') }
    const attributes = { plan: 'pro', colour: 'red' }
    await expect(engine.users.create({ id: 'ann', attributes })).rejects.toMatchObject(refusal)
    await expect(engine.users.identify('ann', { attributes })).rejects.toMatchObject(refusal)
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')

    await engine.users.create({ id: 'bob' })
    await expect(engine.users.update('bob', { tz: 'Asia/Tokyo', attributes })).rejects.toMatchObject(refusal)
    expect(await engine.users.get('bob')).toMatchObject({ tz: null, attributes: {} })
  })

  test('unknown properties are refused, and nobody is created', async () => {
    const engine = await open(game)
    const user = { id: 'ann', shoeSize: 38, created: '2020-01-01T00:00:00.000Z' }
    await expect(engine.users.create(untyped(user))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'shoeSize' }, { path: 'created' }],
    })
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('an id beside the one that is given is refused', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.users.identify('ann', untyped({ id: 'bob', name: 'Ann' })))).toBe('invalid_request')
    expect(await codeOf(engine.users.update('ann', untyped({ id: 'bob', name: 'Anna' })))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('undefined properties are absent, whatever their names', async () => {
    const engine = await open(game)
    await engine.users.create(untyped({ id: 'ann', name: 'Ann', attributes: { plan: 'pro' } }))
    const nothing = { name: undefined, emial: undefined, attributes: { plan: undefined, paln: undefined } }
    expect(await engine.users.update('ann', untyped(nothing))).toMatchObject({
      name: 'Ann',
      attributes: { plan: 'pro' },
    })
  })

  test('4.4 creating a known user updates it', async () => {
    const engine = await open(game)
    await engine.users.create(ANN_WITH_EVERYTHING)
    engine.at('2026-03-12T00:00:00.000Z')
    expect(await engine.users.create({ id: 'ann', name: 'Anna' })).toMatchObject({
      email: 'ann@example.com',
      name: 'Anna',
      attributes: { plan: 'pro' },
      created: '2026-03-10T12:00:00.000Z',
      updated: '2026-03-12T00:00:00.000Z',
    })
  })

  test('4.6 identifying creates an unknown user and updates a known one', async () => {
    const engine = await open(game)
    expect(await engine.users.identify('ann', { name: 'Ann' })).toMatchObject({ id: 'ann', name: 'Ann', email: null })
    expect(await engine.users.identify('ann', { email: 'ann@example.com' })).toMatchObject({
      name: 'Ann',
      email: 'ann@example.com',
    })
  })
})
