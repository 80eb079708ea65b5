// Metrics that keep the highest, the lowest or the newest value, or count different ones: the result is that of the log's order, whatever the
// order of arrival.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import { add, type Engine, onEachStorage, openOn } from '../support/engine.ts'

const definition = {
  metrics: {
    score: { name: 'Score', aggregation: 'max' },
    lap: { name: 'Lap', aggregation: 'min', unit: 's' },
    rating: { name: 'Rating', aggregation: 'last' },
    cities: { name: 'Cities', aggregation: 'distinct', of: 'city' },
  },
  eventAttributes: ['track', 'city'],
  achievements: {
    high: { name: 'High', trigger: 'metric', metric: 'score', value: 40 },
    quick: { name: 'Quick', trigger: 'metric', metric: 'lap', value: 40, eventAttributes: { track: 'north' } },
    expert: { name: 'Expert', trigger: 'metric', metric: 'rating', value: 60 },
    traveller: { name: 'Traveller', trigger: 'metric', metric: 'cities', value: 3 },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'score', threshold: 20, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { lap: { threshold: 20 } } },
  leaderboards: {
    scores: { name: 'Scores', rankBy: 'metric', metric: 'score', start: '2026-03-01', run: { unit: 'day' } },
    ratings: { name: 'Ratings', rankBy: 'metric', metric: 'rating', start: '2026-03-01', maxParticipants: null },
    cities: { name: 'Cities', rankBy: 'metric', metric: 'cities', start: '2026-03-01', run: { unit: 'day' } },
  },
} as const

const METRICS = ['score', 'lap', 'rating'] as const
const NOW = '2026-03-10T20:00:00.000Z'
/** The values of each metric, in the order of the log. */
const VALUES = [30, 10, 60, 20, 50, 40]

interface Happened {
  readonly hour: number
  readonly value: number
}
const DAY: readonly Happened[] = VALUES.map((value, index) => ({ hour: 9 + index, value }))

/** The calls arrive in this order; late ones that wait share one replay. */
async function play(engine: Engine, events: readonly Happened[]): Promise<void> {
  const calls = events.flatMap(({ hour, value }) => {
    const occurredAt = new Date(`2026-03-10T${String(hour).padStart(2, '0')}:00:00.000Z`)
    const attributes = { track: value === 20 ? 'north' : 'south' }
    // Each city twice.
    const visit = { occurredAt, attributes: { city: String(value % 30) } }
    return [
      ...METRICS.map((metric) => add(engine, metric, value, { occurredAt, attributes })),
      add(engine, 'cities', 1, visit),
    ]
  })
  await Promise.all(calls)
}

async function resultOf({ users, leaderboards }: Engine) {
  const achievements = await users.achievements('ann')
  const boards = await Promise.all(['scores', 'ratings', 'cities'].map((key) => leaderboards.get(key)))
  return {
    totals: (await users.allMetrics('ann')).map(({ current }) => current),
    achieved: achievements.map(({ key, achievedAt }) => [key, achievedAt]),
    points: (await users.points('ann', 'xp')).total,
    streak: (await users.streak('ann')).length,
    scores: boards.map(({ rankings }) => rankings.map(({ value }) => value)),
  }
}

const RESULT = {
  totals: [60, 10, 40, 3],
  achieved: [
    ['high', '2026-03-10T11:00:00.000Z'],
    ['quick', '2026-03-10T12:00:00.000Z'],
    ['expert', '2026-03-10T11:00:00.000Z'],
    ['traveller', '2026-03-10T12:00:00.000Z'],
  ],
  points: 15,
  streak: 1,
  scores: [[60], [40], [3]],
}

test('a late event comes after those that were there at its instant', async () => {
  const engine = await openOn(memory(), { now: NOW }, definition)
  const at = (hour: string) => ({ occurredAt: new Date(`2026-03-10T${hour}:00:00.000Z`) })
  await add(engine, 'rating', 30, at('12'))
  await add(engine, 'lap', 1, at('13'))
  await add(engine, 'rating', 50, at('12'))
  expect((await engine.users.singleMetric('ann', 'rating')).current).toBe(50)
  await engine.close()
})

onEachStorage('Totals that are no sums', (open) => {
  test('are those of the log, and the audit agrees', async () => {
    const engine = await open(definition)
    engine.at(NOW)
    await play(
      engine,
      [5, 2, 0, 4, 1, 3].flatMap((index) => DAY[index] ?? []),
    )
    expect(await resultOf(engine)).toEqual(RESULT)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('lose a voided event', async () => {
    const engine = await open(definition)
    const best = await add(engine, 'lap', 30)
    await add(engine, 'lap', 35)
    const last = await add(engine, 'rating', 70)
    expect((await engine.events.void(best.eventId)).total).toBe(35)
    expect((await engine.events.void(last.eventId)).total).toBe(0)
  })

  test('are summed up by day as the total and its moves', async () => {
    const engine = await open(definition)
    for (const [day, value] of [
      ['08', 30],
      ['08', 35],
      ['10', 28],
    ] as const) {
      await add(engine, 'lap', value, { occurredAt: new Date(`2026-03-${day}T09:00:00.000Z`) })
    }
    const range = { aggregation: 'daily', startDate: '2026-03-08', endDate: '2026-03-10' } as const
    expect(await engine.users.metricEventSummary('ann', 'lap', range)).toEqual([
      { date: '2026-03-08', total: 30, change: 30 },
      { date: '2026-03-09', total: 30, change: 0 },
      { date: '2026-03-10', total: 28, change: -2 },
    ])
  })
})

describe('Another aggregation', () => {
  test('begins the total and the leaderboard again, or recomputes both', async () => {
    const sums = { ...definition, metrics: { ...definition.metrics, rating: { name: 'Rating' } } } as const
    for (const policy of ['forward', 'recompute'] as const) {
      const engine = await openOn(memory(), { now: NOW }, sums)
      await add(engine, 'rating', 5)
      await add(engine, 'rating', 7)
      await engine.apply(defineGame(definition), { policy })
      const next = await engine.redefine(definition)
      if (policy === 'forward') await add(next, 'rating', 3)
      expect((await resultOf(next)).totals[2]).toBe(policy === 'forward' ? 3 : 7)
      expect(await next.verify()).toMatchObject({ drift: [] })
      await engine.close()
    }
  })
})
