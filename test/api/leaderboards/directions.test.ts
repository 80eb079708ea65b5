// Leaderboards whose lowest score is the best, and shared ranks, against a plain sort of everything that happened.

import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import type { MetricEventResponse } from '../../../src/index.ts'
import { add, type Engine, onEachStorage, openOn } from '../../support/engine.ts'
import { createRandom, SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()

const board = { rankBy: 'metric', start: '2026-01-01' } as const
const definition = {
  metrics: {
    lap: { name: 'Fastest lap', aggregation: 'min', unit: 's' },
    score: { name: 'High score', aggregation: 'max' },
    words: { name: 'Words' },
  },
  userAttributes: ['city'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  leaderboards: {
    laps: { ...board, name: 'Laps', metric: 'lap', breakdown: ['city'], ties: 'shared', maxParticipants: 4 },
    all: { ...board, name: 'All laps', metric: 'lap', maxParticipants: null, ties: 'shared' },
    first: { ...board, name: 'Laps, first reached', metric: 'lap', maxParticipants: null },
    scores: { ...board, name: 'Scores', metric: 'score', maxParticipants: 5, ties: 'shared' },
    slowest: { ...board, name: 'Slowest', metric: 'lap', order: 'highest' },
    fewest: { name: 'Fewest XP', rankBy: 'points', system: 'xp', start: '2026-01-01', order: 'lowest' },
  },
} as const

type Key = 'laps' | 'all' | 'first' | 'scores'
const KEYS: readonly Key[] = ['laps', 'all', 'first', 'scores']
const LIMITS = { laps: 4, all: Number.POSITIVE_INFINITY, first: Number.POSITIVE_INFINITY, scores: 5 }

interface Happened {
  readonly user: string
  readonly city: string
  readonly metric: 'lap' | 'score'
  readonly value: number
  readonly at: number
}

interface Standing {
  readonly user: string
  readonly value: number
  readonly reachedAt: number
  readonly rank: number
}

/** The users of a group, best first, by a plain sort. */
function ranked(key: Key, events: readonly Happened[], city: string): readonly Standing[] {
  const isLowest = key !== 'scores'
  const own = events
    .filter(({ metric }) => metric === (isLowest ? 'lap' : 'score'))
    .filter((event) => key !== 'laps' || event.city === city)
    .toSorted((left, right) => left.at - right.at)
  const best = new Map<string, { value: number; reachedAt: number }>()
  for (const { user, value, at } of own) {
    const known = best.get(user)?.value
    if (known === undefined || (isLowest ? value < known : value > known)) best.set(user, { value, reachedAt: at })
  }
  const sorted = [...best]
    .map(([user, each]) => ({ user, ...each }))
    .sort((a, b) => {
      const order = isLowest ? a.value - b.value : b.value - a.value
      return order || a.reachedAt - b.reachedAt || (a.user < b.user ? -1 : 1)
    })
  return sorted.map((each, index) => {
    const isBetter = ({ value }: { value: number }): boolean => (isLowest ? value < each.value : value > each.value)
    return { ...each, rank: key === 'first' ? index + 1 : sorted.filter(isBetter).length + 1 }
  })
}

function rankOf(key: Key, events: readonly Happened[], { user, city }: Happened): number | null {
  const all = ranked(key, events, city)
  const index = all.findIndex((each) => each.user === user)
  return index === -1 || index >= LIMITS[key] ? null : (all[index]?.rank ?? null)
}

function checkAnswer({ leaderboards }: MetricEventResponse, before: readonly Happened[], event: Happened): void {
  for (const key of KEYS) {
    const answer = leaderboards[key]
    if (answer === undefined) continue
    const after = [...before, event]
    const expected = [rankOf(key, before, event), rankOf(key, after, event)]
    expect([key, answer.previousRank, answer.rank]).toEqual([key, ...expected])
  }
}

async function checkPages(engine: Engine, events: readonly Happened[]): Promise<void> {
  for (const key of KEYS) {
    for (const city of key === 'laps' ? ['Paris', 'Rome'] : ['']) {
      const all = ranked(key, events, city)
      const asked = key === 'laps' ? { userAttributes: { city } } : {}
      for (const offset of [0, 2, 3]) {
        const { rankings, participants } = await engine.leaderboards.get(key, { ...asked, offset, limit: 50 })
        const shown = all.slice(0, LIMITS[key]).slice(offset)
        expect(participants).toBe(all.length)
        expect(rankings).toEqual(shown.map(({ user, rank, value }) => ({ userId: user, userName: null, rank, value })))
      }
      for (const [index, { user, value, rank }] of all.entries()) {
        expect(await engine.users.leaderboard(user, key)).toMatchObject({
          ...{ value, participants: all.length },
          rank: index < LIMITS[key] ? rank : null,
        })
      }
    }
  }
}

async function play(engine: Engine, count: number): Promise<void> {
  const random = createRandom(SEED)
  const below = (most: number): number => Math.floor(random() * most)
  let events: readonly (Happened & { readonly id: string })[] = []
  const start = Date.parse('2026-03-01T00:00:00.000Z')
  for (let index = 0; index < count; index += 1) {
    const isLate = below(8) === 0
    const at = start + index * 60_000 - (isLate ? below(index + 1) * 60_000 + 30_000 : 0)
    const [user, value] = [`u${below(12)}`, 50 + below(8)]
    const event: Happened = {
      ...{ user, value, at, city: user < 'u3' ? 'Paris' : 'Rome' },
      metric: below(3) === 0 ? 'score' : 'lap',
    }
    engine.at(new Date(start + index * 60_000).toISOString())
    const answer = await add(engine, event.metric, value, {
      user: { id: user, attributes: { city: event.city } },
      ...(isLate ? { occurredAt: new Date(at) } : {}),
    })
    if (!isLate) checkAnswer(answer, events, event)
    events = [...events, { ...event, id: answer.eventId }]
    if (below(12) > 0) continue
    const voided = events[below(events.length)]
    if (voided === undefined) continue
    await engine.events.void(voided.id)
    events = events.filter(({ id }) => id !== voided.id)
  }
  await checkPages(engine, events)
  expect((await engine.verify()).drift).toEqual([])
}

onEachStorage(`Leaderboards in both directions (seed ${SEED})`, (open) => {
  test('rank as a plain sort does, before and after each event', async () => {
    await play(await open(definition), SOAK ? 10_000 : 250)
  }, 240_000)

  test('rank a list of users among themselves', async () => {
    const engine = await open(definition)
    for (const [id, value] of [
      ['ann', 51],
      ['bob', 50],
      ['cid', 51],
      ['dan', 52],
      ['eve', 49],
    ] as const) {
      await add(engine, 'lap', value, { user: { id } })
    }
    const { rankings, participants } = await engine.leaderboards.get('all', { among: ['ann', 'cid', 'dan', 'nobody'] })
    expect(rankings.map(({ userId, rank, value }) => [userId, rank, value])).toEqual([
      ['ann', 1, 51],
      ['cid', 1, 51],
      ['dan', 3, 52],
    ])
    expect(participants).toBe(3)
  })
})

onEachStorage('A leaderboard of one date', (open) => {
  test('counts what happened on that date', async () => {
    const day = { ...board, metric: 'words', start: '2026-03-02', end: '2026-03-02' } as const
    const engine = await open({
      metrics: { words: { name: 'Words' } },
      leaderboards: { day: { ...day, name: 'Day' }, run: { ...day, name: 'Run', run: { unit: 'week' } } },
    })
    for (const date of [1, 2, 3]) {
      engine.at(`2026-03-0${date}T12:00:00Z`)
      await add(engine, 'words', date)
    }
    for (const key of ['day', 'run'] as const) {
      const { status, rankings } = await engine.leaderboards.get(key)
      expect([status, rankings.map(({ value }) => value)]).toEqual(['finished', [2]])
    }
  })
})

describe('An order', () => {
  test('can be the other one than that of the metric, and that of points', async () => {
    const engine = await openOn(memory(), { now: '2026-03-10T12:00:00.000Z' }, definition)
    for (const [id, value] of [
      ['ann', 51],
      ['bob', 50],
    ] as const) {
      await add(engine, 'lap', value, { user: { id } })
      await add(engine, 'words', value, { user: { id } })
    }
    const valuesOf = async (key: string) => {
      const { rankings, order } = await engine.leaderboards.get(key)
      return [order, ...rankings.map(({ userId, value }) => [userId, value])]
    }
    expect(await valuesOf('slowest')).toEqual([undefined, ['ann', 51], ['bob', 50]])
    expect(await valuesOf('fewest')).toEqual(['lowest', ['bob', 50], ['ann', 51]])
    await engine.close()
  })

  test('shows the threshold and the history as scores', async () => {
    const limited = { ...definition.leaderboards.laps, breakdown: [], maxParticipants: 1 }
    const engine = await openOn(
      memory(),
      { now: '2026-03-10T12:00:00.000Z' },
      {
        ...definition,
        leaderboards: { laps: limited },
      },
    )
    const { leaderboards } = await add(engine, 'lap', 51)
    expect(leaderboards.laps).toMatchObject({ threshold: 51, units: 's', order: 'lowest', ties: 'shared' })
    await add(engine, 'lap', 49)
    expect((await engine.users.leaderboard('ann', 'laps')).history).toMatchObject([
      { rank: 1, previousValue: null, value: 49 },
    ])
    await engine.close()
  })
})
