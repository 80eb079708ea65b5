// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, UUID_7, untyped } from '../support/engine.ts'

const metrics = { words: { name: 'Words written' } }
const daily: GameDefinition = { metrics, streak: { frequency: 'daily', metrics: { words: {} } } }
const frozen: GameDefinition = {
  metrics,
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 2, autoEarn: { interval: 7 } } },
}
const TEXT: string = expect.stringMatching(/\S+ \S+/)
const UNKNOWN_ID = '01956c3a-0000-7000-8000-000000000000'

const issue = (userId: string, index: number, level: 'error' | 'warning') => {
  return { userId, level, reason: TEXT, index, severity: level, message: TEXT }
}
const hundredAnd = <T>(item: T): T[] => Array.from({ length: 101 }, () => item)

/** Three days of Ann up to 2026-03-10. The clock then stays at noon of that day. */
const begin = async (engine: Engine) => {
  for (const day of ['08', '09', '10']) {
    engine.at(`2026-03-${day}T12:00:00.000Z`)
    await add(engine, 'words', 1)
  }
}

onEachStorage('admin.streaks.freezes.create', (open) => {
  test('gives each user named one more, and says who has the most there may be or is not known', async () => {
    const engine = await open(frozen)
    await begin(engine)
    const { create } = engine.admin.streaks.freezes
    const names = ['ann', 'zoe', 'ann'].map((userId) => ({ userId }))
    expect(await create({ freezes: names })).toEqual({ issues: [issue('zoe', 1, 'error'), issue('ann', 2, 'warning')] })
    expect(await engine.users.streak('ann')).toMatchObject({
      freezes: 2,
      maxFreezes: 2,
      freezeAutoEarnInterval: 7,
      freezeAutoEarnAmount: 1,
    })
  })

  test('rejects with streak_freezes_disabled or streak_disabled where the game has none', async () => {
    const freezes = [{ userId: 'ann' }]
    const plain = await open(daily)
    expect(await codeOf(plain.admin.streaks.freezes.create({ freezes }))).toBe('streak_freezes_disabled')
    const bare = await open({ metrics })
    expect(await codeOf(bare.admin.streaks.freezes.create({ freezes }))).toBe('streak_disabled')
  })

  test('is in the answers of events and in the history', async () => {
    const engine = await open(frozen)
    await begin(engine)
    engine.at('2026-03-12T12:00:00.000Z')
    expect((await add(engine, 'words', 1)).currentStreak).toMatchObject({ length: 4, extended: true, freezes: 0 })
    const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 3 })
    expect(streakHistory).toEqual([
      { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 3, usedFreeze: false, usedPause: false },
      { periodStart: '2026-03-11', periodEnd: '2026-03-11', length: 3, usedFreeze: true, usedPause: false },
      { periodStart: '2026-03-12', periodEnd: '2026-03-12', length: 4, usedFreeze: false, usedPause: false },
    ])
  })
})

onEachStorage('admin.streaks.pauses', (open) => {
  test('create answers the pauses with their ids, and the streak tells of them until they are over', async () => {
    const engine = await open(daily)
    await begin(engine)
    const { create } = engine.admin.streaks.pauses
    const asked = { userId: 'ann', start: '2026-03-11', end: '2026-03-12' }
    const { created, issues } = await create({ pauses: [asked, { ...asked, userId: 'zoe' }] })
    expect(created).toEqual([{ ...asked, id: UUID_7, status: 'active' }])
    expect(issues).toEqual([issue('zoe', 1, 'error')])
    const pauses = [{ id: created[0]?.id, start: '2026-03-11', end: '2026-03-12' }]
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3, expires: '2026-03-13', pauses })
    engine.at('2026-03-13T12:00:00.000Z')
    const later = await engine.users.streak('ann', { historyPeriods: 3 })
    expect(later).toMatchObject({ length: 3, expires: '2026-03-13' })
    expect(later.pauses).toEqual([])
    expect(later.streakHistory).toEqual([
      { periodStart: '2026-03-11', periodEnd: '2026-03-11', length: 3, usedPause: true },
      { periodStart: '2026-03-12', periodEnd: '2026-03-12', length: 3, usedPause: true },
      { periodStart: '2026-03-13', periodEnd: '2026-03-13', length: 3, usedPause: false },
    ])
  })

  test('create says what is out of range: before today, backwards, over 366 days', async () => {
    const engine = await open(daily)
    await begin(engine)
    const dates = [
      ['2026-03-09', '2026-03-12'],
      ['2026-03-12', '2026-03-11'],
      ['2026-03-11', '2027-03-12'],
      ['2026-03-11', '2027-03-11'],
    ] as const
    const pauses = dates.map(([start, end]) => ({ userId: 'ann', start, end }))
    const { created, issues } = await engine.admin.streaks.pauses.create({ pauses })
    expect(created.map(({ end }) => end)).toEqual(['2027-03-11'])
    expect(issues).toEqual([issue('ann', 0, 'error'), issue('ann', 1, 'error'), issue('ann', 2, 'error')])
  })

  test('delete ends them, and says which are not known', async () => {
    const engine = await open(daily)
    await begin(engine)
    const { pauses } = engine.admin.streaks
    const asked = { userId: 'ann', start: '2026-03-11', end: '2026-03-20' }
    const id = (await pauses.create({ pauses: [asked] })).created[0]?.id ?? ''
    engine.at('2026-03-13T12:00:00.000Z')
    expect(await pauses.delete([UNKNOWN_ID, id])).toEqual({
      deleted: [{ id }],
      issues: [{ id: UNKNOWN_ID, severity: 'error', message: TEXT }],
    })
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3, expires: '2026-03-13' })
    expect((await pauses.delete([id])).deleted).toEqual([])
  })
})

