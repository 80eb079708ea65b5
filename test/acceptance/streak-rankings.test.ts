import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 1 } },
}

const write = async (engine: Engine, id: string, days: readonly string[], user: object = {}): Promise<void> => {
  for (const day of days) {
    engine.at(`2026-03-${day}T12:00:00.000Z`)
    await add(engine, 'words', 1, { user: { id, ...user } })
  }
}

const ranked = async (engine: Engine, type: 'active' | 'longest' = 'active') =>
  (await engine.streaks.rankings({ type })).map(({ userId, streakLength }) => `${userId} ${streakLength}`)

onEachStorage('Streak rankings', (open) => {
  test('have streaks that a freeze keeps, and pass over those that have expired in their own zones', async () => {
    const engine = await open(game)
    await write(engine, 'ann', ['01', '02', '03', '04'])
    await write(engine, 'bob', ['04', '05', '06'], { tz: 'Pacific/Kiritimati' })
    await write(engine, 'cid', ['05', '06'], { tz: 'Pacific/Pago_Pago' })
    expect(await ranked(engine)).toEqual(['ann 4', 'bob 3', 'cid 2'])
    // Ann has missed two days, and a freeze covers one of them.
    engine.at('2026-03-07T12:00:00.000Z')
    expect(await ranked(engine)).toEqual(['bob 3', 'cid 2'])
    // Bob's 9 March is over, and Cid's 8 March is not.
    engine.at('2026-03-09T10:30:00.000Z')
    expect(await ranked(engine)).toEqual(['cid 2'])
    expect(await ranked(engine, 'longest')).toEqual(['ann 4', 'bob 3', 'cid 2'])
  })

  test('leave out who wants no streak', async () => {
    const engine = await open(game)
    await write(engine, 'ann', ['01', '02', '03'])
    await write(engine, 'bob', ['03'])
    await engine.users.updatePreferences('ann', { streak: { enabled: false } })
    expect([await ranked(engine), await ranked(engine, 'longest')]).toEqual([['bob 1'], ['bob 1']])
    await engine.users.updatePreferences('ann', { streak: { enabled: true } })
    expect([await ranked(engine), await ranked(engine, 'longest')]).toEqual([['bob 1'], ['ann 3', 'bob 1']])
  })

  test('look behind many that have expired, and order equal ones by their ids', async () => {
    const engine = await open(game)
    const lapsed = Array.from({ length: 300 }, (_, n) => ['01', '02'].map((day) => ({ id: `lapsed-${n}`, day })))
    await engine.import(
      lapsed.flat().map(({ id, day }) => ({
        metric: 'words',
        user: { id },
        value: 1,
        occurredAt: new Date(`2026-03-${day}T12:00:00.000Z`),
      })),
    )
    for (const id of ['😀', 'z', 'a']) await write(engine, id, ['10'])
    expect(await ranked(engine)).toEqual(['a 1', 'z 1', '😀 1'])
  })

  test('are of the newest game: streaks of another frequency begin anew, the longest ever stay', async () => {
    const engine = await open(game)
    await write(engine, 'ann', ['01', '02', '03'])
    const weekly = await engine.redefine({ ...game, streak: { frequency: 'weekly', metrics: { words: {} } } })
    expect([await ranked(weekly), await ranked(weekly, 'longest')]).toEqual([[], ['ann 3']])
    expect(await ranked(engine)).toEqual(['ann 3'])
    await add(weekly, 'words', 1)
    // This process has not read the newer game yet.
    expect(await ranked(engine)).toEqual(['ann 1'])
    const { streak: _, ...none } = game
    expect(await (await engine.redefine(none)).streaks.rankings({ type: 'longest' })).toEqual([])
  })
})
