// Caps, cooldowns and time triggers through the calls: what answers say, and that the order of arrival never matters.

import { describe, expect, test } from 'vitest'
import { defineGame, type GameDefinition, type PointsChange } from '../../../src/index.ts'
import { add, type Engine, onEachStorage } from '../../support/engine.ts'
import { howMany } from '../../support/share.ts'

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

  test('tell no more points as due than there can be', async () => {
    const engine = await open({
      metrics: METRICS,
      points: {
        xp: {
          name: 'XP',
          cap: { points: 50, per: 'ever' },
          triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 40 }],
        },
      },
    })
    expect(systemOf((await add(engine, 'words', 1e15)).points, 'xp')).toEqual({
      ...{ total: 50, added: 50, awarded: [50] },
      capped: [{ due: 9_007_199_254_740_991, awarded: 50, resetsAt: null }],
    })
  })

  test('name the latest time of those that hold back', async () => {
    const engine = await open(CAPPED)
    await add(engine, 'laps', 9)
    engine.at('2026-03-10T12:29:59.999Z')
    expect(systemOf((await add(engine, 'laps', 1)).points, 'xp')).toMatchObject({
      capped: [{ due: 5, awarded: 0, resetsAt: '2026-03-10T12:30:00.000Z' }],
    })
    engine.at('2026-03-10T12:30:00.000Z')
    // 45 of the week are paid.
    expect(systemOf((await add(engine, 'laps', 2)).points, 'xp')).toMatchObject({
      ...{ total: 50, added: 5 },
      capped: [{ due: 10, awarded: 5, resetsAt: '2026-03-16T00:00:00.000Z' }],
    })
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
      'Of the 5 due by the trigger of "xp" that pays 1 for every 1 of "words", its cap left 2: it could pay again from 2026-03-11T00:00:00.000Z on.',
      'It gave 2, of 5 due by the trigger of "xp" that pays 1 for every 1 of "words": the total became 25.',
    ])
    const cooling = await add(engine, 'laps', 1)
    const told = await engine.explain('ann', { event: cooling.eventId })
    expect(told.reasons.filter(({ type }) => type.startsWith('points'))).toMatchObject([
      { type: 'points_held_back', due: 5, left: 0, by: ['cooldown'], resetsAt: '2026-03-10T12:30:00.000Z' },
    ])
  })

  test('deal the day anew when an event of it is voided', async () => {
    const engine = await open(CAPPED)
    const first = await add(engine, 'words', 15)
    await add(engine, 'words', 15)
    const { points } = await engine.events.void(first.eventId)
    // The second event has room for 15 now.
    expect(systemOf(points, 'xp')).toMatchObject({ total: 15, added: -5 })
    expect(systemOf((await add(engine, 'words', 20)).points, 'xp')).toMatchObject({ total: 20, added: 5 })
    expect(await engine.verify()).toMatchObject({ drift: [] })
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

  test('are stored with the next entry, dated with it, before what it does', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    engine.at('2026-03-12T09:00:00.000Z')
    const { points, leaderboards } = await add(engine, 'words', 3)
    expect(systemOf(points, 'energy')).toEqual({ total: 7, added: 7, awarded: [10, -3] })
    expect(leaderboards.energetic).toMatchObject({ rank: 1 })
    expect((await engine.leaderboards.get('energetic')).rankings).toMatchObject([{ userId: 'ann', value: 7 }])
    const { awards } = await engine.users.points('ann', 'energy', { awards: 5 })
    expect(awards.map(({ awarded, total, date }) => [awarded, total, date])).toEqual([
      [-3, 7, '2026-03-12T09:00:00.000Z'],
      [10, 10, '2026-03-12T09:00:00.000Z'],
    ])
    const summary = await engine.users.pointsEventSummary('ann', 'energy', {
      ...{ aggregation: 'daily', startDate: '2026-03-11', endDate: '2026-03-12' },
    })
    expect(summary).toMatchObject([
      { date: '2026-03-11', change: 0 },
      { date: '2026-03-12', change: 7 },
    ])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('are shown with what they count', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    const { triggers } = await engine.points.system('energy')
    expect(triggers[0]).toMatchObject({ type: 'time', points: 1, timeUnit: 'hour', timeInterval: 1, status: 'active' })
    const [system] = await engine.admin.points.systems.list()
    expect(system?.triggers.map(({ timeUnit, timeInterval }) => [timeUnit, timeInterval])).toEqual([
      ['hours', 1],
      [undefined, undefined],
      ['days', 2],
    ])
    engine.at('2026-03-10T14:00:00.000Z')
    await created(engine)
    await add(engine, 'laps', 1)
    const { awards } = await engine.users.points('ann', 'energy', { awards: 1 })
    expect(awards[0]?.trigger).toMatchObject({ type: 'time', timeUnit: 'hour', timeInterval: 1 })
  })

  test('explain what came until the event', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    engine.at('2026-03-10T16:00:00.000Z')
    const { eventId } = await add(engine, 'words', 1)
    const { reasons } = await engine.explain('ann', { event: eventId })
    expect(reasons.filter(({ type }) => type.startsWith('points')).map(({ sentence }) => sentence)).toEqual([
      'Until then time had given 4 by the trigger of "energy" that pays 1 every hour: the total became 4.',
      'It gave -1 by the trigger of "energy" that pays -1 for every 1 of "words": the total became 3.',
    ])
  })

  test('explain an event also where the trigger went with the game that the event left behind', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    engine.at('2026-03-10T16:00:00.000Z')
    const next = await engine.redefine({ metrics: METRICS, points: { energy: { name: 'Energy' } } })
    const { eventId } = await add(next, 'words', 1)
    const { reasons } = await next.explain('ann', { event: eventId })
    expect(reasons.filter(({ type }) => type.startsWith('points'))).toMatchObject([
      { type: 'points_by_time', awarded: 4 },
    ])
    expect(await next.verify()).toMatchObject({ drift: [] })
    await next.close()
  })

  test('are told where an event used them up, also where their trigger went with the game that it left behind', async () => {
    const engine = await open(ENERGY)
    await created(engine)
    engine.at('2026-03-10T16:00:00.000Z')
    const next = await engine.redefine({
      metrics: METRICS,
      points: {
        energy: { name: 'Energy', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: -4 }] },
      },
    })
    const { points } = await add(next, 'words', 1)
    expect(systemOf(points, 'energy')).toEqual({ total: 0, added: 0, awarded: [4, -4] })
    await next.close()
  })

  test('let an event use what came until it', async () => {
    const engine = await open({
      metrics: METRICS,
      points: {
        energy: {
          name: 'Energy',
          triggers: [
            { type: 'time', every: { hours: 1 }, points: 1 },
            { type: 'metric', metric: 'words', threshold: 1, points: -3, blockIfOutOfPoints: true },
          ],
        },
      },
    })
    await created(engine)
    engine.at('2026-03-10T14:59:59.999Z')
    await expect(add(engine, 'words', 1)).rejects.toMatchObject({ code: 'out_of_points' })
    engine.at('2026-03-10T15:00:00.000Z')
    expect((await add(engine, 'words', 1)).points.energy).toMatchObject({
      total: 0,
      added: 0,
      awards: [{ awarded: 3 }, { awarded: -3 }],
    })
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

/** All orders of a list. */
function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first, place) => permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]))
}

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

