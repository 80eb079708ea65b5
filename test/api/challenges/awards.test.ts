// Rewards of quests: one award of a trigger in an entry, boosts, and achievements.

import { expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
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

  test('are capped once for a trigger that three quests of one event make pay', async () => {
    const trigger = { type: 'metric', metric: 'challenge:daily', threshold: 1, points: 5 } as const
    const three = { name: 'Three', of: [{ metric: 'pages', value: 1 }] } as const
    const engine = await open({
      metrics: PAGES,
      points: { xp: { name: 'XP', triggers: [{ ...trigger, cap: { points: 7, per: 'day' } }] } },
      challenges: { daily: { name: 'Daily', every: 'day', pick: 3, pool: { ...pool(100), three } } },
    })
    const { points } = await add(engine, 'pages', 1)
    expect(points.xp?.capped).toMatchObject([{ due: 10, awarded: 2, resetsAt: '2026-03-11T00:00:00.000Z' }])
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

  test('stay as they were with grant, and take nothing from what new triggers owe', async () => {
    const challenge = (value: number, xp: number) => ({
      name: `${value} pages`,
      of: [{ metric: 'pages' as const, value }],
      reward: { points: { xp } },
    })
    const engine = await open({
      metrics: PAGES,
      points: { xp: { name: 'XP' } },
      challenges: { p20: challenge(20, 300) },
    })
    await add(engine, 'pages', 50)
    const next = defineGame({
      metrics: PAGES,
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'pages', threshold: 1, points: 10 }] } },
      challenges: { p20: challenge(20, 100), p50: challenge(50, 150) },
    })
    await engine.apply(next, { policy: 'grant' })
    expect(await awardsOf(engine)).toEqual({
      total: 800,
      awards: [
        [500, 800],
        [300, 300],
      ],
    })
  })

  test('may be boosts, each with its own id, and those that are over make room', async () => {
    const boost = { system: 'xp', name: 'Double', multiplier: 2, days: 1 } as const
    const quest = { name: 'Quest', of: [{ metric: 'pages' as const, value: 1 }], reward: { boost } }
    const engine = await open({
      metrics: PAGES,
      points: { xp: { name: 'XP' } },
      challenges: { daily: { name: 'Daily', every: 'day', pick: 2, pool: { one: quest, two: quest } } },
    })
    for (let day = 0; day < 51; day += 1) {
      engine.at(new Date(Date.UTC(2026, 2, 10 + day, 12)).toISOString())
      await add(engine, 'pages', 1)
    }
    const boosts = await engine.admin.points.boosts.list('xp')
    expect(boosts.map(({ userId, start, end }) => [userId, start, end])).toEqual([
      ['ann', '2026-04-29', '2026-04-29'],
      ['ann', '2026-04-29', '2026-04-29'],
    ])
    expect(new Set(boosts.map(({ id }) => id)).size).toBe(2)
    expect(await driftOf(engine)).toEqual([])
  })

  test('may be an achievement of a call, again each time if it repeats or has expired', async () => {
    const engine = await open({
      metrics: PAGES,
      achievements: {
        often: { name: 'Often', trigger: 'api', repeat: { max: 5 } },
        valid: { name: 'Valid', trigger: 'api', validFor: { days: 1 } },
      },
      challenges: {
        daily: { name: 'Daily', every: 'day', of: [{ metric: 'pages', value: 1 }], reward: { achievement: 'often' } },
        other: { name: 'Other', every: 'day', of: [{ metric: 'pages', value: 1 }], reward: { achievement: 'valid' } },
      },
    })
    await add(engine, 'pages', 1)
    engine.at('2026-03-12T12:00:00.000Z')
    await add(engine, 'pages', 1)
    expect(await engine.users.achievements('ann')).toMatchObject([
      { key: 'often', count: 2, achievedAt: '2026-03-12T12:00:00.000Z' },
      { key: 'valid', achievedAt: '2026-03-12T12:00:00.000Z' },
    ])
    expect(await driftOf(engine)).toEqual([])
  })

  test('of a window long ago are in the answer of the late event that completed its quest', async () => {
    const engine = await open({
      metrics: PAGES,
      points: { xp: { name: 'XP' } },
      challenges: {
        daily: {
          name: 'Daily',
          every: 'day',
          of: [{ metric: 'pages', value: 2 }],
          reward: { points: { xp: 10 } },
        },
      },
    })
    await add(engine, 'pages', 1, { occurredAt: new Date('2026-03-01T10:00:00.000Z') })
    await add(engine, 'pages', 1)
    const { challenges } = await add(engine, 'pages', 1, { occurredAt: new Date('2026-03-01T12:00:00.000Z') })
    expect(challenges).toMatchObject([
      {
        key: 'daily',
        window: { start: '2026-03-01', end: '2026-03-01' },
        quest: { key: '', completedAt: '2026-03-01T12:00:00.000Z', claimed: true },
      },
    ])
  })

  test('that wait to be claimed name their windows', async () => {
    const engine = await open({
      metrics: PAGES,
      challenges: {
        daily: {
          name: 'Daily',
          every: 'day',
          of: [{ metric: 'pages', value: 1 }],
          claim: { within: { days: 5 } },
          reward: { achievement: 'done' },
        },
      },
      achievements: { done: { name: 'Done', trigger: 'api' } },
    })
    await add(engine, 'pages', 1)
    engine.at('2026-03-12T12:00:00.000Z')
    const [daily] = await engine.users.challenges('ann')
    expect(daily?.waiting).toMatchObject([
      { key: '', window: { start: '2026-03-10', end: '2026-03-10' }, claimUntil: '2026-03-15' },
    ])
  })
})
