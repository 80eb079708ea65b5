import { expect, test } from 'vitest'
import { add, onEachStorage } from '../../support/engine.ts'

const game = (customization: boolean) =>
  ({
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    streak: { frequency: 'daily', metrics: { words: {} }, customization },
  }) as const

onEachStorage('A personal streak', (open) => {
  test('does not count while a newer game has switched them off, and counts again when it is back', async () => {
    const engine = await open(game(true))
    await engine.users.create({ id: 'ann' })
    await engine.users.updatePreferences('ann', { streak: { metrics: [{ key: 'laps' }] } })
    expect((await add(engine, 'words', 1)).currentStreak.length).toBe(0)

    const without = await engine.redefine(game(false))
    without.at('2026-03-11T12:00:00.000Z')
    expect((await add(without, 'laps', 1)).currentStreak.length).toBe(0)
    expect((await add(without, 'words', 1)).currentStreak.length).toBe(1)

    const back = await engine.redefine({ ...game(true), eventAttributes: ['source'] })
    back.at('2026-03-12T12:00:00.000Z')
    expect((await add(back, 'words', 1)).currentStreak.length).toBe(1)
    expect((await add(back, 'laps', 1)).currentStreak.length).toBe(2)
  })
})
