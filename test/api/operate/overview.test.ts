// The figures of a game over all its users: activity, status, users with an achievement, runs and groups of
// leaderboards.

import { expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { store } from '../../../src/testing/storage/case.ts'
import { ANN } from '../../../src/testing/storage/samples.ts'
import { codeOf, type Engine, NOON, onEachStorage, openOn, STORAGES } from '../../support/engine.ts'

const definition: GameDefinition = {
  metrics: { words: { name: 'Words', limits: [{ value: 1_000, per: { days: 1 }, then: 'hold' }] } },
  userAttributes: ['plan', 'city'],
  achievements: {
    starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 10 },
    again: { name: 'Again', trigger: 'metric', metric: 'words', value: 100, repeat: true },
  },
  points: {
    xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] },
    gems: { name: 'Gems', triggers: [{ type: 'achievement', achievement: 'starter', points: 7 }] },
  },
  leaderboards: {
    weekly: {
      name: 'Weekly',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-03-02',
      run: { unit: 'day', interval: 7 },
      maxParticipants: 10,
    },
    plans: { name: 'Plans', rankBy: 'metric', metric: 'words', start: '2026-03-01', breakdown: ['plan', 'city'] },
    later: { name: 'Later', rankBy: 'points', system: 'xp', start: '2027-01-01' },
  },
}

const by = (engine: Engine, id: string, value: number, rest = {}) =>
  engine.metrics.event('words', { user: { id, ...rest }, value })

/** The days with new users, and how many each has. On a busy machine, one answer may have only some of the days. */
async function newUsers(engine: Engine): Promise<Record<string, number>> {
  const counts: [date: string, count: number][] = []
  for (let to: string | null = '2026-03-15'; to !== null; ) {
    const { days, before } = await engine.activity.days({ from: '2026-03-01', to })
    for (const { date, newUsers } of days) if (newUsers > 0) counts.push([date, newUsers])
    to = before
  }
  return Object.fromEntries(counts)
}