interface Done {
  readonly at: string
  readonly metric: string
  readonly value: number
}

/** What a user's points come to: the total, and what was awarded when. */
async function outcomeOf(engine: Engine, id: string) {
  const { total, awards } = await engine.users.points(id, 'xp', { awards: 100 })
  return { total, awards: awards.map(({ awarded, date, total: then }) => [date.slice(5, 16), awarded, then]).reverse() }
}

async function record(engine: Engine, id: string, events: readonly Done[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { at, metric, value } of events) {
    const occurredAt = new Date(at)
    ids.push((await engine.metrics.event(metric, { user: { id }, value, occurredAt })).eventId)
  }
  return ids
}

onEachStorage('The order of arrival', (open) => {
  const ORDERED: GameDefinition = {
    metrics: METRICS,
    achievements: { hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 40 } },
    points: {
      xp: {
        name: 'XP',
        maxPoints: 60,
        cap: { points: 45, per: 'week' },
        triggers: [
          { type: 'metric', metric: 'words', threshold: 1, points: 1, cap: { points: 20, per: 'day' } },
          { type: 'metric', metric: 'laps', threshold: 1, points: 5, cooldown: { minutes: 90 } },
          { type: 'achievement', achievement: 'hundred', points: 9, exempt: true },
        ],
      },
    },
  }
  const day: readonly Done[] = [
    { at: '2026-03-09T01:00:00Z', metric: 'words', value: 12 },
    { at: '2026-03-09T06:00:00Z', metric: 'laps', value: 1 },
    { at: '2026-03-09T07:00:00Z', metric: 'laps', value: 2 },
    { at: '2026-03-09T11:00:00Z', metric: 'words', value: 15 },
    { at: '2026-03-09T16:00:00Z', metric: 'laps', value: 4 },
    { at: '2026-03-09T21:00:00Z', metric: 'words', value: 15 },
  ]
  const expected = {
    total: 54,
    awards: [
      ['03-09T01:00', 12, 12],
      ['03-09T06:00', 5, 17],
      ['03-09T11:00', 8, 25],
      ['03-09T16:00', 20, 45],
      ['03-09T21:00', 9, 54],
    ],
  }

  test('of a day’s events never matters', async () => {
    const engine = await open(ORDERED)
    const orders = permutations(day)
    const isMemory = expect.getState().currentTestName?.includes('on memory') === true
    const every = isMemory ? howMany(6, 1, 1) : 48
    for (const [index, order] of orders.entries()) {
      if (index % every !== 0 && index !== orders.length - 1) continue
      await record(engine, `user-${index}`, order)
      expect(await outcomeOf(engine, `user-${index}`), `order ${index}`).toEqual(expected)
    }
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('never matters for what is left when one of them is voided', async () => {
    const engine = await open(ORDERED)
    for (const [index, order] of [day, day.toReversed(), shuffled(day, 5), shuffled(day, 77)].entries()) {
      const ids = await record(engine, `user-${index}`, order)
      const voided = ids[order.findIndex(({ at }) => at === '2026-03-09T01:00:00Z')]
      await engine.events.void(voided ?? '', { revoke: true })
      expect(await outcomeOf(engine, `user-${index}`), `order ${index}`).toEqual({
        total: 45,
        awards: [
          ['03-09T06:00', 5, 5],
          ['03-09T11:00', 15, 20],
          ['03-09T16:00', 20, 40],
          ['03-09T21:00', 5, 45],
        ],
      })
    }
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('of the events of several weeks never matters', async () => {
    const engine = await open(ORDERED)
    const weeks = Array.from({ length: 60 }, (_, index): Done => {
      const at = new Date(Date.UTC(2026, 0, 5, 3) + index * 13 * 3_600_000 + (index % 7) * 1_700_000).toISOString()
      return { at, metric: index % 3 === 0 ? 'laps' : 'words', value: 1 + ((index * 7) % 11) }
    })
    await record(engine, 'in-order', weeks)
    const inOrder = await outcomeOf(engine, 'in-order')
    for (const seed of [1, 2, 3]) {
      await record(engine, `shuffled-${seed}`, shuffled(weeks, seed))
      expect(await outcomeOf(engine, `shuffled-${seed}`), `seed ${seed}`).toEqual(inOrder)
    }
    expect(await engine.verify()).toMatchObject({ drift: [] })
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
