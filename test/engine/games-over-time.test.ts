// Users who began under one game and go on under another.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame, type GameDefinition } from '../../src/index.ts'
import { add, NOON, onEachStorage, openOn } from '../support/engine.ts'

const metrics = { words: { name: 'Words' }, laps: { name: 'Laps' } } as const
const paid = (metric: 'words' | 'laps', points: number) => ({
  key: metric,
  type: 'metric' as const,
  metric,
  threshold: 1,
  points,
})

/** Each word pays so many points. */
const paying = (points: number): GameDefinition => ({
  metrics,
  points: { xp: { name: 'XP', triggers: [paid('words', points)] } },
})

onEachStorage('A late event', (open) => {
  test('before the first entry is judged under the game of that entry, not under a newer one', async () => {
    const engine = await open(paying(1))
    await add(engine, 'words', 2)
    const after = await engine.redefine(paying(10))
    await add(after, 'words', 3, { occurredAt: new Date('2026-03-09T12:00:00Z') })
    expect((await after.users.points('ann', 'xp')).total).toBe(5)
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('leaves what was kept under the game that replaced all before it', async () => {
    const achievements = { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 10 } } as const
    const engine = await open(paying(1))
    const next: GameDefinition = { ...paying(1), achievements }
    await engine.apply(defineGame(next), { policy: 'recompute' })
    const after = await engine.redefine(next)
    await add(after, 'words', 10)
    // Both take the reason for the completion away, the second with the first one's kept completion in the log.
    await add(after, 'words', -1, { occurredAt: new Date('2026-03-10T11:00:00Z') })
    await add(after, 'words', -1, { occurredAt: new Date('2026-03-10T10:00:00Z') })
    expect((await after.users.achievements('ann')).map(({ key }) => key)).toEqual(['novelist'])
    expect(await after.verify()).toMatchObject({ drift: [] })
  })
})

onEachStorage('Putting a game in force', (open) => {
  test('by recompute, after it was put in force by forward, folds everybody again', async () => {
    const engine = await open(paying(1))
    await add(engine, 'words', 2)
    const next = defineGame(paying(10))
    expect(await engine.apply(next, { policy: 'forward' })).toMatchObject({ epoch: 2, changed: 0 })
    expect(await engine.apply(next, { policy: 'recompute' })).toMatchObject({ epoch: 3, changed: 1 })
    const after = await engine.redefine(paying(10))
    expect((await after.users.points('ann', 'xp')).total).toBe(20)
  })

  test('by grant gives no more than is missing to the total that the game would have led to', async () => {
    const xp = { name: 'XP', triggers: [paid('words', 4)] }
    const engine = await open({ metrics, points: { xp } })
    await add(engine, 'words', 1)
    await add(engine, 'laps', 1)
    // 10 for the lap in place of 4 for the word: 6 more.
    const next: GameDefinition = { metrics, points: { xp: { ...xp, triggers: [paid('laps', 10)] } } }
    expect(await engine.apply(defineGame(next), { policy: 'grant' })).toMatchObject({ changed: 1 })
    const after = await engine.redefine(next)
    expect((await after.users.points('ann', 'xp')).total).toBe(10)
  })

  test('counts who is on a level by its new points, those too who have done nothing since', async () => {
    const levelled = (silver: number): GameDefinition => ({
      metrics,
      points: {
        xp: {
          name: 'XP',
          triggers: [paid('words', 1)],
          levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: silver } },
        },
      },
    })
    const engine = await open(levelled(10))
    await add(engine, 'words', 12)
    const after = await engine.redefine(levelled(20))
    expect((await after.points.levelSummary('xp')).map(({ level, users }) => [level.key, users])).toEqual([
      ['bronze', 1],
      ['silver', 0],
    ])
  })
})

describe('What-if', () => {
  test('compares places in the newest run, whoever else has been in an older one alone', async () => {
    const board = { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-03-02' } as const
    const ranked = (laps: number): GameDefinition => ({
      metrics,
      points: { xp: { name: 'XP', triggers: [paid('words', 1), paid('laps', laps)] } },
      leaderboards: { xp: { ...board, run: { unit: 'day', interval: 7 } } },
    })
    const engine = await openOn(memory(), { now: NOON }, ranked(1))
    engine.at('2026-03-03T12:00:00Z')
    await add(engine, 'words', 1, { user: { id: 'bob' } })
    engine.at('2026-03-10T12:00:00Z')
    await add(engine, 'words', 5, { user: { id: 'ann' } })
    await add(engine, 'laps', 3, { user: { id: 'cid' } })

    const { leaderboards } = await engine.whatIf(defineGame(ranked(10)))

    expect(leaderboards).toEqual([{ key: 'xp', entered: 0, left: 0, up: 1, down: 1 }])
    await engine.close()
  })
})
