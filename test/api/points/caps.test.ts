// Caps, cooldowns and time triggers through the calls: what answers say, and that the order of arrival never matters.

import { describe, expect, test } from 'vitest'
import { defineGame, type GameDefinition, type PointsChange } from '../../../src/index.ts'
import { add, type Engine, onEachStorage } from '../../support/engine.ts'

const METRICS = { words: { name: 'Words' }, laps: { name: 'Laps' } }

const HELD = { value: 40, per: { days: 1 }, then: 'hold' } as const

const CAPPED: GameDefinition = {
  metrics: METRICS,
  points: {
    xp: {
      name: 'XP',
      cap: { points: 50, per: 'week' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1, key: 'words', cap: { points: 20, per: 'day' } },
        { type: 'metric', metric: 'laps', threshold: 1, points: 5, key: 'laps', cooldown: { minutes: 30 } },
      ],
    },
  },
}

const ENERGY: GameDefinition = {
  metrics: METRICS,
  points: {
    energy: {
      name: 'Energy',
      maxPoints: 10,
      levels: { low: { name: 'Low', points: 0 }, full: { name: 'Full', points: 10 } },
      triggers: [
        { type: 'time', every: { hours: 1 }, points: 1, key: 'refill' },
        { type: 'metric', metric: 'words', threshold: 1, points: -1 },
        { type: 'time', every: { days: 2 }, points: -4, status: 'inactive' },
      ],
    },
  },
  leaderboards: { energetic: { name: 'Energetic', rankBy: 'points', system: 'energy', start: '2026-01-01' } },
}

const systemOf = (points: { readonly [key: string]: PointsChange }, key: string) => {
  const { total, added, awards, capped } = points[key] ?? {}
  return {
    ...{ total, added, awarded: awards?.map(({ awarded }) => awarded) },
    ...(capped === undefined ? {} : { capped: capped.map(({ triggerId: _, ...rest }) => rest) }),
  }
}

