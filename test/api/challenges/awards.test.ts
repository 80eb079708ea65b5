// What quests pay: one award of a trigger in an entry, boosts, and achievements.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { add, type Engine, onEachStorage } from '../../support/engine.ts'

const PAGES = { pages: { name: 'Pages' } }

const pool = (xp: number) => ({
  one: { name: 'One', of: [{ metric: 'pages' as const, value: 1 }], reward: { points: { xp } } },
  two: { name: 'Two', of: [{ metric: 'pages' as const, value: 1 }], reward: { points: { xp } } },
})

const daily: GameDefinition = {
  metrics: PAGES,
  points: {
    xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'challenge:daily', threshold: 1, points: 5 }] },
  },
  challenges: { daily: { name: 'Daily', every: 'day', pick: 2, pool: pool(100) } },
}

const awardsOf = async (engine: Engine, system = 'xp') => {
  const { total, awards } = await engine.users.points('ann', system, { awards: 10 })
  return { total, awards: awards.map((award) => [award.awarded, award.total]) }
}
const driftOf = async (engine: Engine) => (await engine.verify()).drift

onEachStorage('The awards of quests', (open) => {
  test('are one of a trigger that two quests of one event make pay', async () => {
    const engine = await open(daily)
    const answer = await add(engine, 'pages', 1)
    expect(answer.points.xp?.awards.map(({ awarded }) => awarded)).toEqual([100, 10, 100])
    const paid = {
      total: 210,
      awards: [
        [100, 210],
        [10, 110],
        [100, 105],
      ],
    }
    expect(await awardsOf(engine)).toEqual(paid)
    expect(await driftOf(engine)).toEqual([])
    await add(engine, 'pages', 1, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    const both = { total: 420, awards: [[100, 420], [10, 320], [100, 315], ...paid.awards] }
    expect(await awardsOf(engine)).toEqual(both)
    expect(await driftOf(engine)).toEqual([])
    await engine.rebuild()
    expect(await awardsOf(engine)).toEqual(both)
  })

  test('are one of each points system that a quest rewards', async () => {
    const engine = await open({
      metrics: PAGES,
      points: { xp: { name: 'XP' }, gems: { name: 'Gems' } },
      challenges: {
        daily: {
          name: 'Daily',
          every: 'day',
          of: [{ metric: 'pages', value: 1 }],
          reward: { points: { xp: 10, gems: 2 } },
        },
      },
    })
    await add(engine, 'pages', 1)
    expect(await awardsOf(engine)).toEqual({ total: 10, awards: [[10, 10]] })
    expect(await awardsOf(engine, 'gems')).toEqual({ total: 2, awards: [[2, 2]] })
    expect(await driftOf(engine)).toEqual([])
    await add(engine, 'pages', 1, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    expect((await awardsOf(engine)).total).toBe(20)
    expect(await awardsOf(engine, 'gems')).toEqual({
      total: 4,
      awards: [
        [2, 4],
        [2, 2],
      ],
    })
    expect(await driftOf(engine)).toEqual([])
    const [xp, gems] = await Promise.all(['xp', 'gems'].map((key) => engine.users.points('ann', key, { awards: 1 })))
    expect(xp?.awards[0]?.id).not.toBe(gems?.awards[0]?.id)
  })
})