onEachStorage('Activity', (open) => {
  test('lists dates in UTC, the newest first, and new users on their local dates', async () => {
    const engine = await open(definition)
    engine.at('2026-03-08T23:59:59.999Z')
    // In Tokyo it is the 9th already, so Ann is new on the 9th.
    await by(engine, 'ann', 30, { tz: 'Asia/Tokyo' })
    engine.at('2026-03-10T00:00:00.000Z')
    await by(engine, 'ann', 5)
    await by(engine, 'ann', 65)
    await by(engine, 'bob', 9)
    expect(await engine.activity.days({ from: '2026-03-08', to: '2026-03-11' })).toEqual({
      days: [
        { date: '2026-03-11', events: 0, activeUsers: 0, newUsers: 0, completions: 0, points: {} },
        { date: '2026-03-10', events: 3, activeUsers: 2, newUsers: 1, completions: 1, points: { xp: 7 } },
        { date: '2026-03-09', events: 0, activeUsers: 0, newUsers: 1, completions: 0, points: {} },
        { date: '2026-03-08', events: 1, activeUsers: 1, newUsers: 0, completions: 1, points: { gems: 7, xp: 3 } },
      ],
      before: null,
    })
  })

  test('leaves out what is voided or held back', async () => {
    const engine = await open(definition)
    const { eventId } = await by(engine, 'ann', 20)
    await by(engine, 'bob', 5)
    expect((await by(engine, 'bob', 2_000)).held).toBe(true)
    await engine.events.void(eventId)
    expect((await engine.activity.days({ from: '2026-03-10', to: '2026-03-10' })).days).toEqual([
      // Ann keeps her completions.
      { date: '2026-03-10', events: 1, activeUsers: 1, newUsers: 2, completions: 1, points: { gems: 7 } },
    ])
  })

  test('counts users who are merged once, and forgets who is deleted', async () => {
    const engine = await open(definition)
    await by(engine, 'ann', 5)
    await by(engine, 'bob', 5)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    const today = { from: '2026-03-10', to: '2026-03-10' }
    const [merged] = (await engine.activity.days(today)).days
    expect(merged).toMatchObject({ events: 2, activeUsers: 1, newUsers: 1 })
    await engine.users.delete('ann')
    const [deleted] = (await engine.activity.days(today)).days
    expect(deleted).toMatchObject({ events: 0, activeUsers: 0, newUsers: 0, points: {} })
  })

  test('counts a new user on the date of creation, in whatever order events arrive', async () => {
    const engine = await open(definition)
    const words = (id: string, date: string) => {
      return { user: { id }, value: 5, occurredAt: new Date(`${date}T12:00:00Z`) }
    }
    await engine.import(
      [words('ann', '2026-03-09'), words('ann', '2026-03-07')].map((each) => ({ metric: 'words', ...each })),
    )
    await by(engine, 'bob', 5)
    await engine.metrics.event('words', words('bob', '2026-03-05'))
    await by(engine, 'cid', 5)
    expect((await engine.users.get('ann')).created).toBe('2026-03-07T12:00:00.000Z')
    expect(await newUsers(engine)).toEqual({ '2026-03-05': 1, '2026-03-07': 1, '2026-03-10': 1 })
  })

  test('shows a late event of a day that is over', async () => {
    const engine = await open(definition)
    await by(engine, 'ann', 5)
    const read = async () => (await engine.activity.days({ from: '2026-03-10', to: '2026-03-10' })).days[0]?.events
    expect(await read()).toBe(1)
    await by(engine, 'ann', 5)
    expect(await read()).toBe(2)
    engine.at('2026-03-11T00:00:00.000Z')
    expect(await read()).toBe(2)
    await engine.import([
      { metric: 'words', user: { id: 'ann' }, value: 1, occurredAt: new Date('2026-03-10T13:00:00Z') },
    ])
    expect(await read()).toBe(3)
  })

  test('is asked for at most 92 days, in their order', async () => {
    const engine = await open(definition)
    const ask = (from: string, to: string) => codeOf(engine.activity.days({ from, to }))
    expect(await ask('2026-01-01', '2026-04-02')).toBe('accepted')
    expect(await ask('2025-12-31', '2026-04-02')).toBe('invalid_request')
    expect(await ask('2026-03-11', '2026-03-10')).toBe('invalid_request')
    expect(await ask('2026-3-1', '2026-03-10')).toBe('invalid_request')
  })
})

test.each(STORAGES)(
  'A day of creation that the log does not say is found by verify and mended by rebuild, on $name',
  async ({ create }) => {
    const storage = create()
    const engine = await openOn(storage, { now: NOON }, definition)
    onTestFinished(() => engine.close())
    await by(engine, 'ann', 5)
    await store(storage, ANN, { state: { created: Date.parse('2026-03-01T12:00:00Z') } })
    const { drift } = await engine.verify()
    expect(drift.map(({ table, key }) => [table, key])).toEqual([['users', { tenant_id: '', user_id: 'ann' }]])
    await engine.rebuild()
    expect(await newUsers(engine)).toEqual({ '2026-03-10': 1 })
    expect((await engine.verify()).drift).toEqual([])
  },
)

onEachStorage('Status', (open) => {
  test('tells the game, the active leaderboards, and how many users there are', async () => {
    const engine = await open(definition)
    for (const id of ['ann', 'bob', 'cid']) await by(engine, id, 5, { attributes: { plan: 'pro' } })
    const { health, storage, ...rest } = await engine.status()
    expect(health).toMatchObject({ status: 'ok', isNewestGame: true, code: null })
    expect(['memory', 'sqlite', 'postgres']).toContain(storage)
    expect(rest).toEqual({
      game: { epoch: 1, isNewest: true, newestEpoch: 1 },
      due: { users: 0, oldest: null },
      messages: { waiting: 0, oldest: null },
      leaderboards: [
        { key: 'weekly', name: 'Weekly', run: { start: '2026-03-09', end: '2026-03-15' }, users: 3 },
        { key: 'plans', name: 'Plans', run: { start: '2026-03-01', end: null }, users: 3 },
      ],
      users: 3,
    })
  })

  test('tells an older process that a newer game is in force', async () => {
    const engine = await open(definition)
    const { metrics } = definition
    await engine.redefine({ metrics })
    expect((await engine.status()).game).toEqual({ epoch: 1, isNewest: false, newestEpoch: 2 })
  })

  test('counts messages that nobody can see yet, and users to whom something is due', async () => {
    const engine = await open({ ...definition, streak: { frequency: 'daily', metrics: { words: {} } } })
    await engine.subscribe('mailer', { types: ['achievement.completed', 'streak.lost'] }, () => undefined)
    await by(engine, 'ann', 20)
    engine.at('2026-03-10T12:00:05.000Z')
    await by(engine, 'bob', 20)
    expect((await engine.status()).messages).toEqual({ waiting: 2, oldest: '2026-03-10T12:00:00.000Z' })
    engine.at('2026-03-20T12:00:00.000Z')
    expect((await engine.status()).due).toEqual({ users: 2, oldest: '2026-03-12T00:00:00.000Z' })
    await engine.workOnce()
    expect(await engine.status()).toMatchObject({
      due: { users: 0, oldest: null },
      messages: { waiting: 0, oldest: null },
    })
  })
})

