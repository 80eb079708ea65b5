// A period that counts and keeps the streak alive, but must not lengthen it (decisions, section 5).

import { expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { toDateText } from '../../../src/rules/calendar.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import { add, onEachStorage, openOn } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 50 }] } },
} as const

onEachStorage('A third date within a day', (open) => {
  test('pays no length twice, and is in the history', async () => {
    const engine = await open(game)
    engine.at('2026-03-10T23:59:00.000Z')
    await add(engine, 'words', 1)
    engine.at('2026-03-11T00:01:00.000Z')
    expect((await add(engine, 'words', 1)).points.xp?.added).toBe(50)
    engine.at('2026-03-11T00:30:00.000Z')
    await engine.users.update('ann', { tz: 'Pacific/Kiritimati' })
    // 00:01 on the 12th.
    engine.at('2026-03-11T10:01:00.000Z')
    expect(await add(engine, 'words', 1)).toMatchObject({ currentStreak: { length: 2, extended: false }, points: {} })
    expect((await engine.users.points('ann', 'xp')).total).toBe(50)

    // 02:00 on the 13th.
    engine.at('2026-03-12T12:00:00.000Z')
    const { length, streakHistory } = await engine.users.streak('ann', { historyPeriods: 4 })
    expect(length).toBe(2)
    expect(streakHistory?.map((item) => [item.periodStart, item.length])).toEqual([
      ['2026-03-10', 1],
      ['2026-03-11', 2],
      ['2026-03-12', 2],
      ['2026-03-13', 2],
    ])
  })
})

test('A third date within a day has a row of its own, as every date that counted', async () => {
  const storage = memory()
  const engine = await openOn(storage, { now: '2026-03-10T23:59:00.000Z' }, game)
  await add(engine, 'words', 1)
  engine.at('2026-03-11T00:01:00.000Z')
  await add(engine, 'words', 1)
  engine.at('2026-03-11T00:30:00.000Z')
  await engine.users.update('ann', { tz: 'Pacific/Kiritimati' })
  engine.at('2026-03-11T10:01:00.000Z')
  await add(engine, 'words', 1)
  const { periods } = await loadUser(storage, { tenant: '', user: 'ann' }, { periods: {} })
  expect(periods.map(({ start, length, kind }) => [toDateText(start), length, kind])).toEqual([
    ['2026-03-12', 2, 'counted'],
    ['2026-03-11', 2, 'counted'],
    ['2026-03-10', 1, 'counted'],
  ])
  await engine.close()
})