onEachStorage('Caps and cooldowns', (open) => {
  test('are told in the answer to the event that they clipped, and only there', async () => {
    const engine = await open(CAPPED)
    expect(systemOf((await add(engine, 'words', 15)).points, 'xp')).toEqual({ total: 15, added: 15, awarded: [15] })
    expect(systemOf((await add(engine, 'words', 15)).points, 'xp')).toEqual({
      ...{ total: 20, added: 5, awarded: [5] },
      capped: [{ due: 15, awarded: 5, resetsAt: '2026-03-11T00:00:00.000Z' }],
    })
    const { points } = await add(engine, 'words', 3)
    expect(systemOf(points, 'xp')).toEqual({
      ...{ total: 20, added: 0, awarded: [] },
      capped: [{ due: 3, awarded: 0, resetsAt: '2026-03-11T00:00:00.000Z' }],
    })
    const [trigger] = (await engine.points.system('xp')).triggers
    expect(points.xp?.capped?.[0]?.triggerId).toBe(trigger?.id)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('are told in the answer that approves an event which was held back, of that event alone', async () => {
    const engine = await open({ ...CAPPED, metrics: { ...METRICS, words: { name: 'Words', limits: [HELD] } } })
    await add(engine, 'words', 15)
    const { eventId, points: none } = await add(engine, 'words', 35)
    expect(none).toEqual({})
    engine.at('2026-03-11T09:00:00.000Z')
    await add(engine, 'words', 25)
    const { points } = await engine.events.approve(eventId)
    expect(systemOf(points, 'xp')).toEqual({
      ...{ total: 40, added: 5, awarded: [5] },
      capped: [{ due: 35, awarded: 5, resetsAt: '2026-03-11T00:00:00.000Z' }],
    })
    expect((await engine.events.approve(eventId)).points).toEqual({})
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('have handlers told of what was paid, not of nothing', async () => {
    const engine = await open(CAPPED)
    const told: number[] = []
    engine.on('points.changed', ({ points }) => void told.push(points.added))
    await add(engine, 'words', 30)
    await add(engine, 'words', 30)
    expect(told).toEqual([20])
  })

  test('are tried out without being used up', async () => {
    const engine = await open(CAPPED)
    await add(engine, 'words', 15)
    const tried = await engine.metrics.event('words', { user: { id: 'ann' }, value: 15 }, { dryRun: true })
    expect(systemOf(tried.points, 'xp')).toMatchObject({ added: 5, capped: [{ due: 15, awarded: 5 }] })
    expect(systemOf((await add(engine, 'words', 5)).points, 'xp')).toEqual({ total: 20, added: 5, awarded: [5] })
  })

  test('explain what they took', async () => {
    const engine = await open(CAPPED)
    await add(engine, 'laps', 1)
    await add(engine, 'words', 18)
    const { eventId } = await add(engine, 'words', 5)
    const { reasons } = await engine.explain('ann', { event: eventId })
    expect(reasons.filter(({ type }) => type.startsWith('points')).map(({ sentence }) => sentence)).toEqual([
      'The trigger of "xp" that pays 1 for every 1 of "words" owed 5, and its cap left 2: it could pay again from 2026-03-11T00:00:00.000Z on.',
      'It gave 2, of 5 due by the trigger of "xp" that pays 1 for every 1 of "words": the total became 25.',
    ])
    const cooling = await add(engine, 'laps', 1)
    const told = await engine.explain('ann', { event: cooling.eventId })
    expect(told.reasons.filter(({ type }) => type.startsWith('points'))).toMatchObject([
      { type: 'points_held_back', due: 5, left: 0, by: ['cooldown'], resetsAt: '2026-03-10T12:30:00.000Z' },
    ])
  })
})

onEachStorage('Time triggers', (open) => {
  const created = async (engine: Engine) => engine.users.identify('ann', { tz: 'Europe/Berlin' })
  const energy = async (engine: Engine) => {
    const { total, level, awards } = await engine.users.points('ann', 'energy')
    return { total, level: level?.key, awards: awards.map(({ awarded }) => awarded) }
  }

  test('are read as they would be now, and nothing is written', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    expect(await energy(engine)).toEqual({ total: 0, level: 'low', awards: [] })
    engine.at('2026-03-10T15:30:00.000Z')
    expect(await energy(engine)).toEqual({ total: 3, level: 'low', awards: [] })
    engine.at('2036-03-10T15:30:00.000Z')
    expect(await energy(engine)).toEqual({ total: 10, level: 'full', awards: [] })
    engine.at('2026-03-10T12:30:00.000Z')
    expect(await energy(engine)).toEqual({ total: 0, level: 'low', awards: [] })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('are not granted for the time before the game had them', async () => {
    const engine = await open({ metrics: METRICS, points: { energy: { name: 'Energy' } } })
    await created(engine)
    engine.at('2026-03-11T12:00:00.000Z')
    await add(engine, 'words', 1)
    await engine.apply(defineGame(ENERGY), { policy: 'grant' })
    await add(engine, 'laps', 1)
    expect(await energy(engine)).toMatchObject({ total: 0 })
    engine.at('2026-03-11T13:00:00.000Z')
    expect(await energy(engine)).toMatchObject({ total: 1 })
  })
})

onEachStorage('What another game would do', (open) => {
  test('is told with its caps', async () => {
    const engine = await open({
      metrics: METRICS,
      points: {
        xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1, key: 'words' }] },
      },
    })
    await add(engine, 'words', 30)
    const report = await engine.whatIf(defineGame(CAPPED))
    expect(report.largest).toMatchObject([{ user: 'ann', points: { xp: -10 } }])
  })
})

describe('A definition', () => {
  test('is the same after it was stored', () => {
    for (const definition of [CAPPED, ENERGY]) {
      const stored = defineGame(definition).definition
      expect(defineGame(JSON.parse(JSON.stringify(stored))).definition).toEqual(stored)
    }
  })
})
