import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 2, max: 2 } },
  streaks: { gym: { frequency: 'weekly', metrics: { words: {} } } },
}
const reset = { users: [{ id: 'ann' }] }

async function live(engine: Engine, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    engine.at(`2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`)
    await add(engine, 'words', 1)
  }
}

async function history(engine: Engine, historyPeriods: number): Promise<readonly unknown[]> {
  const { streakHistory } = await engine.users.streak('ann', { historyPeriods })
  return streakHistory.map(({ periodStart, length, resetAt }) => [
    periodStart.slice(-2),
    length,
    ...(resetAt ? [resetAt] : []),
  ])
}

onEachStorage('A reset', (open) => {
  test('ends a streak at once, even if the period counted, and is in the history', async () => {
    const engine = await open(game)
    const received: unknown[] = []
    await engine.subscribe('all', { types: ['streak.lost'] }, (messages) => {
      for (const { type } of messages) received.push(type)
    })
    await live(engine, 10, 11, 12)
    engine.at('2026-03-12T14:00:00.000Z')
    expect(await engine.admin.streaks.reset(reset)).toEqual({ resetUsers: ['ann'], issues: [] })
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0, expires: null, freezes: 2 })
    expect(await history(engine, 3)).toEqual([
      ['10', 1],
      ['11', 2],
      ['12', 0, '2026-03-12T14:00:00.000Z'],
    ])
    engine.at('2026-03-14T14:00:00.000Z')
    await engine.workOnce()
    expect(received).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('lets an event later on the same day start a streak of 1', async () => {
    const engine = await open(game)
    await live(engine, 10, 11)
    await engine.admin.streaks.reset(reset)
    engine.at('2026-03-11T15:00:00.000Z')
    expect((await add(engine, 'words', 1)).currentStreak).toMatchObject({ length: 1, extended: true })
    expect(await history(engine, 2)).toEqual([
      ['10', 1],
      ['11', 1, '2026-03-11T12:00:00.000Z'],
    ])
    await live(engine, 12)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 2 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('leaves the length of a streak that began on the same day in the history after it is lost', async () => {
    const engine = await open({ ...game, streak: { frequency: 'daily', metrics: { words: {} } } })
    await live(engine, 10, 11)
    await engine.admin.streaks.reset(reset)
    engine.at('2026-03-11T15:00:00.000Z')
    await add(engine, 'words', 1)
    engine.at('2026-03-13T12:00:00.000Z')
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0 })
    expect(await history(engine, 4)).toEqual([
      ['10', 1],
      ['11', 1, '2026-03-11T12:00:00.000Z'],
      ['12', 0],
      ['13', 0],
    ])
    await live(engine, 14)
    expect((await history(engine, 4))[0]).toEqual(['11', 1, '2026-03-11T12:00:00.000Z'])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is undone by a restore: the day counts once, and has no mark', async () => {
    const engine = await open(game)
    await live(engine, 10, 11, 12)
    engine.at('2026-03-12T14:00:00.000Z')
    await engine.admin.streaks.reset(reset)
    expect(await engine.admin.streaks.restore(reset)).toMatchObject({ restoredUsers: ['ann'] })
    engine.at('2026-03-12T15:00:00.000Z')
    expect((await add(engine, 'words', 1)).currentStreak).toMatchObject({ length: 3, extended: false })
    expect(await history(engine, 3)).toEqual([
      ['10', 1],
      ['11', 2],
      ['12', 3],
    ])
    await live(engine, 13)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 4 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('of a day that had not counted is undone, and the day can count', async () => {
    const engine = await open(game)
    await live(engine, 10, 11)
    engine.at('2026-03-12T08:00:00.000Z')
    await engine.admin.streaks.reset(reset)
    await engine.admin.streaks.restore(reset)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 2 })
    await live(engine, 12)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 3 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('of a named streak leaves the others', async () => {
    const engine = await open(game)
    await live(engine, 10, 11)
    expect(await engine.admin.streaks.reset({ ...reset, streak: 'gym' })).toMatchObject({ resetUsers: ['ann'] })
    expect(await engine.users.streak('ann')).toMatchObject({ length: 2 })
    expect(await engine.users.streak('ann', { streak: 'gym' })).toMatchObject({ length: 0 })
    expect(await codeOf(engine.admin.streaks.reset({ ...reset, streak: 'swim' }))).toBe('unknown_streak')
  })

  test('of a user without a streak is a warning, and of an unknown one an error', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'bob' })
    const { resetUsers, issues } = await engine.admin.streaks.reset({ users: [{ id: 'bob' }, { id: 'zoe' }] })
    expect(resetUsers).toEqual([])
    expect(issues.map(({ userId, severity, message }) => [userId, severity, message])).toEqual([
      ['bob', 'warning', 'There is nothing to reset: the user has no streak.'],
      ['zoe', 'error', expect.stringContaining('Unknown user')],
    ])
  })

  test('stays where it is when an event arrives late, and is in exports', async () => {
    const engine = await open(game)
    await live(engine, 9, 11)
    await engine.admin.streaks.reset(reset)
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-10T12:00:00.000Z') })
    expect(await history(engine, 3)).toEqual([
      ['09', 1],
      ['10', 2],
      ['11', 0, '2026-03-11T12:00:00.000Z'],
    ])
    const lines: string[] = []
    for await (const line of engine.export()) lines.push(line)
    const other = await open(game)
    await other.import(lines)
    other.at('2026-03-11T12:00:00.000Z')
    expect(await history(other, 3)).toEqual(await history(engine, 3))
    expect((await other.verify()).drift).toEqual([])
  })
})
