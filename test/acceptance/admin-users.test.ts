import { expect, test } from 'vitest'
import { onEachStorage } from '../support/engine.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['team'],
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: 10 },
  },
} as const

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: { readonly code: string }) => error.code,
  )

onEachStorage('Users', (open) => {
  test('are listed in order of id, a page at a time', async () => {
    const { users } = await open(definition)
    for (const id of ['c', 'a', 'e', 'b', 'd']) await users.create({ id, name: `Name of ${id}` })
    const first = await users.list({ limit: 2 })
    expect([first.users.map(({ id }) => id), first.after]).toEqual([['a', 'b'], 'b'])
    const second = await users.list({ limit: 2, after: 'b' })
    expect([second.users.map(({ id }) => id), second.after]).toEqual([['c', 'd'], 'd'])
    const last = await users.list({ limit: 2, after: 'd' })
    expect([last.users.map(({ name }) => name), last.after]).toEqual([['Name of e'], null])
    expect(last.users[0]).toMatchObject({ id: 'e', email: null, suspended: null, created: '2026-03-10T12:00:00.000Z' })
  })

  test('are found by a part of the id or of the name, whatever the case, and by that text alone', async () => {
    const { users } = await open(definition)
    for (const [id, name] of [
      ['u1', 'Ann Lee'],
      ['hANna', null],
      ['u3', '50% off_er'],
      ['u4', 'Bob!'],
    ] as const) {
      await users.create({ id, name })
    }
    const found = async (search: string): Promise<readonly string[]> =>
      (await users.list({ search })).users.map(({ id }) => id)
    expect(await found('ann')).toEqual(['hANna', 'u1'])
    expect(await found('LEE')).toEqual(['u1'])
    expect(await found('%')).toEqual(['u3'])
    expect(await found('f_e')).toEqual(['u3'])
    expect(await found('f%e')).toEqual([])
    expect(await found('!')).toEqual(['u4'])
    expect(await users.list({ search: 'u', limit: 1 })).toMatchObject({ users: [{ id: 'u1' }], after: 'u1' })
    expect(await users.list({ search: 'u', limit: 1, after: 'u3' })).toMatchObject({
      users: [{ id: 'u4' }],
      after: null,
    })
  })

  test('have a log that is read from its end, a page at a time', async () => {
    const engine = await open(definition)
    await engine.metrics.event('words', {
      user: { id: '18', tz: 'Europe/Berlin', attributes: { team: 'red' } },
      value: 12.5,
      idempotencyKey: 'k1',
    })
    engine.at('2026-03-11T09:00:00.000Z')
    const { eventId } = await engine.metrics.event('words', { user: { id: '18' }, value: 3 })
    await engine.events.void(eventId, { reason: 'Twice' })
    const newest = await engine.users.events('18', { limit: 2 })
    expect(newest.entries).toMatchObject([
      { kind: 'eventVoided', seq: 3, event: eventId, reason: 'Twice', revokes: false },
      { kind: 'eventRecorded', seq: 2, id: eventId, value: 3, voidedBy: newest.entries[0]?.id },
    ])
    const older = await engine.users.events('18', { limit: 2, before: newest.before ?? '' })
    expect(older.entries).toEqual([
      {
        id: expect.any(String),
        seq: 1,
        kind: 'eventRecorded',
        at: '2026-03-10T12:00:00.000Z',
        recordedAt: '2026-03-10T12:00:00.000Z',
        zone: 'Europe/Berlin',
        localDate: '2026-03-10',
        localTime: '13:00:00.000',
        epoch: 1,
        profile: { tz: 'Europe/Berlin', attributes: { team: 'red' } },
        metric: 'words',
        value: 12.5,
        attributes: {},
        idempotencyKey: 'k1',
      },
    ])
    // The first line of all was the last of a page that is full.
    expect(older.before).toBeNull()
    const [first, second] = [
      await engine.users.events('18', { limit: 3 }),
      await engine.users.events('18', { limit: 1 }),
    ]
    expect([first.before, second.before]).toEqual([null, expect.any(String)])
    expect(await rejection(engine.users.events('nobody'))).toBe('unknown_user')
    expect(await rejection(engine.users.events('18', { before: 'nonsense' }))).toBe('invalid_request')
  })

  test('who are suspended are on no leaderboard, and the others move up, until they are restored', async () => {
    const { metrics, leaderboards, users, verify } = await open(definition)
    for (const [id, value] of [
      ['a', 30],
      ['b', 20],
      ['c', 10],
    ] as const) {
      await metrics.event('words', { user: { id }, value })
    }
    const ranked = async (key: 'words' | 'top'): Promise<unknown> =>
      (await leaderboards.get(key)).rankings.map(({ userId, rank, value }) => [userId, rank, value])
    const before = [await ranked('words'), await ranked('top')]

    expect(await users.suspend('a', { reason: 'Forged' })).toEqual({
      id: 'a',
      suspended: { from: ['leaderboards'], reason: 'Forged', since: '2026-03-10T12:00:00.000Z' },
    })
    const closed = [
      ['b', 1, 20],
      ['c', 2, 10],
    ]
    expect([await ranked('words'), await ranked('top')]).toEqual([closed, closed])
    expect(await users.leaderboard('a', 'words')).toMatchObject({ rank: null, value: null })
    const event = await metrics.event('words', { user: { id: 'a' }, value: 5 })
    expect(event).toMatchObject({
      total: 35,
      leaderboards: {
        words: { rank: null, previousRank: null },
        top: { rank: null, previousRank: null, threshold: 0 },
      },
    })
    const beside = await metrics.event('words', { user: { id: 'c' }, value: 15 })
    expect(beside).toMatchObject({ leaderboards: { words: { rank: 1, previousRank: 2 } } })
    expect(await users.suspend('a', { reason: 'Again' })).toMatchObject({ suspended: { reason: 'Forged' } })
    expect((await users.list()).users.map(({ suspended }) => suspended?.reason ?? null)).toEqual(['Forged', null, null])
    expect(await verify()).toMatchObject({ drift: [] })

    expect(await users.restore('a')).toEqual({ id: 'a', suspended: null })
    const after = [
      ['a', 1, 35],
      ['c', 2, 25],
      ['b', 3, 20],
    ]
    expect(before).toHaveLength(2)
    expect([await ranked('words'), await ranked('top')]).toEqual([after, after])
    expect(await verify()).toMatchObject({ drift: [] })
    expect(await rejection(users.suspend('nobody'))).toBe('unknown_user')
    expect(await rejection(users.restore('nobody'))).toBe('unknown_user')
  })

  test('who are deleted are unknown, the others are as they were, and the id comes again as a new user', async () => {
    const { metrics, achievements, leaderboards, users, verify } = await open(definition)
    await metrics.event('words', { user: { id: 'a', name: 'Ann' }, value: 30, idempotencyKey: 'k' })
    await metrics.event('words', { user: { id: 'b' }, value: 20 })
    expect(await users.delete('a')).toEqual({ id: 'a', anonymousId: null })
    expect(await rejection(users.get('a'))).toBe('unknown_user')
    expect(await rejection(users.update('a', { name: 'Ann' }))).toBe('unknown_user')
    expect(await rejection(users.delete('a'))).toBe('unknown_user')
    expect((await achievements.all()).map(({ completions }) => completions)).toEqual([1])
    expect((await leaderboards.get('words')).rankings).toMatchObject([{ userId: 'b', rank: 1 }])
    const again = await metrics.event('words', { user: { id: 'a' }, value: 1, idempotencyKey: 'k' })
    expect(again).toMatchObject({ total: 1, leaderboards: { words: { rank: 2, previousRank: null } } })
    expect('idempotentReplayed' in again && again.idempotentReplayed).toBe(false)
    expect(await verify()).toMatchObject({ drift: [] })
  })

  test('who become anonymous keep what they did, but nothing that their attributes brought', async () => {
    const { metrics, achievements, leaderboards, users, verify } = await open({
      metrics: { words: { name: 'Words' } },
      userAttributes: ['plan'],
      achievements: {
        pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 1, userAttributes: { plan: 'pro' } },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'metric', metric: 'words', threshold: 1, points: 10, userAttributes: { plan: 'pro' } },
            { type: 'metric', metric: 'words', threshold: 1, points: 1 },
          ],
        },
      },
      leaderboards: {
        xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01' },
        plans: { name: 'Plans', rankBy: 'metric', metric: 'words', start: '2026-01-01', breakdown: ['plan'] },
      },
    })
    const read = async () => [
      ...(await leaderboards.get('xp')).rankings.map(({ value }) => value),
      ...(await leaderboards.get('plans', { userAttributes: { plan: 'pro' } })).rankings.map(({ value }) => value),
    ]
    await metrics.event('words', { user: { id: 'a', attributes: { plan: 'pro' } }, value: 5 })
    expect(await read()).toEqual([55, 5])
    const { anonymousId } = await users.delete('a', { keep: 'anonymous' })
    expect(await read()).toEqual([5])
    const kept = anonymousId ?? ''
    expect((await users.singleMetric(kept, 'words')).current).toBe(5)
    expect((await users.points(kept, 'xp')).total).toBe(5)
    expect((await users.achievements(kept)).map(({ key }) => key)).toEqual(['pro'])
    expect((await achievements.all()).map(({ completions }) => completions)).toEqual([1])
    expect(await verify()).toMatchObject({ drift: [] })
  })
})
