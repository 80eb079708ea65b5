// Leaderboards whose lowest score is the best, and shared ranks.

import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { add, onEachStorage, openOn } from '../../support/engine.ts'

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

onEachStorage('Leaderboards in both directions', (open) => {
  test('answer an event with the ranks before and after it', async () => {
    const engine = await open(definition)
    const ranks: unknown[] = []
    for (const [id, value] of [
      ['ann', 51],
      ['bob', 50],
      ['cid', 50],
      ['ann', 52],
      ['ann', 49],
      ['bob', 49],
    ] as const) {
      const { leaderboards } = await add(engine, 'lap', value, { user: { id, attributes: { city: 'Paris' } } })
      const { laps, first } = leaderboards
      ranks.push([laps?.previousRank, laps?.rank, first?.previousRank, first?.rank])
    }
    // Shared ranks, then ranks by who was first. A slower lap moves nobody.
    expect(ranks).toEqual([
      [null, 1, null, 1],
      [null, 1, null, 1],
      [null, 1, null, 2],
      [undefined, undefined, undefined, undefined],
      [3, 1, 3, 1],
      [2, 1, 2, 2],
    ])
    const ranksAfter = async (board: 'laps' | 'first', more: object) =>
      (await engine.leaderboards.get(board, { offset: 1, ...more })).rankings.map(({ userId, rank }) => [userId, rank])
    const paris = { userAttributes: { city: 'Paris' } }
    expect([await ranksAfter('laps', paris), await ranksAfter('first', {})]).toEqual([
      [
        ['bob', 1],
        ['cid', 3],
      ],
      [
        ['bob', 2],
        ['cid', 3],
      ],
    ])
    expect(await engine.users.leaderboard('bob', 'laps')).toMatchObject({ rank: 1, value: 49, participants: 3 })
    expect((await engine.verify()).drift).toEqual([])
  })

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
