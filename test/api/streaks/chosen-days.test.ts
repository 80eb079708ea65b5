// Streaks on chosen days and by a number of days a week, as storages keep them and answers show them.

import { expect, test } from 'vitest'
import { readDefinition } from '../../../src/game/read-definition.ts'
import { add, codeOf, onEachStorage, untyped } from '../../support/engine.ts'

const metrics = { words: { name: 'Words' } } as const
const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const definition = {
  metrics,
  streak: { frequency: 'daily', metrics: { words: {} }, on: WORKDAYS, customization: true },
  streaks: { steady: { frequency: 'weekly', days: 3, metrics: { words: { threshold: 2 } } } },
} as const

const noon = (day: number): Date => new Date(`2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`)

onEachStorage('Chosen days', (open) => {
  test('are shown in the history, and explained', async () => {
    const engine = await open(definition)
    for (const day of [5, 6, 7]) await add(engine, 'words', 1, { occurredAt: noon(day) })
    engine.at('2026-03-09T09:00:00.000Z')
    const { length, expires, streakHistory } = await engine.users.streak('ann', { historyPeriods: 5 })
    expect([length, expires]).toEqual([3, '2026-03-09'])
    expect(streakHistory.map(({ periodStart, length: own, neutral }) => [periodStart, own, neutral])).toEqual([
      ['2026-03-05', 1, undefined],
      ['2026-03-06', 2, undefined],
      ['2026-03-07', 3, true],
      ['2026-03-08', 3, true],
      ['2026-03-09', 3, undefined],
    ])
    const counted = await engine.explain('ann', { streak: '2026-03-07' })
    expect(counted.reasons.map(({ type }) => type)).toEqual(['streak_counted'])
    const { reasons } = await engine.explain('ann', { streak: '2026-03-08' })
    expect(reasons[0]?.sentence).toBe('2026-03-08 is a day off: it can extend the streak, and cannot be missed.')
  })

  test('that a user chose are kept, and hold from the next date on', async () => {
    const engine = await open(definition)
    engine.at('2026-03-06T12:00:00.000Z')
    await add(engine, 'words', 1)
    await engine.users.updatePreferences('ann', { streak: { on: ['sat', 'sun'] } })
    expect(await engine.users.getPreferences('ann')).toMatchObject({ streak: { on: ['sat', 'sun'] } })
    for (const day of [7, 8, 9, 14]) {
      engine.at(noon(day).toISOString())
      await add(engine, 'words', 1)
    }
    expect((await engine.users.streak('ann')).length).toBe(5)
    expect((await engine.verify()).drift).toEqual([])
    const changed = engine.users.updatePreferences('ann', { streak: { on: ['sat', 'sat'] } })
    expect(await codeOf(changed)).toBe('invalid_request')
  })

  test('are days off from the other side: both spellings say the same', async () => {
    const engine = await open(definition)
    await engine.users.create({ id: 'ann' })
    const update = (streak: object) => engine.users.updatePreferences('ann', untyped({ streak }))
    const workdays = { streak: { on: ['mon', 'tue', 'wed', 'thu', 'fri'], daysOff: [0, 6] } }
    expect(await update({ daysOff: [6, 0] })).toMatchObject(workdays)
    expect(await update({ on: WORKDAYS })).toMatchObject(workdays)
    expect(await update({ daysOff: [] })).toMatchObject({
      streak: { on: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], daysOff: [] },
    })
    for (const daysOff of [[7], [-1], [0.5], [1, 1], [0, 1, 2, 3, 4, 5, 6], null, 'sat']) {
      expect([daysOff, await codeOf(update({ daysOff }))]).toEqual([daysOff, 'invalid_request'])
    }
    expect(await codeOf(update({ daysOff: [0], on: ['mon'] }))).toBe('invalid_request')
    const fixed = await open({ metrics, streak: { frequency: 'daily', metrics: { words: {} } } })
    await fixed.users.create({ id: 'ann' })
    const denied = fixed.users.updatePreferences('ann', { streak: { daysOff: [0] } })
    expect(await codeOf(denied)).toBe('streak_customization_disabled')
  })

  test('off in the game are days of the game', async () => {
    const engine = await open({ metrics, streak: { frequency: 'daily', metrics: { words: {} }, daysOff: [0, 6] } })
    await add(engine, 'words', 1, { occurredAt: noon(6) })
    engine.at('2026-03-09T09:00:00.000Z')
    expect(await engine.users.streak('ann', { historyPeriods: 3 })).toMatchObject({
      length: 1,
      expires: '2026-03-09',
      streakHistory: [{ length: 1, neutral: true }, { length: 1, neutral: true }, { length: 1 }],
    })
  })

  test('of a week are counted once each, in any order of arrival', async () => {
    const engine = await open(definition)
    engine.at('2026-03-08T20:00:00.000Z')
    for (const [day, value] of [
      [6, 1],
      [3, 2],
      [8, 3],
      [6, 1],
      [3, 5],
      [2, 1],
    ] as const) {
      await add(engine, 'words', value, { occurredAt: noon(day) })
    }
    expect((await engine.users.streak('ann', { streak: 'steady' })).length).toBe(1)
    const { reasons } = await engine.explain('ann', { streak: '2026-03-08', key: 'steady' })
    expect(reasons[0]?.sentence).toContain('3 of 3 days')
    expect((await engine.verify()).drift).toEqual([])
  })

  test('of a week stay in place when the user moves, and a week that the move cut short is not missed', async () => {
    const engine = await open(definition)
    const write = async (...instants: string[]): Promise<void> => {
      for (const at of instants) {
        engine.at(`${at}T12:00:00.000Z`)
        await add(engine, 'words', 2)
      }
    }
    await write('2026-02-24', '2026-02-25', '2026-02-26', '2026-03-03')
    engine.at('2026-03-08T22:00:00.000Z')
    await engine.users.identify('ann', { tz: 'Asia/Tokyo' })
    await write('2026-03-10', '2026-03-11', '2026-03-12')
    const read = await engine.users.streak('ann', { streak: 'steady', historyPeriods: 3 })
    expect([read.length, read.started, read.expires]).toEqual([2, '2026-02-23', '2026-03-22'])
    expect(read.streakHistory.map(({ periodStart, length }) => [periodStart, length])).toEqual([
      ['2026-02-23', 1],
      ['2026-03-02', 0],
      ['2026-03-09', 2],
    ])
    const { reasons } = await engine.explain('ann', { streak: '2026-03-08', key: 'steady' })
    expect(reasons.map(({ type, sentence }) => [type, sentence])).toEqual([
      [
        'streak_moved',
        'A change of zone passed over 2026-03-02 to 2026-03-08: it neither ended nor extended the streak.',
      ],
    ])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('may be chosen by users of a daily streak only, if the game lets them', async () => {
    const weekly = await open({ metrics, streak: { frequency: 'weekly', metrics: { words: {} }, customization: true } })
    await weekly.users.create({ id: 'ann' })
    const choice = { streak: { on: ['mon'] } } as const
    expect(await codeOf(weekly.users.updatePreferences('ann', choice))).toBe('streak_customization_disabled')
    const fixed = await open({ metrics, streak: { frequency: 'daily', metrics: { words: {} } } })
    await fixed.users.create({ id: 'ann' })
    expect(await codeOf(fixed.users.updatePreferences('ann', choice))).toBe('streak_customization_disabled')
  })
})

test.each([
  ['on', { frequency: 'weekly', on: ['mon'] }, 'streak.on: is for a daily streak, and this one is weekly; remove it'],
  ['days off', { frequency: 'weekly', daysOff: [0] }, 'streak.daysOff: is for a daily streak, and this one is weekly'],
  [
    'no day left',
    { frequency: 'daily', daysOff: [0, 1, 2, 3, 4, 5, 6] },
    'streak.daysOff: has 7 days off; keep at most 6',
  ],
  ['both spellings', { frequency: 'daily', on: ['mon'], daysOff: [0] }, 'streak.daysOff: says the same as `on`'],
  ['days', { frequency: 'daily', days: 3 }, 'streak.days: is for a weekly streak, and this one is daily; remove it'],
  ['no day', { frequency: 'daily', on: [] }, 'streak.on: is empty; name at least one day'],
  ['a day twice', { frequency: 'daily', on: ['mon', 'mon'] }, 'streak.on[1]: is the same day as streak.on[0]'],
  ['an unknown day', { frequency: 'daily', on: ['monday'] }, "streak.on[0]: must be 'mon', 'tue'"],
  ['eight days', { frequency: 'weekly', days: 8 }, 'streak.days: must be a whole number from 1 to 7, not 8'],
])('A definition with %s is refused', (_, streak, mistake) => {
  expect(() => readDefinition({ metrics, streak: { metrics: { words: {} }, ...streak } })).toThrow(mistake)
})