onEachStorage('Who has an achievement', (open) => {
  test('is told the newest first, in pages, with how often it was completed', async () => {
    const engine = await open(definition)
    for (const [hour, id] of ['ann', 'bob', 'cid'].entries()) {
      engine.at(`2026-03-10T1${hour}:00:00.000Z`)
      await by(engine, id, 120, { name: id.toUpperCase() })
    }
    engine.at('2026-03-10T15:00:00.000Z')
    await by(engine, 'ann', 200)
    expect(await engine.achievements.completions('again')).toEqual({
      completions: [
        { userId: 'ann', name: 'ANN', achievedAt: '2026-03-10T15:00:00.000Z', count: 3 },
        { userId: 'cid', name: 'CID', achievedAt: '2026-03-10T12:00:00.000Z', count: 1 },
        { userId: 'bob', name: 'BOB', achievedAt: '2026-03-10T11:00:00.000Z', count: 1 },
      ],
      after: null,
    })
    const first = await engine.achievements.completions('starter', { limit: 2 })
    expect(first.completions.map(({ userId }) => userId)).toEqual(['cid', 'bob'])
    const second = await engine.achievements.completions('starter', { limit: 2, after: first.after ?? '' })
    expect(second).toMatchObject({ completions: [{ userId: 'ann', count: 1 }], after: null })
  })

  test('is refused of what the game does not have, and after what is no place', async () => {
    const engine = await open(definition)
    expect(await codeOf(engine.achievements.completions('nothing'))).toBe('unknown_achievement')
    for (const after of [
      'x',
      '!',
      Buffer.from('12 ').toString('base64url'),
      Buffer.from('a ann').toString('base64url'),
    ]) {
      expect(await codeOf(engine.achievements.completions('starter', { after }))).toBe('invalid_request')
    }
    expect(await codeOf(engine.achievements.completions('starter', { limit: 101 }))).toBe('invalid_request')
  })
})

onEachStorage('A void that is tried', (open) => {
  test('answers what the void would answer, and writes nothing', async () => {
    const engine = await open(definition)
    const { eventId } = await by(engine, 'ann', 30)
    await by(engine, 'ann', 5)
    const before = await engine.users.events('ann')
    const tried = await engine.events.void(eventId, { revoke: true }, { dryRun: true })
    expect(tried).toMatchObject({ eventId, total: 5, alreadyVoided: false, revokedAchievements: [{ key: 'starter' }] })
    expect(tried.points).toMatchObject({ gems: { total: 0, added: -7 }, xp: { total: 0, added: -3 } })
    expect(await engine.users.events('ann')).toEqual(before)
    const done = await engine.events.void(eventId, { revoke: true })
    expect({ ...done, voidId: '' }).toEqual({ ...tried, voidId: '' })
  })

  test('is of one event only', async () => {
    const engine = await open(definition)
    const several = { by: '01956c3a-0000-7000-8000-000000000000' }
    expect(await codeOf(engine.events.void(several, {}, { dryRun: true } as object))).toBe('invalid_request')
    expect(await codeOf(engine.events.void('nothing', {}, { dryRun: true }))).toBe('unknown_event')
  })
})
