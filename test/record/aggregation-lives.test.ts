// Random lives of users in a game with every aggregation, boards in both directions and streaks on chosen days: late
// events, voids, moves, choices, merges, and games that change in the middle.

import { expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../src/index.ts'
import { WEEKDAYS } from '../../src/rules/calendar.ts'
import { type Engine, onEachStorage } from '../support/engine.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const HOUR = 3_600_000
const START = Date.parse('2026-03-02T06:00:00.000Z')
const METRICS = ['sum', 'max', 'min', 'last', 'distinct'] as const
type Kind = (typeof METRICS)[number]
const USERS = ['ann', 'bob', 'cid'] as const
const ZONES = ['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

const board = (metric: Kind, more: object = {}) =>
  ({ name: metric, rankBy: 'metric', metric, start: '2026-01-01', ...more }) as const
const metric = (aggregation: Kind) => ({ name: aggregation, aggregation, unit: 'u' })
const places = { name: 'Places', aggregation: 'distinct', of: 'place' } as const

function gameWith(last: Kind, more: object = {}): GameDefinition {
  return {
    metrics: { sum: metric('sum'), max: metric('max'), min: metric('min'), last: metric(last), distinct: places },
    eventAttributes: ['place'],
    achievements: {
      quick: { name: 'Quick', trigger: 'metric', metric: 'min', tiers: { a: { value: 20 }, b: { value: 5 } } },
      far: { name: 'Far', trigger: 'metric', metric: 'distinct', value: 4 },
      tens: { name: 'Tens', trigger: 'metric', metric: 'max', value: 10, repeat: true },
      ...more,
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'metric', metric: 'max', threshold: 7, points: 3 },
          { type: 'metric', metric: 'distinct', threshold: 2, points: 4, eventAttributes: { place: '3' } },
        ],
      },
    },
    streak: { frequency: 'daily', metrics: { sum: {} }, on: ['mon', 'wed', 'fri', 'sun'], customization: true },
    streaks: {
      steady: { frequency: 'weekly', days: 2, metrics: { min: { threshold: 30 } } },
      explorer: { frequency: 'weekly', metrics: { distinct: { threshold: 2 } } },
    },
    leaderboards: {
      low: board('min', { ties: 'shared', maxParticipants: 2 }),
      high: board('max', { maxParticipants: null, run: { unit: 'day', interval: 7 } }),
      explorers: board('distinct', { maxParticipants: null, run: { unit: 'month', interval: 1 } }),
      newest: board('last', { order: 'lowest', ties: 'shared', maxParticipants: null }),
    },
  }
}

interface Happened {
  readonly id: string
  readonly user: string
  readonly metric: Kind
  readonly value: number
  readonly at: number
}

/** What is known of the events so far, in the order of arrival. */
interface Known {
  readonly events: readonly Happened[]
  /** By id: the user into whom it was merged. */
  readonly merged: ReadonlyMap<string, string>
}

function totalOf({ events, merged }: Known, user: string, metric: Kind): number {
  const own = events.filter((event) => (merged.get(event.user) ?? event.user) === user && event.metric === metric)
  const values = own.toSorted((left, right) => left.at - right.at).map(({ value }) => value)
  if (values.length === 0) return 0
  if (metric === 'sum') return values.reduce((sum, value) => sum + value, 0)
  if (metric === 'distinct') return new Set(values).size
  if (metric === 'last') return values.at(-1) ?? 0
  return metric === 'max' ? Math.max(...values) : Math.min(...values)
}

async function live(engine: Engine, seed: number, redefine: (last: Kind, more?: object) => Promise<Engine>) {
  const random = createRandom(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  let current = engine
  let known: Known = { events: [], merged: new Map() }
  const changes = [10, 20, 30]
  for (let index = 0; index < 40; index += 1) {
    const now = START + index * 7 * HOUR
    current.at(new Date(now).toISOString())
    const user = pick(USERS)
    const goal = known.merged.get(user) ?? user
    const what = below(10)
    if (changes.includes(index)) {
      // All of the past is judged by the last of them.
      if (index === 10) current = await redefine('last', { early: { name: 'Early', trigger: 'api' } })
      else
        current = await redefine('last', {
          [`next-${index}`]: { name: 'Next', trigger: 'metric', metric: 'sum', value: index },
        })
    } else if (what < 7 || known.events.length === 0) {
      const isLate = below(3) === 0
      // No two events of a user are of one instant.
      const at = now - (isLate ? below(5 * index + 1) * HOUR : 0) - index
      const kind = pick(METRICS)
      const value = 1 + below(kind === 'distinct' ? 6 : 40)
      const tz = below(6) === 0 ? { tz: pick(ZONES) } : {}
      const time = isLate ? { occurredAt: new Date(at) } : {}
      const counted = kind === 'distinct' ? { value: 1, attributes: { place: String(value) } } : { value }
      const request = { user: { id: user, ...tz }, ...counted, ...time }
      const { eventId: id } = await current.metrics.event(kind, request)
      known = { ...known, events: [...known.events, { id, user, metric: kind, value, at: isLate ? at : now }] }
    } else if (what === 7) {
      const voided = pick(known.events)
      await current.events.void(voided.id)
      known = { ...known, events: known.events.filter(({ id }) => id !== voided.id) }
    } else if (what === 8 && known.events.some((event) => event.user === goal)) {
      const on = WEEKDAYS.filter((day) => day === 'tue' || below(2) === 0)
      await current.users.updatePreferences(goal, { streak: { on } })
    } else if (index > 25 && known.merged.size === 0) {
      const [from, into] = [known.events[0]?.user, known.events.at(-1)?.user]
      if (from === undefined || into === undefined || from === into) continue
      await current.users.merge({ from, into })
      known = { ...known, merged: new Map([[from, into]]) }
    }
  }
  return { engine: current, known }
}

onEachStorage(`Lives with every aggregation (seed ${SEED})`, (open) => {
  test('lead to the totals of their events, and to no drift', async () => {
    for (let life = 0; life < (SOAK ? 300 : 6); life += 1) {
      // At first the metric `last` is a sum; the change is recomputed, and later ones are granted or count from now on.
      const engine = await open(gameWith('sum'))
      const policies = ['recompute', 'grant', 'forward'] as const
      let changed = 0
      const done = await live(engine, SEED + life, async (last, more) => {
        const next = gameWith(last, more)
        await engine.apply(defineGame(next), { policy: policies[changed] ?? 'forward' })
        changed += 1
        return engine.redefine(next)
      })
      const users = new Set(done.known.events.map(({ user }) => done.known.merged.get(user) ?? user))
      for (const user of users) {
        const metrics = await done.engine.users.allMetrics(user)
        expect([life, user, ...metrics.map(({ current }) => current)]).toEqual([
          life,
          user,
          ...METRICS.map((kind) => totalOf(done.known, user, kind)),
        ])
      }
      expect((await done.engine.verify()).drift).toEqual([])
    }
  }, 240_000)
})
