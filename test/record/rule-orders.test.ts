import { describe, expect, test } from 'vitest'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import { times, useAllPlaces, useEngines } from '../support/places.ts'
import { howMany } from '../support/share.ts'
import { createRandom, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const NOW = '2026-03-20T12:00:00.000Z'

const game = defineGame({
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  eventAttributes: ['source'],
  achievements: {
    writer: {
      name: 'Writer',
      trigger: 'metric',
      metric: 'words',
      tiers: { bronze: { value: 5 }, silver: { value: 12 }, gold: { value: 30 } },
    },
    again: { name: 'Again', trigger: 'metric', metric: 'words', value: 7, repeat: true },
    web: {
      name: 'Web',
      trigger: 'metric',
      metric: 'laps',
      value: 2,
      repeat: { max: 3 },
      eventAttributes: { source: 'web' },
    },
    // Without `repeat`: two streaks may grow together to one, and what both completed stays.
    week: { name: 'Week', trigger: 'streak', length: 3 },
    swimmer: { name: 'Swimmer', trigger: 'streak', streak: 'swim', length: 2 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['writer.bronze', 'swimmer'] },
  },
  points: {
    xp: {
      name: 'XP',
      cap: { points: 60, per: 'week' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 2, points: 5, cap: { points: 12, per: 'day' } },
        { type: 'metric', metric: 'laps', threshold: 1, points: 4, cooldown: { minutes: 180 } },
        { type: 'achievement', achievement: 'again', points: 9, exempt: true },
        { type: 'streak', streak: 'swim', length: 2, points: 3 },
      ],
      boosts: {
        weekend: { name: 'Weekend', start: '2026-03-14', end: '2026-03-15', multiplier: 2 },
        spring: { name: 'Spring', start: '2026-03-12', multiplier: 1.5, rounding: 'nearest' },
      },
    },
    energy: {
      name: 'Energy',
      maxPoints: 40,
      triggers: [
        { type: 'time', every: { hours: 5 }, points: 2 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -3 },
      ],
    },
  },
  // Without freezes: an earlier event may use one that a later streak was kept by, and what that completed stays.
  streak: { frequency: 'daily', metrics: { words: {} } },
  streaks: { swim: { frequency: 'daily', metrics: { laps: {} } } },
}) as DefinedGame

const start = useEngines(NOW)
const places = useAllPlaces()

interface Told {
  readonly metric: string
  readonly value: number
  readonly attributes: { readonly source?: string }
  readonly occurredAt: Date
}

/** Two weeks of somebody's events, each at an instant of its own, in order. */
function historyOf(seed: number): readonly Told[] {
  const random = createRandom(seed)
  const instants = times(16, () => Date.parse(NOW) - 1_000 - Math.floor(random() * 14 * 1_440) * 60_000)
  return [...new Set(instants)]
    .sort((a, b) => a - b)
    .map((at) => ({
      metric: random() < 0.6 ? 'words' : 'laps',
      value: 1 + Math.floor(random() * 5),
      attributes: random() < 0.5 ? { source: 'web' } : {},
      occurredAt: new Date(at),
    }))
}

function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = createRandom(seed)
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

type Engine = Awaited<ReturnType<typeof start>>

async function tell(engine: Engine, id: string, events: readonly Told[]): Promise<object> {
  const first = events.reduce((a, b) => (a.occurredAt < b.occurredAt ? a : b))
  // Created at the first of them, so that time begins for all alike.
  await engine.import([{ user: { id }, ...first, value: 0 }] as never)
  for (const { metric, ...event } of events)
    await engine.metrics.event(metric as never, { user: { id }, ...event } as never)
  const [xp, energy] = [await engine.users.points(id, 'xp' as never), await engine.users.points(id, 'energy' as never)]
  const awards = (await engine.users.points(id, 'xp' as never, { awards: 100 })).awards
  return {
    totals: [xp.total, energy.total],
    awards: awards.map(({ awarded, date, total, boosts }) => [awarded, date, total, boosts?.map(({ name }) => name)]),
    achievements: (await engine.users.achievements(id)).map(({ key, count, achievedAt }) => [key, count, achievedAt]),
    streaks: [await engine.users.streak(id), await engine.users.streak(id, { streak: 'swim' } as never)].map(
      ({ length, started, streakHistory }) => ({ length, started, streakHistory }),
    ),
  }
}

describe.each(places)('Events with every rule at once, on $name', ({ name, make }) => {
  test(`come to the same in whatever order they are told (seed ${SEED})`, async () => {
    const engine = (await start(game, make()())) as Engine
    const orders = name === 'memory' ? howMany(24, 200, 10_000) : howMany(2, 10, 100)
    for (let n = 0; n < orders; n += 1) {
      const history = historyOf(SEED + Math.floor(n / 8))
      const told = await tell(engine, `told-${n}`, shuffled(history, SEED + n))
      const inOrder = await tell(engine, `in-order-${n}`, history)
      expect(told, `order ${n}`).toEqual(inOrder)
    }
    expect(await engine.verify()).toMatchObject({ drift: [] })
  }, 1_800_000)
})