onEachStorage('admin.streaks.restore', (open) => {
  test('answers the users restored; one whose streak was not lost is a warning, an unknown one an error', async () => {
    const engine = await open(daily)
    await begin(engine)
    engine.at('2026-03-20T12:00:00.000Z')
    await add(engine, 'words', 1, { user: { id: 'bob' } })
    const users = ['bob', 'zoe', 'ann'].map((id) => ({ id }))
    expect(await engine.admin.streaks.restore({ users })).toEqual({
      restoredUsers: ['ann'],
      issues: [issue('bob', 0, 'warning'), issue('zoe', 1, 'error')],
    })
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3, started: '2026-03-08', expires: '2026-03-20' })
    expect((await engine.streaks.list(['ann']))[0]).toMatchObject({ streakLength: 3 })
  })

  test('has a window of 90 days', async () => {
    const engine = await open(daily)
    await begin(engine)
    // Lost with 2026-03-11.
    engine.at('2026-06-20T12:00:00.000Z')
    expect(await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })).toEqual({
      restoredUsers: [],
      issues: [issue('ann', 0, 'warning')],
    })
    engine.at('2026-06-08T12:00:00.000Z')
    expect((await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })).restoredUsers).toEqual(['ann'])
  })

  test('counts the window from the loss, however long a pause was before it', async () => {
    const engine = await open(daily)
    await begin(engine)
    const pauses = [{ userId: 'ann', start: '2026-03-11', end: '2026-08-31' }]
    await engine.admin.streaks.pauses.create({ pauses })
    engine.at('2026-09-01T12:00:00.000Z')
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3, expires: '2026-09-01' })
    engine.at('2026-09-03T12:00:00.000Z')
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0 })
    const { restoredUsers } = await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })
    expect(restoredUsers).toEqual(['ann'])
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3, expires: '2026-09-03' })
  })

  test('pays no points and completes no achievement a second time', async () => {
    const engine = await open({
      ...daily,
      achievements: { two: { name: 'Two', trigger: 'streak', length: 2 } },
      points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 7 }] } },
    })
    await begin(engine)
    engine.at('2026-03-20T12:00:00.000Z')
    await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })
    expect((await engine.users.points('ann', 'xp')).total).toBe(7)
    const { achievements, points } = await add(engine, 'words', 1)
    expect(achievements).toEqual([])
    expect(points.xp).toMatchObject({ added: 7, total: 14 })
  })
})

onEachStorage('admin.streaks refuses as a whole', (open) => {
  test('no items and more than 100, what is no list, and what is no date', async () => {
    const { freezes, pauses, restore } = (await open(frozen)).admin.streaks
    const asked = { userId: 'ann', start: '2026-03-11', end: '2026-03-12' }
    const codes = [
      freezes.create({ freezes: [] }),
      pauses.create({ pauses: [] }),
      pauses.delete([]),
      restore({ users: [] }),
      freezes.create({ freezes: hundredAnd({ userId: 'ann' }) }),
      pauses.create({ pauses: hundredAnd(asked) }),
      pauses.delete(hundredAnd(UNKNOWN_ID).map((id, index) => id.slice(0, -3) + String(index + 100))),
      restore({ users: hundredAnd({ id: 'ann' }) }),
      freezes.create(untyped({ freezes: { userId: 'ann' } })),
      pauses.create({ pauses: [{ ...asked, start: '2026-02-30' }] }),
      pauses.delete(['']),
      restore(untyped({ users: ['ann'] })),
    ]
    for (const call of codes) expect(await codeOf(call)).toBe('invalid_request')
  })
})
